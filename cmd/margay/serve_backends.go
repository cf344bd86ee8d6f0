package main

import (
	"context"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// backends are the rules of --backend, of which the first that fits counts.
// Only connections go elsewhere: requests still name the host that the
// configuration does, and so do certificates.
type backends []backendRule

// backendRule sends connections to a host, "HOST" or "HOST:PORT", to an address.
type backendRule struct{ host, addr string }

func backendsOf(c *cli.Context) (backends, error) {
	var rules backends
	for _, written := range textsOf(c, flagBackend) {
		host, addr, ok := strings.Cut(written, "=")
		if !ok || host == "" || !dialable(addr) {
			return nil, usage("for instance --backend '*=127.0.0.1:9090'", "--backend is %q; expected HOST=ADDR:PORT", written)
		}
		rules = append(rules, backendRule{host, addr})
	}
	return rules, nil
}

// dialable says whether an address has a host and a port that is a number.
func dialable(addr string) bool {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host == "" {
		return false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// dialTimeout is that of connections to backends; the timeouts of routes are
// mostly shorter.
const dialTimeout = 30 * time.Second

// dial opens a connection to where the rules lead; nil, which is the proxy's
// own way, if there are none.
func (b backends) dial() func(ctx context.Context, network, address string) (net.Conn, error) {
	if len(b) == 0 {
		return nil
	}
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: dialTimeout}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, b.lead(address))
	}
}

func (b backends) lead(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	for _, rule := range b {
		if rule.host == "*" || strings.EqualFold(rule.host, host) || strings.EqualFold(rule.host, address) {
			return rule.addr
		}
	}
	return address
}
