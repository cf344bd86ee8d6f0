package emit_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

func compileAs(t *testing.T, text []byte, p profile.Profile) *emit.Result {
	t.Helper()
	return compile(t, "ocelot.json", text, emit.Options{Profile: p})
}

// releaseFacts is what was asked of each program beside whole configurations.
type releaseFacts struct {
	Statuses   []int           `json:"breakerCountsStatuses"`
	Exceptions map[string]bool `json:"breakerCountsExceptions"`
	Starts     map[string]struct {
		Start, Message string
		UseQoS         bool  `json:"useQos"`
		Outer          int64 `json:"outerTimeoutMs"`
	} `json:"startWithoutAnyQosProvider"`
	Requests []struct {
		Request, LBK string
		Pipeline     *int
	} `json:"dynamicRequests"`
}

// TestOracleVersionsFacts: what breakers count, what starts without a provider,
// and which requests for services share a circuit.
func TestOracleVersionsFacts(t *testing.T) {
	var recorded struct{ Versions map[string]releaseFacts }
	if err := json.Unmarshal(oracletest.Bytes(t, "versions-facts.json.gz"), &recorded); err != nil {
		t.Fatal(err)
	}
	tally := oracletest.NewTally("versions-facts")
	for version, facts := range recorded.Versions {
		p := recordedProfile(t, version, "")
		agree := func(group, id, got, want string) {
			if got != want {
				tally.Differ(group, version+" "+id, "got %s want %s", got, want)
				return
			}
			tally.Agree(group)
		}
		agree("counts", "statuses", countedStatuses(t, p), fmt.Sprint(facts.Statuses))
		refused := plan.Success
		if facts.Exceptions["System.Net.Http.HttpRequestException"] {
			refused = plan.Failure
		}
		agree("counts", "refused connections", string(failuresUnder(t, p).TransportErrors), string(refused))
		for name, want := range facts.Starts {
			got, wanted := startWithout(t, p, name), fmt.Sprint(want.Start, want.UseQoS, want.Outer)
			if text, failed := strings.CutPrefix(got, "error "); want.Start == "error" {
				wanted = want.Message
				if failed && strings.Contains(want.Message, strings.TrimSuffix(text, "?")) {
					got = wanted
				}
			}
			agree("start", name, got, wanted)
		}
		for i, got := range lookups(t, p, &facts) {
			agree("requests", facts.Requests[i].Request, got, facts.Requests[i].LBK+" "+pipelineText(facts.Requests[i].Pipeline))
		}
	}
	tally.Report(t)
}

func failuresUnder(t *testing.T, p profile.Profile) plan.Failures {
	t.Helper()
	lowered, found := emit.Plan(compileAs(t, routeWith(`"QoSOptions":{"ExceptionsAllowedBeforeBreaking":3,"DurationOfBreak":1000,"TimeoutValue":5000}`, ""), p))
	if lowered == nil {
		t.Fatal(found.Sorted())
	}
	return lowered.Routes[0].Failures
}

func countedStatuses(t *testing.T, p profile.Profile) string {
	var codes []int
	for _, r := range failuresUnder(t, p).StatusCodes {
		for code := r.First; code <= r.Last; code++ {
			codes = append(codes, code)
		}
	}
	return fmt.Sprint(codes)
}

func routeWith(own, global string) []byte {
	if own != "" {
		own = "," + own
	}
	return []byte(`{"Routes":[{"UpstreamPathTemplate":"/a","DownstreamPathTemplate":"/a","DownstreamScheme":"http",` +
		`"DownstreamHostAndPorts":[{"Host":"a","Port":80}]` + own + `}],"GlobalConfiguration":{` + global + `}}`)
}

// startWithout starts a gateway that registers no provider, with a section that
// the recording names: "both old / route".
func startWithout(t *testing.T, p profile.Profile, name string) string {
	which, where, _ := strings.Cut(name, " / ")
	section := `"QoSOptions":` + map[string]string{
		"both old":                             `{"ExceptionsAllowedBeforeBreaking":3,"DurationOfBreak":1000,"TimeoutValue":5000}`,
		"only TimeoutValue":                    `{"TimeoutValue":5000}`,
		"only ExceptionsAllowedBeforeBreaking": `{"ExceptionsAllowedBeforeBreaking":3}`,
		"both new":                             `{"MinimumThroughput":3,"Timeout":5000}`,
		"only FailureRatio":                    `{"FailureRatio":0.5}`,
	}[which]
	p.Provider = profile.None
	text := routeWith(section, "")
	if where == "global" {
		text = routeWith("", section)
	}
	r := compileAs(t, text, p)
	if !r.Starts() {
		return "error " + r.StartErrors()[0].Ocelot
	}
	route := &r.Gateway.Routes[0]
	return fmt.Sprint("ok", route.Active, route.OuterTimeout.V)
}

// lookups asks for services that no dynamic route names.
func lookups(t *testing.T, p profile.Profile, facts *releaseFacts) []string {
	r := compileAs(t, []byte(`{"GlobalConfiguration":{"ServiceDiscoveryProvider":{"Type":"Consul","Host":"localhost","Port":8500},`+
		`"QoSOptions":{"ExceptionsAllowedBeforeBreaking":3,"DurationOfBreak":1000,"TimeoutValue":5000}}}`), p)
	var out, circuits []string
	for _, request := range facts.Requests {
		method, path, _ := strings.Cut(request.Request, " ")
		found, ok := r.Gateway.LookupFor(method, path)
		if !ok {
			t.Fatalf("%s: no route for %s", p.Version, path)
		}
		var at *int
		if key := found.CircuitKey(); key != "" {
			if !slices.Contains(circuits, key) {
				circuits = append(circuits, key)
			}
			i := slices.Index(circuits, key)
			at = &i
		}
		out = append(out, found.LoadBalancerKey()+" "+pipelineText(at))
	}
	return out
}

func pipelineText(i *int) string {
	if i == nil {
		return "its own"
	}
	return fmt.Sprint(*i)
}
