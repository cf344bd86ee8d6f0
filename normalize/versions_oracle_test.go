package normalize_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// versionsRecording is a line of versions.jsonl: one configuration in several
// releases.
type versionsRecording struct {
	ID     string
	Config json.RawMessage
	Expect map[string]versionAnswer
}

// versionAnswer is what one release made of it.
type versionAnswer struct {
	Start       string
	StartError  *versionException
	BoundRoutes int
	GlobalQoS   *versionOptions
	GlobalUse   bool `json:"globalUseQos"`
	Routes      []versionRoute
	Dynamic     []versionRoute
	Finder      string
}

type versionException struct {
	Type, Message string
	Inner         *versionException
}

// versionOptions are the merged options under the names of either time. The
// Key that older releases keep beside them is read by nothing.
type versionOptions struct {
	BreakDuration, DurationOfBreak                     *int32
	MinimumThroughput, ExceptionsAllowedBeforeBreaking *int32
	Timeout, TimeoutValue                              *int32
	SamplingDuration                                   *int32
	FailureRatio                                       *ratio
}

type versionRoute struct {
	I             int
	Upstream, Key *string
	Service       *string
	Request       string
	QoS           versionOptions
	UseQoS        bool
	RouteTimeout  *int32 `json:"routeTimeoutSeconds"`
	LBK           string
	Outer         any `json:"outerTimeoutMs"`
	HandlerError  *versionException
	Handler       bool `json:"qosHandler"`
	RouteName     string
	Pipeline      *int   `json:"pipelineNo"`
	Same          *int   `json:"samePipelineAs"`
	None          string `json:"pipeline"`
	Strategies    []versionStrategy
	StrategyError *versionException
	Logs          []string
}

type versionStrategy struct {
	Strategy   string
	Mode       string
	Failures   int32  `json:"failuresBeforeBreaking"`
	Throughput int32  `json:"minimumThroughput"`
	Ratio      *ratio `json:"failureRatio"`
	Sampling   *int32 `json:"samplingDurationMs"`
	Break      int32  `json:"breakDurationMs"`
	Timeout    int32  `json:"timeoutMs"`
}

// TestOracleVersions replays one configuration under every recorded release:
// start, bound routes, options, activity, strategies with their order and
// numbers, timers, keys and shared circuits.
func TestOracleVersions(t *testing.T) {
	tallies := map[string]*oracletest.Tally{}
	oracletest.Each(t, "versions.jsonl.gz", func(rec versionsRecording) {
		if strings.HasPrefix(rec.ID, "ver-corpus-") {
			return
		}
		group := rec.ID[:strings.LastIndexByte(rec.ID, '-')]
		for version, want := range rec.Expect {
			if tallies[version] == nil {
				tallies[version] = oracletest.NewTally("versions " + version)
			}
			if diff := compareVersion(recordedProfile(t, version), rec.Config, &want); diff != "" {
				tallies[version].Differ(group, rec.ID, "%s\n%s", diff, rec.Config)
				continue
			}
			tallies[version].Agree(group)
		}
	})
	for _, version := range slices.Sorted(keysOf(tallies)) {
		tallies[version].Report(t)
	}
}

func keysOf[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// recordedProfile returns the profile of a recorded program, by its name in the
// recordings.
func recordedProfile(t *testing.T, name string) profile.Profile {
	number, builtin := strings.CutSuffix(name, "-builtin")
	p, ok := profile.Find(number)
	if !ok || p.Notice() != "" {
		t.Fatalf("%s: found %v", name, p)
	}
	p.Provider = profile.Polly
	if builtin {
		p.Provider = profile.Builtin
	}
	return p
}

func compareVersion(p profile.Profile, text []byte, want *versionAnswer) string {
	cfg, failure := compileAs(text, p)
	if got := exceptionOf(failure); want.Start != "ok" || got != nil {
		return unequal("start error", got, want.StartError)
	}
	if len(cfg.Routes) != want.BoundRoutes {
		return fmt.Sprintf("got %d routes want %d", len(cfg.Routes), want.BoundRoutes)
	}
	g := normalize.Resolve(cfg, p)
	c := versionComparison{gateway: g, older: !p.Facts().Inherits}
	return firstText(c.finder(want.Finder), c.global(want), c.routes(want.Routes), c.dynamic(want.Dynamic))
}

// compileAs loads and binds a text as a release does.
func compileAs(text []byte, p profile.Profile) (*config.Configuration, *config.BindError) {
	result := load.Single(source.NewFile("ocelot.json", text), load.Options{})
	cfg := schema.Decode(result.Tree, result.Bound, schema.DecodeOptions{Profile: p})
	return cfg, cfg.Failure
}

func exceptionOf(e *config.BindError) *versionException {
	if e == nil {
		return nil
	}
	x := &versionException{Type: e.Exception, Message: e.Message}
	if e.Inner != nil {
		x.Inner = &versionException{Type: e.Inner.Type, Message: e.Inner.Message}
	}
	return x
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
		got.I, got.Upstream, got.Key = i, optional(static[i].Static.UpstreamPathTemplate), optional(static[i].Key())
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
		method, path, _ := strings.Cut(want.Request, " ")
		found, ok := c.gateway.LookupFor(method, path)
		if !ok {
			return "no route for " + path
		}
		if earlier, ok := made[found.LoadBalancerKey()]; ok {
			found = earlier
		}
		made[found.LoadBalancerKey()] = found
		got := c.route(&found.Route, want)
		got.Service, got.Request = want.Service, want.Request
		if diff := unequal("", *got, *want); diff != "" {
			return fmt.Sprintf("request %d: %s", i, diff)
		}
	}
	return ""
}

func (c *versionComparison) route(r *normalize.Route, want *versionRoute) *versionRoute {
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
		got.Logs = append(got.Logs, "Warning: "+shortened(text))
	}
	if got.Same == nil {
		for _, log := range r.PollyLogs() {
			got.Logs = append(got.Logs, log.Level+": "+shortened(log.Text))
		}
	}
	return got
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
