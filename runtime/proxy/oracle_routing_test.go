package proxy_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/runtime/listen"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestOracleRoutingAnswers replays every recorded request: what the client gets,
// and what reaches the backends. It does so over sockets; where the answer
// depends on when things happen, in memory and on a clock of its own.
func TestOracleRoutingAnswers(t *testing.T) {
	replayAll(t, "routing over sockets", proxy.Options{})
}

// TestOracleRoutingAnswersByTheLibrary does so with the library's transport.
func TestOracleRoutingAnswersByTheLibrary(t *testing.T) {
	replayAll(t, "routing over sockets by the library", proxy.Options{Library: true})
}

// routingFile holds the recorded requests.
const routingFile = "routing.jsonl.gz"

// players is how many cases are replayed at the same time.
const players = 4

func replayAll(t *testing.T, name string, o proxy.Options) {
	tally := oracletest.NewTally(name)
	var mu sync.Mutex
	var wg sync.WaitGroup
	queue := make(chan []*routingRecord)
	var timed [][]*routingRecord
	give := func(batch []*routingRecord) {
		if slices.ContainsFunc(batch, (*routingRecord).isTimed) {
			timed = append(timed, batch)
		} else if len(batch) > 0 {
			queue <- batch
		}
	}
	for range players {
		s := newStage(t)
		defer s.close()
		wg.Go(func() {
			for batch := range queue {
				all := replayBatch(s, batch, o)
				mu.Lock()
				for _, v := range all {
					v.count(tally)
				}
				mu.Unlock()
			}
		})
	}
	var batch []*routingRecord
	oracletest.Each(t, routingFile, func(rec routingRecord) {
		if len(rec.Unstable) > 0 || rec.Websocket != nil {
			return
		}
		if len(batch) > 0 && (batch[0].Config != rec.Config || !strings.Contains(rec.Config, "CacheOptions")) {
			give(batch)
			batch = nil
		}
		batch = append(batch, &rec) // those that share what guards keep stay together
	})
	give(batch)
	close(queue)
	wg.Wait()
	recorded := oracletest.Bytes(t, routingFile)
	for _, batch := range timed {
		for _, v := range replayOnClock(t, batch, o, recorded) {
			v.count(tally)
		}
	}
	tally.Report(t)
}

// tries is how often a case may be replayed until it agrees. Nothing of it goes
// by the clock; but a busy system may tell two sides of a connection of each
// other in an order that no other has.
const tries = 3

func replayBatch(s *stage, batch []*routingRecord, o proxy.Options) (all []*verdicts) {
	for range tries {
		all = nil
		own := guarded(batch[0], o)
		sound := true
		for _, rec := range batch {
			v := replayRouting(s, rec, own)
			all, sound = append(all, v), sound && len(v.differ) == 0
		}
		if sound {
			break
		}
	}
	return all
}

// verdicts are the outcomes of the steps of one record.
type verdicts struct {
	record *routingRecord
	agreed int
	excuse []string
	differ []string // step and differences
}

func (v *verdicts) group() string { return fmt.Sprintf("group %02d", v.record.Group) }

func (v *verdicts) count(t *oracletest.Tally) {
	for range v.agreed {
		t.Agree(v.group())
	}
	for _, e := range v.excuse {
		t.Excuse(v.group() + " " + e)
	}
	for _, d := range v.differ {
		t.Differ(v.group(), v.record.ID, "%s", d)
	}
}

// stagedGateway is a proxy on a socket.
type stagedGateway struct {
	proxy   *proxy.Proxy
	server  interface{ Close() error }
	address string
}

func (g *stagedGateway) close() {
	g.server.Close()
	g.proxy.Close()
}

