package pipeline

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// ClientError is the outcome of a call that failed by the client's own request:
// its body broke off, was too large, too slow or not valid, or it could not be
// sent as it is. It says nothing about the backend.
type ClientError struct {
	Err error // what was wrong
}

// Error returns what was wrong with the request.
func (e *ClientError) Error() string { return "request of the client: " + e.Err.Error() }

// Unwrap returns Err.
func (e *ClientError) Unwrap() error { return e.Err }

// Status is the answer to the client: 413 for a body above a limit, 408 for one
// that did not come in time, as Kestrel says of those below its
// MinRequestBodyDataRate, else 400.
func (e *ClientError) Status() int {
	if _, ok := errors.AsType[*http.MaxBytesError](e.Err); ok {
		return http.StatusRequestEntityTooLarge
	}
	if errors.Is(e.Err, os.ErrDeadlineExceeded) {
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}

// malformed returns why no transport can send r, or nil. [http.Transport] says
// so before it asks for a connection, with errors that nothing tells apart from
// those of the network.
func malformed(r *http.Request) error {
	switch {
	case r.URL == nil:
		return errors.New("no URL")
	case r.URL.Host == "":
		return errors.New("no host in the URL")
	case strings.ContainsFunc(r.Method, breaksToken):
		return fmt.Errorf("invalid method %q", r.Method)
	}
	for name, values := range r.Header {
		if name == "" || strings.ContainsFunc(name, breaksToken) {
			return fmt.Errorf("invalid header name %q", name)
		}
		for _, v := range values {
			if strings.ContainsFunc(v, isControl) {
				return fmt.Errorf("invalid value of the header %s", name) // it may be a secret
			}
		}
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// breaksToken reports what RFC 9110 does not allow in a token.
func breaksToken(r rune) bool {
	switch {
	case '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		return false
	}
	return !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
