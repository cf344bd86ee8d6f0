package normalize_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// oneRoute resolves a gateway with one static route.
func oneRoute(own *config.QoSOptions, p profile.Profile) *normalize.Route {
	cfg := &config.Configuration{Global: &config.GlobalConfiguration{}}
	cfg.Routes = []config.Route{{RouteBase: config.RouteBase{QoSOptions: own}}}
	return &normalize.Resolve(cfg, p).Routes[0]
}

func withThroughput(v int32, set func(*config.QoSOptions)) *config.QoSOptions {
	o := &config.QoSOptions{MinimumThroughput: written(v)}
	set(o)
	return o
}

// summary prints a breaker and the attempt timeout: "5/1000" in a row, "10≥0.5
// in 10000/5000" for a ratio.
func summary(r *normalize.Route) string {
	text, b := "off", &r.Breaker
	switch b.Kind {
	case normalize.Consecutive:
		text = fmt.Sprintf("%d/%d", b.MinimumThroughput.V, b.BreakDuration.V)
	case normalize.Ratio, normalize.Polly:
		text = fmt.Sprintf("%d≥%v in %d/%d", b.MinimumThroughput.V, b.FailureRatio.V, b.SamplingDuration.V, b.BreakDuration.V)
	}
	if r.AttemptTimeout.IsSet() {
		text += fmt.Sprintf(" timeout %d", r.AttemptTimeout.V)
	}
	return text
}

