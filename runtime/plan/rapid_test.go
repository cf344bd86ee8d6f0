package plan_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/runtime/plan"
)

// TestFullIsFull keeps full honest: a member that it leaves unset would be one
// that no test writes and reads.
func TestFullIsFull(t *testing.T) {
	p := full()
	p.Routes[0].Breaker.Expression = "set by the second route"
	second := p.Routes[1].Breaker
	p.Routes[0].Breaker.CheckPeriod, p.Routes[0].Breaker.ResponseCode = second.CheckPeriod, second.ResponseCode
	p.Routes[0].PassiveHealth = p.Routes[0].Breaker // of the same type
	p.Routes[0].Breaker.FallbackDuration, p.Routes[0].Breaker.RecoveryDuration = second.FallbackDuration, second.RecoveryDuration
	p.Routes = p.Routes[:1]
	p.Aggregates[0].Match = p.Routes[0].Match
	p.Routes[0].Claims.ToHeaders, p.Routes[0].Claims.ToQuery, p.Routes[0].Claims.ToPath = p.Routes[0].Claims.ToClaims, p.Routes[0].Claims.ToClaims, p.Routes[0].Claims.ToClaims
	p.Routes[0].ResponseHeaders = p.Routes[0].RequestHeaders
	expectSet(t, "plan", reflect.ValueOf(p))
}

func expectSet(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	if v.IsZero() {
		t.Errorf("%s is not set", path)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		expectSet(t, path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			expectSet(t, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			expectSet(t, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	}
}

// TestAnyPlanSurvivesJSON writes and reads random valid plans.
func TestAnyPlanSurvivesJSON(t *testing.T) {
	schema := compileSchema(t)
	rapid.Check(t, func(t *rapid.T) {
		want := drawPlan(t)
		var b bytes.Buffer
		if err := want.Encode(&b); err != nil {
			t.Fatal(err)
		}
		if err := validate(schema, b.Bytes()); err != nil {
			t.Fatal(err)
		}
		got, err := plan.Decode(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got\n%+v\nwant\n%+v", got, want)
		}
	})
}

func drawPlan(t *rapid.T) *plan.Plan {
	p := &plan.Plan{
		Version:         plan.Version,
		Profile:         plan.Profile{Provider: rapid.SampledFrom([]plan.Provider{plan.Builtin, plan.Polly, plan.NoProvider}).Draw(t, "provider")},
		BaseURL:         rapid.String().Draw(t, "base"),
		RequestIDHeader: "X-Request-Id",
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "routes") {
		p.Routes = append(p.Routes, drawRoute(t, i))
	}
	return p
}

func drawRoute(t *rapid.T, i int) plan.Route {
	r := full().Routes[0]
	r.ID = fmt.Sprintf("#%d %s", i, rapid.String().Draw(t, "id"))
	r.Name = rapid.String().Draw(t, "name")
	r.Circuit = ""
	r.Breaker = drawBreaker(t)
	if r.PassiveHealth = drawBreaker(t); r.PassiveHealth != nil && r.PassiveHealth.Kind == plan.Expression {
		r.PassiveHealth = nil
	}
	r.Failures = drawFailures(t)
	r.AttemptTimeout = plan.Millis(rapid.Int64Range(0, int64(plan.MaxMillis)).Draw(t, "attempt"))
	r.OuterTimeout = drawPointer(t, 1)
	r.Retry.Delay = plan.Millis(rapid.Int64Range(0, 86_400_000).Draw(t, "delay"))
	r.Retry.MaxRetryAfter = drawPointer(t, 0)
	r.Retry.Budget.RetryRatio = rapid.Float64Range(0, 1).Draw(t, "budget")
	r.ProblemDetails = rapid.Bool().Draw(t, "problem")
	r.RequestHeaders[0].Find = rapid.StringN(1, 8, -1).Draw(t, "find")
	for _, off := range rapid.SliceOfN(rapid.IntRange(0, 7), 0, 4).Draw(t, "off") {
		switchOff(&r, off)
	}
	return r
}

func switchOff(r *plan.Route, part int) {
	switch part {
	case 0:
		r.Retry = nil
	case 1:
		r.Limiter = nil
	case 2:
		r.Fallback = nil
	case 3:
		r.Chaos = nil
	case 4:
		r.Claims = nil
	case 5:
		r.Match.Methods = nil
	case 6:
		r.Origins = nil
	case 7:
		r.Backend.Handler = plan.Handler{}
	}
}

func drawPointer(t *rapid.T, low int64) *plan.Millis {
	if rapid.Bool().Draw(t, "unset") {
		return nil
	}
	m := plan.Millis(rapid.Int64Range(low, int64(plan.MaxMillis)).Draw(t, "millis"))
	return &m
}

func drawBreaker(t *rapid.T) *plan.Breaker {
	count := rapid.IntRange(2, 1<<31-1).Draw(t, "throughput")
	pause := plan.Millis(rapid.Int64Range(500, 86_400_000).Draw(t, "break"))
	switch kind := rapid.SampledFrom([]plan.BreakerKind{"", plan.Consecutive, plan.Ratio, plan.PollyRatio, plan.Expression}).Draw(t, "kind"); kind {
	case "":
		return nil
	case plan.Consecutive:
		return &plan.Breaker{Kind: kind, MinimumThroughput: count, BreakDuration: pause}
	case plan.Expression:
		return &plan.Breaker{Kind: kind, Expression: rapid.StringN(1, 9, -1).Draw(t, "expression"), CheckPeriod: pause,
			FallbackDuration: pause, RecoveryDuration: pause, ResponseCode: rapid.IntRange(200, 599).Draw(t, "code")}
	default:
		return &plan.Breaker{Kind: kind, MinimumThroughput: count, BreakDuration: pause, SamplingDuration: pause,
			FailureRatio: rapid.Float64Range(1e-9, 1).Draw(t, "ratio")}
	}
}

func drawFailures(t *rapid.T) plan.Failures {
	f := plan.Failures{
		TransportErrors: rapid.SampledFrom([]plan.Verdict{plan.Failure, plan.Success}).Draw(t, "transport"),
		Timeouts:        rapid.SampledFrom([]plan.Verdict{"", plan.Failure, plan.Success}).Draw(t, "timeouts"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "ranges") {
		first := rapid.IntRange(100, 999).Draw(t, "first")
		f.StatusCodes = append(f.StatusCodes, plan.StatusRange{First: first, Last: rapid.IntRange(first, 999).Draw(t, "last")})
	}
	return f
}

func BenchmarkDecode(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}}
			for i := range n {
				r := full().Routes[0]
				r.ID, r.Circuit, *r.OuterTimeout = fmt.Sprintf("GET /a%d/{x}", i), "", 1000
				p.Routes = append(p.Routes, r)
			}
			text := encode(b, p)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := plan.Decode(bytes.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
