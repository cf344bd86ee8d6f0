package proxy_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/schema/profile"
)

// playedStep is what a step brought.
type playedStep struct {
	outcome  string // "response", "client-aborted" or "none"
	status   int
	reason   string
	headers  [][2]string
	body     string
	complete bool
	answers  map[string]int
	inOrder  []string
	contacts map[string]int
}

// player plays one scenario on the clock of the test.
type player struct {
	rec     *traceRecord
	network *network
	proxy   *proxy.Proxy
	plans   map[int]*plan.Plan // of steps that write a configuration; nil: it is refused

	mu       sync.Mutex
	records  []proxy.Record           // guarded by mu
	open     map[string][]*memoryConn // guarded by mu: connections by upstream
	current  int                      // guarded by mu: the step whose script is played
	contacts []map[string]int         // guarded by mu: by step
	used     map[int]int              // guarded by mu: answers of a sequence by step
	down     map[string]net.Listener  // guarded by mu
}

const gatewayAddress = "gateway:80"

// tracePort gives upstreams port numbers.
func tracePort(name string) int { return 9001 + int(name[len(name)-1]-'a') }

// tracePlan compiles a configuration of a scenario.
func tracePlan(rec *traceRecord, config json.RawMessage) (*plan.Plan, error) {
	text := string(config)
	for name := range rec.Upstreams {
		text = strings.ReplaceAll(text, `"<port:`+name+`>"`, fmt.Sprint(tracePort(name)))
	}
	of := profile.Profile{Version: "25.0", Provider: profile.None, Schemes: []string{}}
	for _, call := range rec.Register { // each replaces what the one before registered
		switch {
		case strings.HasPrefix(call, "AddPolly"):
			of.Provider = profile.Polly
		case strings.HasPrefix(call, "AddQualityOfService"):
			of.Provider = profile.Builtin
		}
	}
	p, _, err := planOf(text, of)
	if err != nil {
		return nil, err
	}
	for _, call := range rec.Register {
		if strings.Contains(call, "429 and 500..599") {
			for i := range p.Routes {
				p.Routes[i].Failures.StatusCodes = []plan.StatusRange{{First: 429, Last: 429}, {First: 500, Last: 599}}
			}
		}
	}
	return p, p.Check()
}

// recordedDiscovery is the provider of the recorder: it looks at names alone.
type recordedDiscovery map[string][]string

func (d recordedDiscovery) Find(_ context.Context, service, _ string) (string, []plan.Host, error) {
	var hosts []plan.Host
	for _, up := range d[service] {
		hosts = append(hosts, plan.Host{Name: "127.0.0.1", Port: tracePort(up)})
	}
	return "", hosts, nil
}