// What each provider makes of the values around its limits, by the
// documentation and as Ocelot 25.0 runs it; an empty want is that of the column
// before.
func TestConstraints(t *testing.T) {
	throughput := func(v int32) *config.QoSOptions {
		return &config.QoSOptions{MinimumThroughput: written(v), Timeout: written[int32](5000)}
	}
	breaks := func(v int32) *config.QoSOptions {
		return withThroughput(2, func(o *config.QoSOptions) { o.BreakDuration = written(v) })
	}
	ratio := func(v float64) *config.QoSOptions {
		return withThroughput(2, func(o *config.QoSOptions) { o.FailureRatio = written(v) })
	}
	sampling := func(v int32) *config.QoSOptions {
		return withThroughput(2, func(o *config.QoSOptions) { o.FailureRatio, o.SamplingDuration = written(0.5), written(v) })
	}
	timeout := func(v int32) *config.QoSOptions {
		return withThroughput(2, func(o *config.QoSOptions) { o.Timeout = written(v) })
	}
	for _, tt := range []struct {
		name               string
		own                *config.QoSOptions
		builtin, builtin25 string
		polly, polly25     string
	}{
		{name: "no section", builtin: "off", polly: "off"},
		{name: "empty section", own: &config.QoSOptions{}, builtin: "off", polly: "off"},
		{name: "durations only", own: &config.QoSOptions{BreakDuration: written[int32](1000), SamplingDuration: written[int32](1000)}, builtin: "off", polly: "off"},
		{name: "throughput unset", own: &config.QoSOptions{Timeout: written[int32](5000)}, builtin: "100/5000 timeout 5000", polly: "off timeout 5000"},
		{name: "throughput -1", own: throughput(-1), builtin: "off timeout 5000", builtin25: "100/5000 timeout 5000", polly: "off timeout 5000"},
		{name: "throughput 0", own: throughput(0), builtin: "off timeout 5000", builtin25: "100/5000 timeout 5000", polly: "off timeout 5000"},
		{name: "throughput 0 alone", own: &config.QoSOptions{MinimumThroughput: written[int32](0)}, builtin: "off", polly: "off"},
		{name: "throughput 1", own: throughput(1), builtin: "100/5000 timeout 5000", polly: "100≥0.1 in 30000/5000 timeout 5000"},
		{name: "throughput 2", own: throughput(2), builtin: "2/5000 timeout 5000", polly: "2≥0.1 in 30000/5000 timeout 5000"},
		{name: "throughput most", own: throughput(math.MaxInt32), builtin: "2147483647/5000 timeout 5000", polly: "2147483647≥0.1 in 30000/5000 timeout 5000"},
		{name: "break -1", own: breaks(-1), builtin: "2/5000", polly: "2≥0.1 in 30000/5000"},
		{name: "break 500", own: breaks(500), builtin: "2/5000", polly: "2≥0.1 in 30000/5000"},
		{name: "break 501", own: breaks(501), builtin: "2/501", polly: "2≥0.1 in 30000/501"},
		{name: "break 86399999", own: breaks(86_399_999), builtin: "2/86399999", polly: "2≥0.1 in 30000/86399999"},
		{name: "break 86400000", own: breaks(86_400_000), builtin: "2/86400000", polly: "2≥0.1 in 30000/5000"},
		{name: "ratio -0.1", own: ratio(-0.1), builtin: "2≥0.5 in 10000/5000", builtin25: "2/5000", polly: "2≥0.1 in 30000/5000"},
		{name: "ratio 0", own: ratio(0), builtin: "2≥0.5 in 10000/5000", builtin25: "2/5000", polly: "2≥0.1 in 30000/5000"},
		{name: "ratio 0.000001", own: ratio(0.000001), builtin: "2≥1e-06 in 10000/5000", polly: "2≥1e-06 in 30000/5000"},
		{name: "ratio 0.99", own: ratio(0.99), builtin: "2≥0.99 in 10000/5000", polly: "2≥0.99 in 30000/5000"},
		{name: "ratio 1", own: ratio(1), builtin: "2≥1 in 10000/5000", polly: "2≥1 in 30000/5000", polly25: "2≥0.1 in 30000/5000"},
		{name: "ratio 1.1", own: ratio(1.1), builtin: "2≥0.5 in 10000/5000", polly: "2≥0.1 in 30000/5000"},
		{name: "ratio NaN", own: ratio(math.NaN()), builtin: "2≥0.5 in 10000/5000", builtin25: "2/5000", polly: "2≥0.1 in 30000/5000"},
		{name: "ratio infinite", own: ratio(math.Inf(1)), builtin: "2≥0.5 in 10000/5000", polly: "2≥0.1 in 30000/5000"},
		{name: "ratio alone", own: &config.QoSOptions{FailureRatio: written(0.5)}, builtin: "100≥0.5 in 10000/5000", polly: "off"},
		{name: "sampling 500", own: sampling(500), builtin: "2≥0.5 in 10000/5000", polly: "2≥0.5 in 30000/5000"},
		{name: "sampling 501", own: sampling(501), builtin: "2≥0.5 in 501/5000", polly: "2≥0.5 in 501/5000"},
		{name: "sampling 86400000", own: sampling(86_400_000), builtin: "2≥0.5 in 86400000/5000", polly: "2≥0.5 in 30000/5000"},
		{name: "timeout -1", own: timeout(-1), builtin: "2/5000", polly: "2≥0.1 in 30000/5000"},
		{name: "timeout 0", own: timeout(0), builtin: "2/5000", polly: "2≥0.1 in 30000/5000"},
		{name: "timeout 10", own: timeout(10), builtin: "2/5000 timeout 30000", polly: "2≥0.1 in 30000/5000 timeout 30000"},
		{name: "timeout 11", own: timeout(11), builtin: "2/5000 timeout 11", polly: "2≥0.1 in 30000/5000 timeout 11"},
		{name: "timeout 86399999", own: timeout(86_399_999), builtin: "2/5000 timeout 86399999", polly: "2≥0.1 in 30000/5000 timeout 86399999"},
		{name: "timeout 86400000", own: timeout(86_400_000), builtin: "2/5000 timeout 30000", polly: "2≥0.1 in 30000/5000 timeout 30000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, column := range []struct {
				profile    profile.Profile
				want, same string
			}{
				{profile.Profile{}, tt.builtin, ""},
				{profile.Profile{Version: "25.0"}, tt.builtin25, tt.builtin},
				{profile.Profile{Provider: profile.Polly}, tt.polly, ""},
				{profile.Profile{Version: "25.0", Provider: profile.Polly}, tt.polly25, tt.polly},
				{profile.Profile{Provider: profile.None}, "off", ""},
			} {
				want := column.want
				if want == "" {
					want = column.same
				}
				if got := summary(oneRoute(tt.own, column.profile)); got != want {
					t.Errorf("%v: got %q want %q", column.profile, got, want)
				}
			}
		})
	}
}

