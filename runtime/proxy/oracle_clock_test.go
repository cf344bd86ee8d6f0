package proxy_test

import (
	"bytes"
	"context"
	"net"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/proxy"
)

// timed names what a configuration does by the clock.
var timed = regexp.MustCompile(`"(?:Timeout|QoSOptions|RateLimit\w*|\w*CacheOptions|PooledConnectionLifetimeSeconds)"`)

// isTimed reports whether what comes of a case depends on when things happen:
// somebody waits, leaves, or breaks off while others are busy, or the gateway
// counts seconds.
func (r *routingRecord) isTimed() bool {
	if timed.MatchString(r.Config) {
		return true
	}
	for _, s := range append(r.Steps, r.routingStep) {
		q := s.Request
		if q != nil && (q.AbortAfter != nil || q.CutAt != nil || q.TwoPartsDelay+q.WaitBefore+q.StartAt > 0) || s.Upstream.isTimed() {
			return true
		}
	}
	return false
}

func (s *script) isTimed() bool {
	if s.Delay+s.ChunkDelay > 0 || s.Action != "" || s.Cut != "" || s.ThenReset || s.Then != nil && s.Then.isTimed() {
		return true
	}
	for _, by := range []map[string]script{s.ByPath, s.ByUpstream} {
		for _, one := range by {
			if one.isTimed() {
				return true
			}
		}
	}
	return false
}

// replayOnClock replays cases in memory, on a clock of their own.
func replayOnClock(t *testing.T, batch []*routingRecord, o proxy.Options, recorded []byte) (all []*verdicts) {
	synctest.Test(t, func(t *testing.T) {
		s := newStageOn(t, newNetwork(), recorded)
		own := guarded(batch[0], o)
		for _, rec := range batch {
			all = append(all, replayRouting(s, rec, own))
		}
		time.Sleep(time.Minute) // what was left behind ends
		s.close()
	})
	return all
}

// open listens on any port.
func (s *stage) open() (net.Listener, error) {
	if s.network != nil {
		return s.network.listenAnywhere(), nil
	}
	return net.Listen("tcp", "127.0.0.1:0")
}

// listen opens a port that can be told by its digits: they are in no recording.
func (s *stage) listen(t testing.TB) net.Listener {
	t.Helper()
	for {
		l, err := s.open()
		if err != nil {
			t.Fatal(err)
		}
		s.listeners = append(s.listeners, l)
		if !bytes.Contains(s.recorded, []byte(port(l))) {
			return l
		}
	}
}

// closedPort returns a port on which nobody listens, nor will before the end of
// the test: a connection has it.
func (s *stage) closedPort(t testing.TB) string {
	t.Helper()
	l := s.listen(t)
	if s.network != nil {
		l.Close()
		return port(l)
	}
	for {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if closed := strconv.Itoa(c.LocalAddr().(*net.TCPAddr).Port); !bytes.Contains(s.recorded, []byte(closed)) {
			return closed
		}
	}
}

// dialer opens the connections of a gateway: to DEFAULT where the port of http
// is meant and the case is about that. Names that are none are known as such at
// once: a name server, where there is one, may take its time.
func (s *stage) dialer(portless bool) func(ctx context.Context, network, address string) (net.Conn, error) {
	dial := (&net.Dialer{}).DialContext
	if s.network != nil {
		dial = s.network.dial
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, _ := net.SplitHostPort(address)
		if strings.HasSuffix(host, ".invalid") {
			return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}}
		}
		if portless && port == "80" {
			address = "127.0.0.1:" + s.addresses["DEFAULT"]
		}
		return dial(ctx, network, address)
	}
}

// connect makes a connection to an address of the stage.
func (s *stage) connect(address string) (net.Conn, error) {
	if s.network != nil {
		return s.network.dial(context.Background(), "tcp", address)
	}
	return net.Dial("tcp", address)
}
