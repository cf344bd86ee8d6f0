package chaos_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/chaos"
	"github.com/margay-dev/margay/runtime/pollytest"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// number is a JSON number or "NaN".
type number float64

func (n *number) UnmarshalJSON(text []byte) error {
	if string(text) == `"NaN"` {
		*n = number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// decision is the input of one recorded decision.
type decision struct {
	InjectionRate, RateGenerator *number
	Enabled, EnabledGenerator    *bool
	Random                       float64
}

func (d decision) injection() *chaos.Injection {
	i := &chaos.Injection{Randomizer: func() float64 { return d.Random }}
	if d.InjectionRate != nil {
		i.InjectionRate = float64(*d.InjectionRate)
	}
	if d.RateGenerator != nil {
		i.InjectionRateGenerator = func(context.Context) float64 { return float64(*d.RateGenerator) }
	}
	if d.Enabled != nil {
		i.Disabled = !*d.Enabled
	}
	if d.EnabledGenerator != nil {
		i.EnabledGenerator = func(context.Context) bool { return *d.EnabledGenerator }
	}
	return i
}

func TestOraclePollyOther(t *testing.T) {
	tally := oracletest.NewTally("polly-other")
	pollytest.EachOther(t, "runtime/chaos", func(rec pollytest.Other) {
		var got, want string
		switch rec.Kind {
		case "chaos-decide":
			var in decision
			var out struct{ Inject bool }
			pollytest.Decode(t, rec.Input, &in)
			pollytest.Decode(t, rec.Result, &out)
			inject, err := in.injection().ShouldInject(t.Context())
			got, want = fmt.Sprint(inject, err), fmt.Sprint(out.Inject, nil)
		case "chaos-order":
			var out struct {
				Order     []string
				Outcome   string
				EndedAtMs int64
			}
			p := &player{}
			pollytest.Decode(t, rec.Input, &p.input)
			pollytest.Decode(t, rec.Result, &out)
			synctest.Test(t, p.run)
			got, want = fmt.Sprint(p.order, p.outcome, p.endedAt), fmt.Sprint(out.Order, out.Outcome, out.EndedAtMs)
		}
		if got != want {
			tally.Differ(rec.Kind, rec.ID, "%s: got %s, want %s", rec.Input, got, want)
			return
		}
		tally.Agree(rec.Kind)
	})
	tally.Report(t)
}

var (
	errFail   = errors.New("FailEx")
	errThrown = errors.New("faulted:InvalidOperationException")
	errCaller = errors.New("cancelled")
)

// player runs one call under one strategy and logs what is asked in which
// order. The caller gives up where the input says.
type player struct {
	input struct {
		Strategy, Enabled, CancelIn string
		InjectionRate               float64
	}
	cancel  context.CancelCauseFunc
	start   time.Time
	order   []string
	outcome string
	endedAt int64
}

func (p *player) now() int64 { return time.Since(p.start).Milliseconds() }

func (p *player) step(name string) {
	p.order = append(p.order, name)
	if p.input.CancelIn == name {
		p.cancel(errCaller)
	}
}

// injected logs the event and the callback, which are one hook here.
func (p *player) injected(kind telemetry.Kind, name string) {
	p.event(kind, name)
	p.step("injected")
}

func (p *player) event(kind telemetry.Kind, name string) {
	p.order = append(p.order, fmt.Sprintf("telemetry:%s/%s/%s", kind, kind.Severity(), name))
}

func (p *player) run(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	p.cancel, p.start = cancel, time.Now()
	if p.input.CancelIn == "before" {
		cancel(errCaller)
	}
	p.outcome = p.text(func() (string, error) {
		return chaos.Do(ctx, p.chaos(), func(context.Context) (string, error) {
			p.order = append(p.order, fmt.Sprintf("callee@%d", p.now()))
			return "ok", nil
		})
	})
	p.endedAt = p.now()
}

// text returns an outcome; a panic is what throwing is there.
func (p *player) text(f func() (string, error)) (outcome string) {
	defer func() {
		if v := recover(); v != nil {
			outcome = fmt.Sprint(v)
		}
	}()
	v, err := f()
	if err != nil {
		return err.Error()
	}
	return v
}

func (p *player) injection() chaos.Injection {
	i := chaos.Injection{
		Disabled:               p.input.Enabled == "false",
		InjectionRateGenerator: func(context.Context) float64 { p.step("rate"); return p.input.InjectionRate },
		Randomizer:             func() float64 { p.step("random"); return 0.5 },
	}
	if answer, ok := strings.CutPrefix(p.input.Enabled, "gen-"); ok {
		i.EnabledGenerator = func(context.Context) bool { p.step("enabled"); return answer == "true" }
	}
	return i
}

func (p *player) chaos() *chaos.Chaos[string] {
	kind, variant, _ := strings.Cut(p.input.Strategy, "-")
	switch kind {
	case "fault":
		return &chaos.Chaos[string]{Fault: p.fault(variant)}
	case "outcome":
		return &chaos.Chaos[string]{Outcome: p.anOutcome(variant)}
	case "latency":
		return &chaos.Chaos[string]{Latency: p.latency(variant)}
	case "behavior":
		return &chaos.Chaos[string]{Behavior: p.behavior(variant)}
	}
	panic("unknown strategy " + p.input.Strategy)
}

func (p *player) fault(variant string) *chaos.Fault {
	return &chaos.Fault{
		Injection: p.injection(),
		FaultGenerator: func(context.Context) error {
			p.step("generator")
			switch variant {
			case "null":
				return nil
			case "throws":
				panic(errThrown)
			}
			return errFail
		},
		OnFault: func(context.Context, error) { p.injected(telemetry.ChaosOnFault, "Chaos.Fault") },
	}
}

func (p *player) anOutcome(variant string) *chaos.Outcome[string] {
	return &chaos.Outcome[string]{
		Injection: p.injection(),
		OutcomeGenerator: func(context.Context) (string, error, bool) {
			p.step("generator")
			switch variant {
			case "null":
				return "", nil, false
			case "exception":
				return "", errFail, true
			}
			return "chaos", nil, true
		},
		OnOutcome: func(context.Context, string, error) { p.injected(telemetry.ChaosOnOutcome, "Chaos.Outcome") },
	}
}

func (p *player) latency(variant string) *chaos.Latency {
	latency := map[string]time.Duration{"": 3 * time.Second, "0": 0, "neg": -time.Second}[variant]
	return &chaos.Latency{
		Injection:        p.injection(),
		LatencyGenerator: func(context.Context) time.Duration { p.step("generator"); return latency },
		OnLatency:        func(context.Context, time.Duration) { p.event(telemetry.ChaosOnLatency, "Chaos.Latency") },
		OnInjected: func(_ context.Context, d time.Duration) {
			p.order = append(p.order, fmt.Sprintf("latency=%d@%d", d.Milliseconds(), p.now()))
			p.step("injected")
		},
	}
}

// behavior's event is no kind of event of margay's telemetry, for no
// configuration can ask for a behavior.
func (p *player) behavior(variant string) *chaos.Behavior {
	return &chaos.Behavior{
		Injection: p.injection(),
		Behavior: func(context.Context) error {
			p.step("generator")
			if variant == "throws" {
				return errThrown
			}
			return nil
		},
		OnBehavior: func(context.Context) {
			p.order = append(p.order, "telemetry:Chaos.OnBehavior/Information/Chaos.Behavior")
			p.step("injected")
		},
	}
}

func TestOracleVectorsPollyChaos(t *testing.T) {
	tally := oracletest.NewTally("runtime-vectors")
	pollytest.EachVector(t, "polly-chaos", func(v pollytest.Vector) {
		var options decision
		var events []struct {
			decision
			Expect struct{ Inject bool }
		}
		pollytest.Decode(t, v.Options, &options)
		pollytest.Decode(t, v.Events, &events)
		for i, e := range events {
			d := e.decision
			d.InjectionRate, d.Enabled = options.InjectionRate, options.Enabled
			if got, err := d.injection().ShouldInject(t.Context()); got != e.Expect.Inject || err != nil {
				tally.Differ(v.Semantics, v.ID, "event %d: got %v, %v, want %v", i, got, err, e.Expect.Inject)
				return
			}
		}
		tally.Agree(v.Semantics)
	})
	tally.Report(t)
}

func TestOraclePollyValidation(t *testing.T) {
	tally := oracletest.NewTally("polly-validation")
	strategies := []string{"chaos-latency", "chaos-latency-shortcut", "chaos-fault"}
	pollytest.EachValidation(t, strategies, func(v pollytest.Validation) {
		c := chaos.Chaos[int]{Latency: &chaos.Latency{Injection: chaos.Injection{InjectionRate: chaos.DefaultInjectionRate}}}
		switch v.Option {
		case "InjectionRate", "AddChaosLatency":
			text, _, _ := strings.Cut(v.Value, ",")
			rate, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			c.Latency.InjectionRate = rate
		case "Latency":
			c.Latency.Latency = pollytest.TimeSpan(t, v.Value)
		case "FaultGenerator unset", "Randomizer", "LatencyGenerator", "InjectionRateGenerator", "EnabledGenerator": // nil is the default here
			tally.Excuse(v.Strategy)
			return
		case "defaults":
		default:
			tally.Differ(v.Strategy, v.ID, "got the unknown option %q", v.Option)
			return
		}
		if err := c.Validate(); (err == nil) != v.Valid {
			tally.Differ(v.Strategy, v.ID, "%s %s: got %v, want valid %v", v.Option, v.Value, err, v.Valid)
			return
		}
		tally.Agree(v.Strategy)
	})
	tally.Report(t)
}
