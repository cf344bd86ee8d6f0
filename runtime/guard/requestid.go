package guard

import (
	"crypto/rand"
	"net/http"

	"github.com/margay-dev/margay/runtime/proxy"
)

func (b *builder) requestID() {
	own, everybodys := b.route.RequestIDHeader, b.plan.RequestIDHeader
	if own == "" && everybodys == "" {
		return
	}
	b.add(&requestID{own: http.CanonicalHeaderKey(own), everybodys: http.CanonicalHeaderKey(everybodys), header: b.header()})
}

// requestID gives every request an id and sends it on.
type requestID struct {
	own, everybodys string // names of headers; empty is none
	header          func(*proxy.Exchange) http.Header
}

// Serve takes the id from the route's header, else from the gateway's, else
// makes one. It goes to the backend under the route's name, unless the client
// sent that itself (reqid-route).
func (g *requestID) Serve(x *proxy.Exchange, next proxy.Next) (*http.Response, error) {
	sent := g.header(x)
	switch own := sent[g.own]; {
	case g.own != "" && own != nil:
		x.RequestID = own[0]
		return next(x)
	case g.everybodys != "" && x.Request.Header[g.everybodys] != nil:
		x.RequestID = x.Request.Header[g.everybodys][0]
	default:
		x.RequestID = rand.Text()
	}
	if g.own != "" && x.RequestID != "" {
		x.Header()[g.own] = []string{x.RequestID}
	}
	return next(x)
}
