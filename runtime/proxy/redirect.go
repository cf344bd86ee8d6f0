package proxy

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/margay-dev/margay/runtime/retry"
)

// maxRedirects is .NET's MaxAutomaticRedirections.
const maxRedirects = 50

// errConsumed is the outcome of a redirect that asks for a body again: it is
// gone (hh-redirect/003).
var errConsumed = errors.New("the backend redirects a request whose body was sent already")

// redirecting follows redirects in place of the client, as .NET's
// AllowAutoRedirect does. What the responses on the way say, cookies included,
// is lost.
type redirecting struct{ Transport }

// Send sends req, and what it is redirected to.
func (t redirecting) Send(ctx context.Context, req *http.Request, interim Interim) (*http.Response, error) {
	for n := 0; ; n++ {
		response, err := t.Transport.Send(ctx, req, interim)
		if err != nil || n == maxRedirects {
			return response, err
		}
		next, err := redirected(req, response)
		if next == nil && err == nil {
			return response, nil
		}
		retry.Discard(response)
		if err != nil {
			return nil, err
		}
		req = next
	}
}

// redirected returns the request that a response asks for; nil if it asks for
// none that may be made.
func redirected(req *http.Request, response *http.Response) (*http.Request, error) {
	method := req.Method
	switch response.StatusCode {
	case http.StatusMultipleChoices, http.StatusMovedPermanently, http.StatusFound:
		if method == http.MethodPost {
			method = http.MethodGet
		}
	case http.StatusSeeOther:
		if method != http.MethodGet && method != http.MethodHead {
			method = http.MethodGet
		}
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	to, err := location(req.URL, response.Header.Get("Location"))
	if err != nil || to == nil {
		return nil, nil //nolint:nilerr // whoever asked sees the response
	}
	if method == req.Method && req.Body != nil && req.Body != http.NoBody {
		return nil, errConsumed
	}
	next := req.Clone(req.Context())
	next.Method, next.URL, next.Host = method, to, to.Host
	next.Body, next.ContentLength = http.NoBody, 0
	for name := range next.Header {
		if ofContent(name) {
			delete(next.Header, name)
		}
	}
	delete(next.Header, "Content-Length")
	if to.Host != req.URL.Host {
		delete(next.Header, "Authorization")
		delete(next.Header, "Cookie")
	}
	return next, nil
}

// location returns where to a redirect goes: nothing from TLS to plain text.
func location(from *url.URL, text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	base := &url.URL{Scheme: from.Scheme, Host: from.Host, Path: "/"}
	to, err := base.Parse(text)
	if err != nil || from.Scheme == "https" && to.Scheme != "https" || to.Scheme != "https" && to.Scheme != "http" {
		return nil, err
	}
	return to, nil
}
