package normalize_test

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// startsLater says that a start fails for a reason that comes after binding, which
// is not this package's to tell: validation, or compiling the routes.
func (e *versionException) startsLater() bool {
	return e != nil && e.Type != "System.InvalidOperationException" && e.Type != "System.IO.InvalidDataException"
}

// versionComparison holds one gateway against a recording.
type versionComparison struct {
	gateway *normalize.Gateway
	// older says that the options have their old names.
	older bool
	// pipelines are the circuit keys in the order of first use, as the
	// recorder numbered them.
	pipelines []string
}

func (c *versionComparison) finder(want string) string {
	names := map[normalize.Finder]string{normalize.StaticFinder: "DownstreamRouteFinder", normalize.Discovery: "DiscoveryDownstreamRouteFinder"}
	if c.older {
		names[normalize.Discovery] = "DownstreamRouteCreator"
	}
	return unequal("finder", names[c.gateway.Finder], want)
}

// global compares the global section as a service without any group gets it.
func (c *versionComparison) global(want *versionAnswer) string {
	cfg := *c.gateway.Config
	cfg.Routes, cfg.Aggregates, cfg.DynamicRoutes = nil, nil, nil
	global := *cfg.Global
	global.ServiceDiscoveryProvider = &config.ServiceDiscoveryProvider{Port: config.Value[int32]{V: 1}}
	cfg.Global = &global
	route := normalize.Resolve(&cfg, c.gateway.Profile).Routes[0]
	return firstText(
		unequal("global options", c.options(&route), *want.GlobalQoS),
		unequal("global activity", route.Active, want.GlobalUse))
}

func (c *versionComparison) routes(want []versionRoute) string {
	static := c.gateway.Routes[:len(c.gateway.Config.Routes)]
	if len(static) != len(want) {
		return fmt.Sprintf("got %d static routes want %d", len(static), len(want))
	}
	for i := range static {
		want := &want[i]
		got := c.route(&static[i], want)
		got.I = i
		if want.LBKHash == "" {
			got.Upstream, got.Key = optional(static[i].Static.UpstreamPathTemplate), optional(static[i].Key())
		}
		if diff := unequal("", *got, *want); diff != "" {
			return fmt.Sprintf("route %d: %s", i, diff)
		}
	}
	return ""
}

// dynamic looks the recorded requests up in their order. A route that a
// request made serves all later ones with its load-balancing key.
func (c *versionComparison) dynamic(want []versionRoute) string {
	made := map[string]normalize.Lookup{}
	for i := range want {
		want := &want[i]
		request := want.Request
		if request == "" {
			request = unlistedRequest
		}
		method, path, _ := strings.Cut(request, " ")
		found, ok := c.gateway.LookupFor(method, path)
		if !ok {
			return "no route for " + path
		}
		asked := found
		if earlier, ok := made[found.LoadBalancerKey()]; ok {
			found = earlier
		}
		made[found.LoadBalancerKey()] = found
		got := c.route(&found.Route, want)
		got.Request, got.Listed = want.Request, asked.Route.Kind == normalize.Dynamic
		if want.LBKHash == "" {
			got.Service, got.Namespace = &asked.Service, nonEmpty(asked.Namespace)
		}
		if diff := unequal("", *got, *want); diff != "" {
			return fmt.Sprintf("request %d: %s", i, diff)
		}
	}
	return ""
}

// unlistedRequest is what was asked of real files that have no static routes.
const unlistedRequest = "GET /svc-unlisted/p"

func nonEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (c *versionComparison) route(r *normalize.Route, want *versionRoute) *versionRoute {
	got := c.answer(r, want)
	if want.LBKHash != "" {
		got.LBK, got.LBKHash = "", fmt.Sprintf("%x", sha256.Sum256([]byte(got.LBK)))[:len(want.LBKHash)]
		got.RouteName = ""
	}
	return got
}

func (c *versionComparison) answer(r *normalize.Route, want *versionRoute) *versionRoute {
	got := &versionRoute{
		QoS: c.options(r), UseQoS: r.Active, RouteTimeout: optional(r.RouteTimeout.Value), LBK: r.LoadBalancerKey(),
		Outer: outerOf(r), HandlerError: want.HandlerError, Handler: r.Active,
	}
	if failure := r.Failure(); failure != nil && len(failure.Refused) == 0 && want.HandlerError != nil {
		got.Outer, got.Handler = nil, want.Handler
		got.HandlerError = &versionException{failure.Exception, failure.Message, nil}
		return got
	}
	if r.Active {
		c.pipeline(got, r, want)
	}
	if text := r.OuterWarning(); text != "" {
		got.Logs = append(got.Logs, want.logged("Warning", text))
	}
	if got.Same == nil {
		for _, log := range r.PollyLogs() {
			got.Logs = append(got.Logs, want.logged(log.Level, log.Text))
		}
	}
	return got
}

