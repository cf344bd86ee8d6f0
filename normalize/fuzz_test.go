package normalize_test

import (
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// Whatever loads resolves under every profile without a panic, and rewriting
// its deprecated names changes nothing that Ocelot resolves.
func FuzzResolve(f *testing.F) {
	for _, text := range []string{
		`{"Routes":[{"UpstreamPathTemplate":"/a/{x}","Key":"a","Timeout":0,"QoSOptions":{"DurationOfBreak":1,"FailureRatio":"NaN","TimeoutValue":86400000}}],
			"GlobalConfiguration":{"Timeout":-3,"QoSOptions":{"RouteKeys":["a",null],"ExceptionsAllowedBeforeBreaking":3}}}`,
		`{"Routes":[{"QoSOptions":{"BreakDuration":1000 /* a */,"MinimumThroughput":3}}],"GlobalConfiguration":{"QoSOptions":{"DurationOfBreak":60000}}}`,
		`{"DynamicRoutes":[{"ServiceName":"s","LoadBalancerOptions":{"Type":"cookiestickysessions"}}],
			"GlobalConfiguration":{"Timeout":-2147483648,"ServiceDiscoveryProvider":{"Port":8500},"QoSOptions":{"Timeout":5}}}`,
		`{"Routes":[{"Key":"a"}],"Aggregates":[{"UpstreamPathTemplate":"/g","RouteKeys":["a"]},{"RouteKeys":["b"]}]}`,
		`{"Routes":[{"QoSOptions:TimeoutValue":1,"QoSOptions":{"timeoutvalue":{},"Timeout":2},"ResilienceOptions":{"Retry":{"Delay":1},"TotalTimeout":5}}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		cfg, failure := compile(text)
		if failure != nil {
			return
		}
		for provider := profile.Builtin; provider <= profile.None; provider++ {
			for _, version := range append(profile.Versions(), "") {
				p := profile.Profile{Version: version, Provider: provider}
				if !p.HasProvider() {
					continue
				}
				if own, failure := compileAs(text, p); failure == nil {
					touch(normalize.Resolve(own, p))
				}
			}
		}
		checkRewrite(t, cfg)
	})
}

// touch asks for everything that is computed on demand.
func touch(g *normalize.Gateway) {
	for i := range g.Routes {
		r := &g.Routes[i]
		for o := normalize.BreakDuration; o <= normalize.OuterTimeout; o++ {
			r.Candidates(o)
		}
		_, _, _, _, _ = r.OuterWarning(), r.PollyLogs(), r.Substitutions(), r.Otherwise(), r.LoadBalancerKey()
		_, _ = r.Failure(), r.CircuitKey()
	}
	if l, ok := g.Lookup("/namespace.service/x"); ok {
		_, _ = l.Name(), l.LoadBalancerKey()
	}
}

func checkRewrite(t *testing.T, cfg *config.Configuration) {
	p := profile.Profile{Version: "25.0"}
	before := normalize.Resolve(cfg, p)
	text := cfg.Files()[0].Text
	edited := apply(cfg, normalize.Rewrite(before, normalize.RewriteOptions{}).Edits)
	again, failure := compile([]byte(edited))
	if failure != nil {
		t.Fatalf("%q\n%s\n%s", failure, text, edited)
	}
	if !before.SameAs(normalize.Resolve(again, p)) {
		t.Fatalf("rewriting changes the result\n%s\n%s", text, edited)
	}
}
