package proxy

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/health"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

// Exchange is one request on its way through its route, and back. It belongs to
// the goroutine of the request and ends with it.
type Exchange struct {
	// Request is what the client sent, without the headers that its Connection
	// takes away: guards must not see what the backend does not. It is read only;
	// see Header and SetBody for what goes out.
	Request *http.Request
	// Route is the route that takes the request; nil for an aggregate, which
	// Aggregate is then.
	Route     *plan.Route
	Aggregate *plan.Aggregate
	// Match holds the values of the placeholders. What is set there before the
	// request is sent on counts.
	Match route.Match
	// Target is the client's path and query as templates see them. Another query
	// may be put in its place before the request is sent on.
	Target route.Target
	// State is the guards' own, to hand something on to one another.
	State any
	// RequestID and User are what the access log says; guards set them.
	RequestID, User string

	proxy    *Proxy
	gateway  *gateway
	served   *served
	memberOf *Exchange           // nil: it is no member's
	writer   http.ResponseWriter // of a member: nil
	answer   http.Header         // of a member; else the writer's

	asked  route.Request // what routing looks at
	out    http.Request
	url    url.URL
	owned  bool // out.Header is not the client's
	length int64
	body   io.ReadCloser

	started  time.Time // zero where nobody wants a record
	headers  time.Duration
	attempts int
	hosts    []*balance.Host
	backend  *balance.Host  // that was asked last
	leased   bool           // it is not released yet
	health   *health.Hosts  // nil: hosts are not judged
	choice   balance.Choice // of the last attempt, where they are
	answered *http.Response // what the backend answered last
	present  present        // its body, if that can tell; else nil
	target   string
	status   int
	sent     int64
	received *clientBody // nil: the request has no body
	duplex   bool        // it may be read while the answer is written
	err      error
}

func newExchange(p *Proxy, g *gateway, w http.ResponseWriter, r *http.Request) *Exchange {
	x, ok := p.exchanges.Get().(*Exchange)
	if !ok {
		x = &Exchange{}
	}
	r = withoutNamed(r)
	x.Request, x.proxy, x.gateway, x.writer, x.length, x.body = r, p, g, w, r.ContentLength, r.Body
	if p.options.Done != nil {
		x.started = time.Now()
	}
	if r.Body != nil && r.Body != http.NoBody {
		x.received = &clientBody{ReadCloser: r.Body}
		x.body = x.received
	}
	return x
}

// Header returns the header that goes to the backend, to be changed before the
// request is sent on. It is the client's without what concerns one connection.
func (x *Exchange) Header() http.Header {
	if !x.owned {
		x.out.Header = endToEnd(x.Request)
		x.owned = true
	}
	return x.out.Header
}

// Body returns the body that goes to the backend, and its length: -1 where that
// is not known. A guard that reads it puts another in its place.
func (x *Exchange) Body() (io.ReadCloser, int64) { return x.body, x.length }

// SetBody puts another body in place of the client's; a length of -1 is not
// known. The client's own is closed by its connection.
func (x *Exchange) SetBody(body io.ReadCloser, length int64) { x.body, x.length = body, length }

// Answer returns the header whose members every answer to the client gets,
// whoever it comes from. A backend's header of the same name gives way.
func (x *Exchange) Answer() http.Header {
	if x.writer != nil {
		return x.writer.Header()
	}
	if x.answer == nil {
		x.answer = http.Header{}
	}
	return x.answer
}

// Backend returns the scheme and the address, "host:port", that were asked
// last; both are empty before the request was sent on.
func (x *Exchange) Backend() (scheme, address string) {
	if x.backend == nil {
		return "", ""
	}
	return x.url.Scheme, x.backend.Address
}

// FromBackend reports whether a response is a backend's own, and none that
// stands in for it, as those of a fallback or of chaos do.
func (x *Exchange) FromBackend(response *http.Response) bool {
	return response != nil && response == x.answered
}

// ClientIP returns the address of the client's connection, without its port.
func (x *Exchange) ClientIP() string {
	host, _, err := net.SplitHostPort(x.Request.RemoteAddr)
	if err != nil {
		return x.Request.RemoteAddr
	}
	return host
}

// Upgrade returns the protocol that the client asks to go over to: "websocket",
// in its own letter case; empty if none.
func (x *Exchange) Upgrade() string { return upgradeOf(x.Request) }

// Call sends the request through the route of a member of the aggregate, with
// its guards and strategies. Prepare changes the member's exchange before, nil
// changes nothing: it sets the value of Member.Parameter, for instance. The
// caller closes the body of the response. Members may be called at the same
// time, with one Exchange each, while nothing else touches x; the body of the
// request is not sent unless prepare sets it.
func (x *Exchange) Call(m plan.Member, prepare func(member *Exchange)) (*http.Response, error) {
	member := x.member(m)
	if member == nil {
		return nil, errNoPlanRoute
	}
	if prepare != nil {
		prepare(member)
	}
	returned := false
	defer func() {
		if !returned { // it panics
			member.release()
		}
	}()
	response, err := member.served.serve(member)
	returned = true
	if member.leased {
		return member.releaseWith(response), err
	}
	return response, err
}

func (x *Exchange) member(m plan.Member) *Exchange {
	i, ok := x.gateway.byID[m.Route]
	if !ok {
		return nil
	}
	y := &Exchange{Request: x.Request, Match: x.Match, Target: x.Target, State: x.State, RequestID: x.RequestID,
		User: x.User, proxy: x.proxy, gateway: x.gateway, served: &x.gateway.routes[i], body: http.NoBody}
	y.Route = y.served.plan
	y.memberOf = x
	return y
}