// play plays all steps and returns what each brought.
func (y *player) play(first *plan.Plan, o proxy.Options) ([]playedStep, error) {
	y.network = newNetwork()
	y.contacts = make([]map[string]int, len(y.rec.Steps))
	y.open = map[string][]*memoryConn{}
	y.used, y.down = map[int]int{}, map[string]net.Listener{}
	o.Dial, o.Discovery = y.network.dial, recordedDiscovery(y.rec.Discovery)
	o.Done = func(_ context.Context, r *proxy.Record) {
		y.mu.Lock()
		defer y.mu.Unlock()
		y.records = append(y.records, *r)
	}
	var err error
	if y.proxy, err = proxy.New(first, o); err != nil {
		return nil, err
	}
	defer y.proxy.Close()
	for name, kind := range y.rec.Upstreams {
		if kind == "http" {
			y.raise(name)
		}
	}
	server := listen.New(y.network.listen(gatewayAddress), y.proxy, listen.Options{Limits: listen.Limits{BodyBytes: y.rec.MaxBody}})
	go server.Serve()
	defer server.Close()
	out := make([]playedStep, len(y.rec.Steps))
	start := time.Now()
	var background sync.WaitGroup
	for i := range y.rec.Steps {
		step := &y.rec.Steps[i]
		time.Sleep(time.Until(start.Add(time.Duration(step.At) * time.Millisecond)))
		run := func() { out[i] = y.step(i, step) }
		if step.Background {
			y.enter(i)
			background.Go(run)
			time.Sleep(time.Millisecond)
			continue
		}
		y.enter(i)
		run()
	}
	background.Wait()
	time.Sleep(5 * time.Second) // what was left behind ends
	for name := range y.rec.Upstreams {
		y.sink(name)
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	for i := range out {
		out[i].contacts = y.contacts[i]
	}
	return out, nil
}

func (y *player) enter(i int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.current = i
	y.contacts[i] = map[string]int{}
}

func (y *player) step(i int, step *traceStep) playedStep {
	switch {
	case step.SetUpstream != nil:
		for name, state := range step.SetUpstream {
			if y.sink(name); state == "up" {
				y.raise(name)
			}
		}
		return playedStep{}
	case step.WriteConfig != nil:
		if p := y.plans[i]; p != nil {
			if err := y.proxy.Swap(p); err != nil {
				return playedStep{outcome: err.Error()}
			}
		}
		return playedStep{}
	case step.Wait:
		return playedStep{}
	case step.Parallel > 0:
		return y.many(step)
	}
	return y.one(step)
}

// many sends a step several times.
func (y *player) many(step *traceStep) playedStep {
	out := playedStep{answers: map[string]int{}}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range step.Parallel {
		one := func() {
			p := y.one(step)
			mu.Lock()
			defer mu.Unlock()
			out.answers[fmt.Sprintf("%d %s | %s", p.status, p.reason, p.body)]++
			out.inOrder = append(out.inOrder, fmt.Sprint(p.status))
		}
		if step.Sequential {
			one()
		} else {
			wg.Go(one)
		}
	}
	wg.Wait()
	return out
}

// one sends a request and reads the answer.
func (y *player) one(step *traceStep) (out playedStep) {
	conn, err := y.network.dial(context.Background(), "", gatewayAddress)
	if err != nil {
		return playedStep{outcome: err.Error()}
	}
	defer conn.Close()
	var after int
	aborted := false
	switch {
	case strings.HasPrefix(step.Client, "abort after "):
		fmt.Sscanf(step.Client, "abort after %d", &after)
	case strings.HasPrefix(step.Client, "fin after "):
		fmt.Sscanf(step.Client, "fin after %d", &after)
	}
	if after > 0 {
		t := time.AfterFunc(time.Duration(after)*time.Millisecond, func() {
			aborted = true
			if strings.HasPrefix(step.Client, "abort") {
				conn.(*memoryConn).Reset()
			} else {
				conn.Close()
			}
		})
		defer t.Stop()
	}
	io.WriteString(conn, requestText(step))
	method := cmp.Or(step.Method, "GET")
	a := answer{}
	a.read(bufio.NewReader(conn), &recordedRequest{Method: method})
	out = playedStep{outcome: "response", status: a.status, reason: a.reason, headers: a.headers, body: string(a.body), complete: a.end == ""}
	if a.status == 0 {
		out.outcome = "none"
		if aborted {
			out.outcome = "client-aborted"
		}
	}
	return out
}

func requestText(step *traceStep) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/%s\r\n", cmp.Or(step.Method, "GET"), step.Path, cmp.Or(step.HTTP, "1.1"))
	if step.Headers["Host"] == "" {
		b.WriteString("Host: gw.example\r\n")
	}
	chunked := false
	for _, name := range slices.Sorted(maps.Keys(step.Headers)) {
		fmt.Fprintf(&b, "%s: %s\r\n", name, step.Headers[name])
		chunked = chunked || strings.EqualFold(name, "Transfer-Encoding")
	}
	body := step.Body
	if step.BodyBytes > 0 {
		body = strings.Repeat("x", step.BodyBytes)
	}
	if body != "" && !chunked && step.Headers["Content-Length"] == "" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	if step.WebSocket {
		b.WriteString("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
	}
	b.WriteString("\r\n" + body)
	return b.String()
}
