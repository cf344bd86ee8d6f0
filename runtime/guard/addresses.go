package guard

import (
	"errors"
	"net/http"
	"net/netip"
	"strings"

	"github.com/margay-dev/margay/runtime/guard/clientip"
	"github.com/margay-dev/margay/runtime/proxy"
)

var errAddress = errors.New("the client's address is not admitted")

func (b *builder) addresses() {
	if b.route.ClientIPs == nil {
		return
	}
	filter, err := clientip.New(b.route.ClientIPs)
	if err != nil {
		b.missing = append(b.missing, proxy.Unenforced{Setting: "client-ips", Unreadable: true, Reason: strings.ReplaceAll(err.Error(), "\n", "; ")})
	}
	b.add(&addresses{set: b.set, filter: filter})
}

// addresses turns clients away by the address of their connection. Headers that
// name another address do not count: anybody can send them (sec-allow-other).
type addresses struct {
	set    *Set
	filter *clientip.Filter
}

// Serve answers 403 to clients that are not admitted.
func (g *addresses) Serve(x *proxy.Exchange, next proxy.Next) (*http.Response, error) {
	client, _ := netip.ParseAddr(x.ClientIP()) // the zero Addr is nobody's
	if !g.filter.Admits(client) {
		return nil, g.set.refuse(x, http.StatusForbidden, errAddress)
	}
	return next(x)
}

// refuse returns the outcome of a request that is turned away, and tells why.
func (s *Set) refuse(x *proxy.Exchange, status int, reason error) error {
	s.options.Judged(x, reason)
	return &proxy.StatusError{Status: status, Err: reason}
}