// logged writes a line as the recorder did: of real files its level alone.
func (r *versionRoute) logged(level, text string) string {
	if r.LBKHash != "" {
		return level
	}
	return level + ": " + shortened(text)
}

// pipeline fills in what the provider builds.
func (c *versionComparison) pipeline(got *versionRoute, r *normalize.Route, want *versionRoute) {
	owner := r
	if r.SharedWith >= 0 {
		owner = &c.gateway.Routes[r.SharedWith]
	}
	if r.SharedWith < 0 && r.Refused != nil {
		failure := r.Failure()
		got.StrategyError = &versionException{failure.Exception, failure.Message, nil}
		if want.RouteName != "" { // the recorder noted it in some programs only
			got.RouteName = c.routeName(r)
		}
		return
	}
	if c.gateway.Profile.Provider != profile.Polly {
		got.Strategies = c.strategies(r)
		return
	}
	got.RouteName = c.routeName(r)
	if want.None != "" {
		if got.None = "null"; r.HasPipeline() {
			got.None = "there is one"
		}
		return
	}
	key := r.CircuitKey()
	if at := slices.Index(c.pipelines, key); at >= 0 {
		got.Same = &at
	} else {
		at := len(c.pipelines)
		c.pipelines = append(c.pipelines, key)
		got.Pipeline = &at
	}
	got.Strategies = c.strategies(owner)
}

// routeName returns DownstreamRoute.Name(), which before 24.1 is what
// circuits are kept by.
func (c *versionComparison) routeName(r *normalize.Route) string {
	if c.gateway.Profile.Facts().Circuit != profile.CircuitByBalancer {
		return r.CircuitKey()
	}
	return r.Name()
}

func (c *versionComparison) strategies(r *normalize.Route) []versionStrategy {
	out := []versionStrategy{}
	if b := &r.Breaker; b.Kind != normalize.NoBreaker {
		s := versionStrategy{Strategy: "breaker", Mode: "ratio", Throughput: b.MinimumThroughput.V, Ratio: optionalRatio(b.FailureRatio),
			Sampling: optional(b.SamplingDuration), Break: b.BreakDuration.V}
		switch {
		case b.Kind == normalize.Consecutive && c.gateway.Profile.Provider == profile.Polly:
			s.Mode, s.Failures, s.Throughput = "consecutive", s.Throughput, 0
		case b.Kind == normalize.Consecutive:
			s.Mode = "count"
		}
		out = append(out, s)
	}
	if facts := c.gateway.Profile.Facts(); facts.Polly.AlwaysTimeout && r.Options.Timeout.V == normalize.Infinite {
		return append(out, versionStrategy{Strategy: "timeout", Timeout: normalize.Infinite})
	}
	if r.AttemptTimeout.IsSet() {
		timeout := versionStrategy{Strategy: "timeout", Timeout: r.AttemptTimeout.V}
		if c.gateway.Profile.Facts().TimeoutOutside {
			return append([]versionStrategy{timeout}, out...)
		}
		out = append(out, timeout)
	}
	return out
}

func (c *versionComparison) options(r *normalize.Route) versionOptions {
	o := options(r)
	if c.older {
		return versionOptions{DurationOfBreak: o.BreakDuration, ExceptionsAllowedBeforeBreaking: o.MinimumThroughput, TimeoutValue: o.Timeout}
	}
	return versionOptions{BreakDuration: o.BreakDuration, MinimumThroughput: o.MinimumThroughput, Timeout: o.Timeout,
		SamplingDuration: o.SamplingDuration, FailureRatio: o.FailureRatio}
}

func outerOf(r *normalize.Route) any {
	if r.OuterTimeout.V == normalize.Infinite {
		return "infinite"
	}
	return float64(r.OuterTimeout.V)
}

// shortened cuts a log line off as the recorder did, which wrote it in one line.
func shortened(text string) string {
	const longest = 200
	text = strings.ReplaceAll(text, "\n", " ")
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}

func firstText(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func unequal(what string, got, want any) string {
	if reflect.DeepEqual(got, want) {
		return ""
	}
	return fmt.Sprintf("%s\n   got %s\n  want %s", what, inJSON(got), inJSON(want))
}
