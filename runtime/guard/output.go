package guard

import (
	"net/http"
	"strings"

	"github.com/margay-dev/margay/runtime/guard/cache"
	"github.com/margay-dev/margay/runtime/guard/headers"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// output keeps the answers of a route.
type output struct {
	set    *Set
	rule   *plan.Cache
	method string // of the backend; empty is the client's
	vary   string // a request header that belongs to the question
	// known says that clients have to be known; personal, that what is known of
	// them goes to the backend, so that no answer is anybody else's.
	known, personal bool
	// route is the ID of the route. Another one with the same URL, such as the next
	// member of an aggregate, has other answers, and may be open to others.
	route  string
	header func(*proxy.Exchange) http.Header
}

func (b *builder) cache() {
	c := b.route.Cache
	if c == nil {
		return
	}
	g := &output{set: b.set, rule: c, route: b.route.ID, method: b.route.Backend.Method, vary: http.CanonicalHeaderKey(c.Header), header: b.header(),
		known: b.route.Authentication != nil}
	if c := b.route.Claims; c != nil {
		g.personal = len(c.ToHeaders)+len(c.ToQuery)+len(c.ToPath) > 0
	}
	b.add(g)
}

// Serve answers with what is kept, or keeps what the backend answers. Answers
// that come from nobody, such as those of an open circuit, are not kept.
func (g *output) Serve(x *proxy.Exchange, next proxy.Next) (*http.Response, error) {
	if g.personal || x.Upgrade() != "" {
		return next(x)
	}
	question, ok, err := g.question(x)
	if err != nil || !ok {
		if err != nil {
			return nil, err
		}
		return next(x)
	}
	key := question.Key()
	asked := g.header(x)
	if kept := g.set.answers.Find(key, asked); kept != nil {
		stateOf(x).backend = kept.Backend
		return kept.Response(x.Request), nil
	}
	response, err := next(x)
	if err != nil || !g.keeps(x, response) {
		return response, err
	}
	e := cache.Entry{Region: g.rule.Region, Backend: headers.BaseURL(x.Backend())}
	if err := g.set.answers.Keep(key, e, asked, response, g.rule.TTL.Duration()); err != nil {
		return nil, &proxy.StatusError{Status: http.StatusInternalServerError, Err: err} // ca-cut
	}
	return response, nil
}

// keeps reports whether a response may be kept for others.
func (g *output) keeps(x *proxy.Exchange, response *http.Response) bool {
	known := g.known || cache.HasCredentials(x.Request.Header)
	return x.FromBackend(response) && response.StatusCode >= http.StatusOK && !cache.IsPartial(x.Request.Header) &&
		!cache.IsPrivate(response.Header) && (!known || cache.IsShared(response.Header))
}

// question returns what the answer depends on; false where it cannot be told
// because the body is too large to be read.
func (g *output) question(x *proxy.Exchange) (cache.Question, bool, error) {
	q := cache.Question{Method: g.method, URL: schemeOf(x) + "://" + x.Request.Host + x.Target.String(), Owner: g.route}
	if q.Method == "" {
		q.Method = x.Request.Method
	}
	if g.vary != "" {
		q.Header = strings.Join(g.header(x)[g.vary], "")
	}
	body, length := x.Body()
	if !g.rule.HashContent || length == 0 && x.Request.Header["Content-Length"] == nil {
		return q, true, nil
	}
	content, whole, err := cache.ReadBody(body, g.set.options.MaxBufferedBody)
	if err != nil {
		return q, false, bodyError(err)
	}
	if !whole {
		x.SetBody(cache.Rest(content, body), length)
		return q, false, nil
	}
	requestBody{content: content, length: int64(len(content))}.send(x)
	q.Body = append([]byte{}, content...)
	return q, true, nil
}

// schemeOf returns the scheme that the client used.
func schemeOf(x *proxy.Exchange) string {
	if x.Request.TLS != nil {
		return "https"
	}
	return "http"
}
