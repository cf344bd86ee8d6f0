package balance_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/health"
	"github.com/margay-dev/margay/runtime/plan"
)

const rest = 10 * time.Second

// judging returns the health of hosts that fail twice in a row.
func judging() *health.Hosts {
	return health.New(health.Options{Breaker: breaker.Consecutive{MinimumThroughput: 2, BreakDuration: rest}})
}

// breakHost has a host fail until it is passed over.
func breakHost(known *health.Hosts, hosts ...*balance.Host) {
	for _, h := range hosts {
		for range 2 {
			permit, _ := known.Of(h.Key()).Acquire()
			permit.Failure()
		}
	}
}

// healthy returns the first letters of what is chosen for requests with cookies,
// all of which go well.
func healthy(b *balance.Balancer, hosts []*balance.Host, known *health.Hosts, cookies ...string) string {
	var out strings.Builder
	for _, c := range cookies {
		choice := b.PickHealthy(hosts, &http.Request{Header: http.Header{"Cookie": {c}}}, known)
		out.WriteString(choice.Host.Address[:1])
		choice.Permit.Success()
		choice.Host.Release()
	}
	return out.String()
}

func kinds() []plan.LoadBalancer {
	return []plan.LoadBalancer{{Type: "RoundRobin"}, {Type: "LeastConnection"}, {Type: "CookieStickySessions", Key: "sid", Expiry: 3_600_000}}
}

func TestAFailingHostIsPassedOver(t *testing.T) {
	want := map[string][3]string{ // all well, b failing, after its probe
		"RoundRobin": {"abcabc", "acacac", "abcabc"}, "LeastConnection": {"aaaaaa", "aaaaaa", "aaaaaa"}, "CookieStickySessions": {"abcabc", "accacc", "accacc"}}
	cookies := []string{"sid=1", "sid=2", "sid=3", "sid=1", "sid=2", "sid=3"}
	for _, o := range kinds() {
		synctest.Test(t, func(t *testing.T) {
			b, known := balancer(t, o), judging()
			hosts := three(b)
			if got := healthy(b, hosts, known, cookies...); got != want[o.Type][0] {
				t.Errorf("%s: got %s where all are well, want %s", o.Type, got, want[o.Type][0])
			}
			breakHost(known, hosts[1])
			if got := healthy(b, hosts, known, cookies...); got != want[o.Type][1] {
				t.Errorf("%s: got %s where b fails, want %s", o.Type, got, want[o.Type][1])
			}
			time.Sleep(rest)
			if got := healthy(b, hosts, known, cookies...); got != want[o.Type][2] {
				t.Errorf("%s: got %s after the break, want %s", o.Type, got, want[o.Type][2])
			}
			breakHost(known, hosts...)
			if got := healthy(b, hosts, known, "sid=9"); len(got) != 1 {
				t.Errorf("%s: got %q where all fail", o.Type, got)
			}
		})
	}
}

func TestWhereAllFailNothingIsWorseThanWithoutJudging(t *testing.T) {
	for _, o := range kinds() {
		judgingOne, plain, known := balancer(t, o), balancer(t, o), judging()
		hosts := three(judgingOne)
		breakHost(known, hosts...)
		for i := range 9 {
			r := &http.Request{Header: http.Header{"Cookie": {fmt.Sprint("sid=", i%4)}}}
			got, want := judgingOne.PickHealthy(hosts, r, known), plain.Pick(three(plain), r)
			if got.Host.Address != want.Address || got.State != breaker.Open || got.Skipped != 0 {
				t.Errorf("%s: got %s %v, want %s", o.Type, got.Host.Address, got.State, want.Address)
			}
			got.Permit.Failure() // is nobody's
		}
	}
}

func TestASessionMovesForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, known := balancer(t, kinds()[2]), judging()
		hosts := three(b)
		healthy(b, hosts, known, "sid=1")
		breakHost(known, hosts[0])
		moved := healthy(b, hosts, known, "sid=1")
		time.Sleep(rest)
		if got := healthy(b, hosts, known, "sid=1", "sid=1"); moved == "a" || got != moved+moved {
			t.Errorf("got %s, then %s", moved, got)
		}
	})
}

func TestOneRequestIsTheProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, known := balancer(t, kinds()[0]), judging()
		hosts := b.Hosts("http", []plan.Host{{Name: "a"}, {Name: "b"}})
		breakHost(known, hosts[0])
		time.Sleep(rest)
		r, probes := &http.Request{}, 0
		var probe balance.Choice
		for range 10 {
			if c := b.PickHealthy(hosts, r, known); c.Host == hosts[0] {
				probe = c
				probes++
			} else if probes > 0 && c.Skipped != 1 {
				t.Errorf("got %d skipped beside the probe", c.Skipped)
			}
		}
		if probes != 1 || probe.State != breaker.HalfOpen {
			t.Fatalf("got %d probes, %v", probes, probe.State)
		}
		probe.Permit.Failure()
		if c := b.PickHealthy(hosts, r, known); c.Host != hosts[1] {
			t.Error("a failed probe did not count")
		}
	})
}

func TestNoHostsAreNoChoice(t *testing.T) {
	if c := balancer(t, kinds()[0]).PickHealthy(nil, &http.Request{}, judging()); c.Host != nil {
		t.Error("chose a host of none")
	}
}
