package proxy

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
)

// TestAProbeThatIsAnsweredBelongsToTheClient: a host that answers has done what
// it was asked for, and one that hangs may have. Only the retry of a route asks
// again, and then another host.
func TestAProbeThatIsAnsweredBelongsToTheClient(t *testing.T) {
	again := func(r *plan.Route) {
		r.Retry = &plan.Retry{MaxRetryAttempts: 1, Delay: 1, Backoff: plan.Constant, StatusCodes: r.Failures.StatusCodes, Methods: []string{"GET"}}
	}
	for _, test := range []struct {
		name   string
		fail   func(*http.Request) (int, error)
		change func(*plan.Route)
		want   []string
	}{
		{"a status", status(503), func(*plan.Route) {}, []string{"200", "503"}},
		{"a timeout", hangs, func(*plan.Route) {}, []string{"200", "503"}},
		{"a status with retries", status(503), again, []string{"200"}},
		{"a timeout with retries", hangs, again, []string{"200"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x, hosts := judging(t, judgedRoute(test.change), Options{})
				hosts.set("b", test.fail)
				asks(x, 6, "/a/x")
				time.Sleep(10 * time.Second)
				hosts.took()
				got := strings.Fields(asks(x, 9, "/a/x"))
				slices.Sort(got)
				if got = slices.Compact(got); !slices.Equal(got, test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
				if asked := hosts.took(); strings.Count(asked, "b") != 1 {
					t.Errorf("asked %s, want one probe of b", asked)
				}
			})
		})
	}
}
