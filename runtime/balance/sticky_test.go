package balance_test

import (
	"fmt"
	"net/http"
	stdruntime "runtime"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/plan"
)

// TestSessionsAreSmall: clients choose the values of cookies, and what else
// stands in the line.
func TestSessionsAreSmall(t *testing.T) {
	const sessions, most = 1000, 2 << 10
	for name, line := range map[string]string{"a long value": "k=%[2]s%[1]d", "a long line": "k=%d; other=%s"} {
		b, err := balance.New(plan.LoadBalancer{Type: "CookieStickySessions", Key: "k", Expiry: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		hosts := b.Hosts("http", []plan.Host{{Name: "a"}, {Name: "b"}})
		long := strings.Repeat("x", 20<<10)
		picked := func(i int) *balance.Host {
			return b.Pick(hosts, &http.Request{Header: http.Header{"Cookie": {fmt.Sprintf(line, i, long)}}})
		}
		before := heap()
		for i := range sessions {
			if first := picked(i); picked(i) != first {
				t.Fatalf("%s: session %d moves", name, i)
			}
		}
		if per := (heap() - before) / sessions; per > most {
			t.Errorf("%s: a session takes %d bytes, want %d at most", name, per, most)
		}
		stdruntime.KeepAlive(b)
	}
}

func heap() int64 {
	var m stdruntime.MemStats
	stdruntime.GC()
	stdruntime.GC()
	stdruntime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