// The outer timer of a static route.
func TestOuterTimeout(t *testing.T) {
	for _, tt := range []struct {
		name                         string
		route, global, qos           *int32
		documented, observed         int64
		warnsDocumented, warnsObeyed bool
		routeDocumented, routeAsItIs int32
		divergences                  string
	}{
		{name: "default", documented: 90_000, observed: 90_000, routeDocumented: 90, routeAsItIs: 90},
		{name: "longer", route: ptr(2), qos: ptr(1000), documented: 2000, observed: 2000, routeDocumented: 2, routeAsItIs: 2},
		{name: "shorter", route: ptr(1), qos: ptr(2000), documented: 4000, observed: 4000, warnsDocumented: true, warnsObeyed: true, routeDocumented: 1, routeAsItIs: 1},
		{name: "equal", route: ptr(5), qos: ptr(5000), documented: 10_000, observed: 10_000, warnsDocumented: true, warnsObeyed: true, routeDocumented: 5, routeAsItIs: 5},
		{name: "default shorter", qos: ptr(91_000), documented: 182_000, observed: 182_000, warnsDocumented: true, warnsObeyed: true, routeDocumented: 90, routeAsItIs: 90},
		{name: "global", global: ptr(7), documented: 7000, observed: 7000, routeDocumented: 7, routeAsItIs: 7},
		{name: "substituted", route: ptr(10), qos: ptr(5), documented: 60_000, observed: 10_000, warnsDocumented: true, routeDocumented: 10, routeAsItIs: 10, divergences: "raw-outer-timeout"},
		{name: "a day", qos: ptr(86_400_000), documented: 90_000, observed: 172_800_000, warnsObeyed: true, routeDocumented: 90, routeAsItIs: 90, divergences: "raw-outer-timeout"},
		{name: "last good double", qos: ptr(1_073_741_823), documented: 90_000, observed: 2_147_483_646, warnsObeyed: true, routeDocumented: 90, routeAsItIs: 90, divergences: "raw-outer-timeout"},
		{name: "first bad double", qos: ptr(1_073_741_824), documented: 90_000, observed: -2_147_483_648, warnsObeyed: true, routeDocumented: 90, routeAsItIs: 90, divergences: "raw-outer-timeout"},
		{name: "zero hides", route: ptr(0), global: ptr(5), documented: 5000, observed: 90_000, routeDocumented: 5, routeAsItIs: 90, divergences: "zero-route-timeout"},
		{name: "global zero", global: ptr(0), documented: 90_000, observed: 90_000, routeDocumented: 90, routeAsItIs: 90},
		{name: "last good seconds", route: ptr(2_147_483), documented: 2_147_483_000, observed: 2_147_483_000, routeDocumented: 2_147_483, routeAsItIs: 2_147_483},
		{name: "first bad seconds", route: ptr(2_147_484), documented: 2_147_484_000, observed: -2_147_483_296, routeDocumented: 2_147_484, routeAsItIs: 2_147_484, divergences: "seconds-overflow"},
		{name: "wraps to zero", route: ptr(1_073_741_824), documented: 1_073_741_824_000, observed: 0, routeDocumented: 1_073_741_824, routeAsItIs: 1_073_741_824, divergences: "seconds-overflow"},
		{name: "rescued", route: ptr(2_147_484), qos: ptr(500), documented: 2_147_484_000, observed: 1000, warnsObeyed: true, routeDocumented: 2_147_484, routeAsItIs: 2_147_484, divergences: "seconds-overflow"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := &config.Configuration{Global: &config.GlobalConfiguration{Timeout: maybe(tt.global)}}
			base := config.RouteBase{Timeout: maybe(tt.route)}
			if tt.qos != nil {
				base.QoSOptions = &config.QoSOptions{Timeout: maybe(tt.qos)}
			}
			cfg.Routes = []config.Route{{RouteBase: base}}
			check := func(p profile.Profile, outer int64, warns bool, seconds int32) {
				r := &normalize.Resolve(cfg, p).Routes[0]
				if r.OuterTimeout.V != outer || r.OuterDoubled != warns || r.RouteTimeout.V != seconds || (r.OuterWarning() != "") != warns {
					t.Errorf("%v: got %d ms doubled %v of %d s, want %d %v %d", p, r.OuterTimeout.V, r.OuterDoubled, r.RouteTimeout.V, outer, warns, seconds)
				}
				if got := r.Divergences.String(); got != tt.divergences {
					t.Errorf("%v: got divergences %q want %q", p, got, tt.divergences)
				}
			}
			check(profile.Profile{}, tt.documented, tt.warnsDocumented, tt.routeDocumented)
			check(profile.Profile{Version: "25.0"}, tt.observed, tt.warnsObeyed, tt.routeAsItIs)
		})
	}
}