// compileRecorded makes a plan of a configuration.
func compileRecorded(config string, extras *gatewayExtras, ports func(string) string) (p *plan.Plan, partial bool, err error) {
	of := profile.Profile{Version: "25.0", Provider: profile.None, Schemes: extras.Schemes}
	switch extras.QoS {
	case "polly":
		of.Provider = profile.Polly
	case "built-in":
		of.Provider = profile.Builtin
	}
	if of.Schemes == nil {
		of.Schemes = []string{}
	}
	p, partial, err = planOf(ports(config), of)
	if err != nil {
		return nil, false, err
	}
	if p.Discovery == nil || !strings.EqualFold(p.Discovery.Type, extras.Provider) {
		return p, partial, nil // another provider, which is not registered
	}
	for name, hosts := range extras.Services {
		s := plan.Service{Name: name}
		if namespace, service, ok := strings.Cut(name, "."); ok {
			s.Namespace, s.Name = namespace, service
		}
		for _, h := range hosts {
			host, port, _ := net.SplitHostPort(ports(h))
			number := 0
			fmt.Sscan(port, &number)
			s.Hosts = append(s.Hosts, plan.Host{Name: host, Port: number})
		}
		if len(s.Hosts) > 0 {
			p.Services = append(p.Services, s)
		}
	}
	slices.SortFunc(p.Services, func(a, b plan.Service) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return p, partial, nil
}

// planOf makes a plan of a configuration. Routes with a value that cannot work,
// for which margay makes no plan, are left out (difference unusable-value).
func planOf(config string, of profile.Profile) (p *plan.Plan, partial bool, err error) {
	p, err = planOfWhole(config, of)
	if err == nil || !errors.Is(err, errNoPlan) {
		return p, false, err
	}
	var all map[string]any
	if err := json.Unmarshal([]byte(config), &all); err != nil {
		return nil, false, err
	}
	routes, _ := all["Routes"].([]any)
	var sound []any
	for _, r := range routes {
		all["Routes"] = []any{r}
		alone, _ := json.Marshal(all)
		if _, err := planOfWhole(string(alone), of); err == nil {
			sound = append(sound, r)
		}
	}
	if len(sound) == 0 {
		return nil, false, err
	}
	all["Routes"] = sound
	rest, _ := json.Marshal(all)
	p, err = planOfWhole(string(rest), of)
	return p, true, err
}

var errNoPlan = errors.New("no plan")

func planOfWhole(config string, of profile.Profile) (*plan.Plan, error) {
	in := load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", []byte(config))}
	r, err := emit.Compile(context.Background(), in, emit.Options{Profile: of})
	if err != nil {
		return nil, err
	}
	if !r.Starts() {
		return nil, fmt.Errorf("does not start: %v", r.Startup)
	}
	p, found := emit.Plan(r)
	if p == nil {
		return nil, fmt.Errorf("%w: %v", errNoPlan, found.Sorted())
	}
	return p, nil
}

func startRecorded(s *stage, rec *routingRecord, o proxy.Options) (*stagedGateway, error) {
	l, err := s.open()
	if err != nil {
		return nil, err
	}
	ports := func(text string) string { return strings.ReplaceAll(s.ports(text), "{{GW}}", port(l)) }
	p, partial, err := compileRecorded(rec.Config, &rec.Gateway, ports)
	rec.partial = partial
	if err != nil {
		l.Close()
		return nil, err
	}
	o.Dial = s.dialer(rec.Expect.Downstream != nil && slices.ContainsFunc(configured(rec.Config).Routes, configuredRoute.isPortless))
	x, err := proxy.New(p, o)
	if err != nil {
		l.Close()
		return nil, err
	}
	limits := listen.Limits{BodyBytes: rec.Gateway.MaxBody}
	server := listen.New(l, x, listen.Options{Limits: limits, PlainHTTP2: true})
	go server.Serve()
	return &stagedGateway{x, server, l.Addr().String()}, nil
}

func replayRouting(s *stage, rec *routingRecord, o proxy.Options) *verdicts {
	v := &verdicts{record: rec}
	s.play(script{})
	g, err := startRecorded(s, rec, o)
	if err != nil {
		switch {
		case len(rec.StartError) > 0:
			v.agreed++
		case errors.Is(err, errNoPlan) && slices.ContainsFunc(configured(rec.Config).Routes, configuredRoute.injects):
			v.excuse = append(v.excuse, "header-injection")
		case errors.Is(err, errNoPlan) && slices.ContainsFunc(configured(rec.Config).Routes, configuredRoute.unusable):
			v.excuse = append(v.excuse, "unusable-value")
		default:
			v.differ = append(v.differ, "start: "+err.Error())
		}
		return v
	}
	defer g.close()
	known := differences()
	if o.Library {
		known = append(known, libraryDifferences...)
	}
	steps := rec.Steps
	if steps == nil {
		steps = []routingStep{rec.routingStep}
	}
	if rec.Mode == "overlapping" {
		v.replayOverlapping(s, g, steps, known)
		return v
	}
	past := newPast(rec.Config)
	for i := range steps {
		step := &steps[i]
		if step.Request == nil {
			break
		}
		if step.Reload != nil {
			past.stale = g.reload(s, rec, *step.Reload) != nil
			past.reloads++
			if !past.stale {
				past.settings = configured(*step.Reload)
			}
		}
		pause(step.Request.WaitBefore)
		if len(step.Unstable) > 0 {
			continue
		}
		if step.Request.isReused() {
			s.play(script{})
			if _, err := s.ask(g.address, step.Request, g.ports(s)); err != nil {
				v.differ = append(v.differ, err.Error())
				return v
			}
		}
		owed := promised(rec, step, i, g, s, past, known)
		began := time.Now()
		s.play(step.Upstream)
		got, err := s.ask(g.address, step.Request, g.ports(s))
		if err != nil {
			v.differ = append(v.differ, err.Error())
			return v
		}
		v.judge(&comparison{promise: owed, record: rec, step: step, got: got, seen: s.seen(), names: s.names}, i)
		if len(owed.contacts) > 0 {
			past.asked = began
		}
	}
	return v
}

// ports puts port numbers in place of their names, the gateway's too.
func (g *stagedGateway) ports(s *stage) func(string) string {
	own := g.address[strings.LastIndexByte(g.address, ':')+1:]
	return func(text string) string { return strings.ReplaceAll(s.ports(text), "{{GW}}", own) }
}

// reload puts another configuration in force, unless it is refused.
func (g *stagedGateway) reload(s *stage, rec *routingRecord, config string) error {
	p, _, err := compileRecorded(config, &rec.Gateway, g.ports(s))
	if err != nil {
		return err
	}
	return g.proxy.Swap(p)
}

// replayOverlapping sends requests at their times, beside each other.
func (v *verdicts) replayOverlapping(s *stage, g *stagedGateway, steps []routingStep, known []difference) {
	if w := v.record.Warmup; w != nil {
		s.play(w.Upstream)
		if _, err := s.ask(g.address, w.Request, g.ports(s)); err != nil {
			v.differ = append(v.differ, err.Error())
			return
		}
	}
	s.play(steps[0].Upstream)
	answers := make([]*answer, len(steps))
	var wg sync.WaitGroup
	for i := range steps {
		wg.Go(func() {
			pause(steps[i].Request.StartAt)
			answers[i], _ = s.ask(g.address, steps[i].Request, g.ports(s))
		})
	}
	wg.Wait()
	seen := s.seen()
	past := newPast(v.record.Config)
	for i := range steps {
		if answers[i] == nil {
			v.differ = append(v.differ, "no answer")
			continue
		}
		c := comparison{promise: promised(v.record, &steps[i], i, g, s, past, known), record: v.record, step: &steps[i], got: answers[i], names: s.names}
		for _, contact := range seen {
			if d := steps[i].Expect.Downstream; d != nil && contact.Target == d.Target {
				c.seen = append(c.seen, contact)
			}
		}
		v.judge(&c, i)
	}
}

// judge counts one step.
func (v *verdicts) judge(c *comparison, i int) {
	c.compare()
	switch names := c.promise.names; {
	case len(c.diffs) > 0:
		text := fmt.Sprintf("step %d, promised by %q:", i, names)
		for _, d := range c.diffs {
			text += "\n        " + d.String()
		}
		v.differ = append(v.differ, text)
	case len(names) > 0:
		v.excuse = append(v.excuse, strings.Join(names, "+"))
	default:
		v.agreed++
	}
}
