package balance_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/health"
	"github.com/margay-dev/margay/runtime/plan"
)

// modelHost is what a naive observer knows of a host.
type modelHost struct {
	row     int       // failures in a row
	until   time.Time // zero: closed
	probing bool
	life    int // counts its changes, so that late results are known
}

func (m *modelHost) admits() bool {
	return m.until.IsZero() || !m.probing && !time.Now().Before(m.until)
}

func (m *modelHost) take(life int, r breaker.Result) {
	switch {
	case life != m.life:
	case r == breaker.Ignored:
		if m.probing { // another request may probe
			m.probing = false
			m.life++
		}
	case r == breaker.Success && m.probing:
		*m = modelHost{life: m.life + 1}
	case r == breaker.Success:
		m.row = 0
	default:
		if m.row++; m.probing || m.row == 2 {
			*m = modelHost{until: time.Now().Add(rest), life: m.life + 1}
		}
	}
}

// flight is a request that has not come back.
type flight struct {
	choice balance.Choice
	life   int
	judged bool // its host takes the result
}

// choosing is a balancer beside the naive observer.
type choosing struct {
	options  plan.LoadBalancer
	balancer *balance.Balancer
	known    *health.Hosts
	all      []*balance.Host
	listed   []*balance.Host
	models   map[*balance.Host]*modelHost
	sessions map[string]*balance.Host
	flights  []flight
	seen     map[string]int
}

// TestModelOfHealthyChoices holds choices to a naive observer, over random
// requests, results, waits and lists of hosts.
func TestModelOfHealthyChoices(t *testing.T) {
	for _, o := range kinds() {
		t.Run(o.Type, func(t *testing.T) {
			seen := map[string]int{}
			rapid.Check(t, func(rt *rapid.T) {
				// What is drawn is mostly small: it is scattered below.
				steps := rapid.SliceOfN(rapid.Uint32(), 300, 300).Draw(rt, "steps")
				diff := ""
				synctest.Test(t, func(t *testing.T) {
					c := newChoosing(t, o, seen)
					for i, step := range steps {
						if diff = c.step(int(step * 40503 >> 2)); diff != "" {
							diff = fmt.Sprintf("step %d: %s", i, diff)
							return
						}
					}
				})
				if diff != "" {
					rt.Fatal(diff)
				}
			})
			t.Logf("%v", seen)
			for _, what := range []string{"closed", "open", "half-open", "skipped", "recovered"} {
				if seen[what] < 20 {
					t.Errorf("got %d of %q, too few to tell anything", seen[what], what)
				}
			}
		})
	}
}

func newChoosing(t *testing.T, o plan.LoadBalancer, seen map[string]int) *choosing {
	c := &choosing{options: o, balancer: balancer(t, o), known: judging(), seen: seen,
		models: map[*balance.Host]*modelHost{}, sessions: map[string]*balance.Host{}}
	c.all = c.balancer.Hosts("http", []plan.Host{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}})
	c.listed = c.all[:3]
	for _, h := range c.all {
		c.models[h] = &modelHost{}
	}
	return c
}

// step does what a number stands for, and returns what is wrong then.
func (c *choosing) step(n int) string {
	what, n := n%64, n/64
	switch {
	case what < 24:
		if diff := c.request(fmt.Sprint(n % 3)); diff != "" {
			return diff
		}
	case what < 51:
		c.result(n)
	case what < 63:
		time.Sleep(time.Duration(1+n%11) * time.Second)
	default:
		c.list(n)
	}
	troubled := slices.ContainsFunc(c.all, func(h *balance.Host) bool { return !c.models[h].until.IsZero() })
	if got := c.known.Troubled(); got != troubled {
		return fmt.Sprintf("got troubled %v, want %v", got, troubled)
	}
	return ""
}

func (c *choosing) request(sid string) string {
	var well []*balance.Host
	for _, h := range c.listed {
		if c.models[h].admits() {
			well = append(well, h)
		}
	}
	got := c.balancer.PickHealthy(c.listed, &http.Request{Header: http.Header{"Cookie": {"sid=" + sid}}}, c.known)
	m, was := c.models[got.Host], c.sessions[sid]
	c.sessions[sid] = got.Host
	c.seen[got.State.String()]++
	c.seen["skipped"] += got.Skipped
	judged := len(well) > 0
	want := breaker.Closed
	switch {
	case !judged:
		want = breaker.Open
	case !m.until.IsZero():
		want = breaker.HalfOpen
	}
	switch {
	case judged && !slices.Contains(well, got.Host):
		return fmt.Sprintf("chose %s, which is not well, while %d are", got.Host.Address, len(well))
	case got.State != want:
		return fmt.Sprintf("got %v, want %v", got.State, want)
	case c.options.Key != "" && was != got.Host && slices.Contains(well, was):
		return "a session left " + was.Address + ", which is well"
	}
	if want == breaker.HalfOpen {
		m.probing = true
		m.life++
	}
	c.flights = append(c.flights, flight{got, m.life, judged})
	return ""
}

func (c *choosing) result(n int) {
	if len(c.flights) == 0 {
		return
	}
	i := n / 5 % len(c.flights)
	if n%2 == 0 { // mostly nothing is late
		i = len(c.flights) - 1
	}
	f := c.flights[i]
	c.flights = slices.Delete(c.flights, i, i+1)
	result := []breaker.Result{breaker.Failure, breaker.Failure, breaker.Success, breaker.Success, breaker.Ignored}[n%5]
	f.choice.Permit.Report(breaker.Outcome{Result: result})
	f.choice.Host.Release()
	if !f.judged {
		return
	}
	m := c.models[f.choice.Host]
	before := m.until.IsZero()
	m.take(f.life, result)
	if !before && m.until.IsZero() {
		c.seen["recovered"]++
	}
}

// list has a service have other hosts; those that go are forgotten.
func (c *choosing) list(n int) {
	first := n % 3
	c.listed = c.all[first : first+1+n/3%(4-first)]
	keys := make([]health.Key, len(c.listed))
	for i, h := range c.listed {
		keys[i] = h.Key()
	}
	c.known.Keep(keys)
	for _, h := range c.all {
		if !slices.Contains(c.listed, h) {
			c.models[h] = &modelHost{life: c.models[h].life + 1000}
		}
	}
}