func ptr(v int32) *int32 { return &v }

func maybe(v *int32) config.Value[int32] {
	if v == nil {
		return config.Value[int32]{}
	}
	return written(*v)
}

// Every value knows where it was decided and what it beat.
func TestDecisions(t *testing.T) {
	cfg := must(t, `{"Routes":[{"UpstreamPathTemplate":"/a","QoSOptions":{"BreakDuration":1000,"MinimumThroughput":3}}],
		"GlobalConfiguration":{"Timeout":5,"QoSOptions":{"DurationOfBreak":60000,"BreakDuration":7000}}}`)
	observed := normalize.Resolve(cfg, profile.Profile{Version: "25.0"}).Routes[0]
	if d := observed.Options.BreakDuration; d.V != 60_000 || d.From != normalize.GlobalDeprecated ||
		!d.Beat.Has(normalize.RouteNew) || !d.Beat.Has(normalize.GlobalNew) || d.Beat.Has(normalize.RouteDeprecated) {
		t.Errorf("observed: got %+v, want the global deprecated name to beat the other two", d)
	}
	candidates := observed.Candidates(normalize.BreakDuration)
	if len(candidates) != 3 || candidates[0].Place != normalize.GlobalDeprecated || candidates[1].Value.V != 1000 || candidates[2].Value.V != 7000 {
		t.Errorf("got candidates %+v", candidates)
	}
	documented := observed.Otherwise()
	if d := documented.Options.BreakDuration; d.V != 1000 || d.From != normalize.RouteNew || !d.Beat.Has(normalize.GlobalDeprecated) {
		t.Errorf("documented: got %+v, want the route to beat the global section", d)
	}
	if d := observed.RouteTimeout; d.V != 5 || d.From != normalize.GlobalNew {
		t.Errorf("route timeout: got %+v, want the global one", d)
	}
}

func TestSubstitutions(t *testing.T) {
	own := &config.QoSOptions{MinimumThroughput: written[int32](1), BreakDuration: written[int32](100), FailureRatio: written(0.0),
		SamplingDuration: written[int32](9), Timeout: written[int32](5)}
	for _, tt := range []struct {
		profile profile.Profile
		want    string
	}{
		{profile.Profile{}, "MinimumThroughput 1→100 BreakDuration 100→5000 FailureRatio 0→0.5 SamplingDuration 9→10000 Timeout 5→30000 "},
		{profile.Profile{Version: "25.0"}, "MinimumThroughput 1→100 BreakDuration 100→5000 FailureRatio 0→– SamplingDuration 9→– Timeout 5→30000 "},
		{profile.Profile{Provider: profile.Polly}, "MinimumThroughput 1→100 BreakDuration 100→5000 FailureRatio 0→0.1 SamplingDuration 9→30000 Timeout 5→30000 "},
	} {
		r := oneRoute(own, tt.profile)
		got := ""
		for _, s := range r.Substitutions() {
			effective := "–"
			if s.Effective.IsSet() {
				effective = fmt.Sprint(s.Effective.V)
			}
			got += fmt.Sprintf("%s %v→%s ", s.Option, s.Written.V, effective)
		}
		if got != tt.want {
			t.Errorf("%v: got %q want %q", tt.profile, got, tt.want)
		}
	}
}
