package bind_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/bind"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

func decode(t testing.TB, text string) *config.Configuration {
	t.Helper()
	res := load.Single(source.NewFile("ocelot.json", []byte(text)), load.Options{})
	if res.Failure != nil {
		t.Fatalf("%s: %v", text, res.Failure)
	}
	return bind.Configuration(res.Tree, res.Bound, bind.Options{})
}

func TestOrigins(t *testing.T) {
	cfg := decode(t, `{"Routes":[{"Timeout": 5,"Key":null,"UpstreamHttpMethod":["GET"],"Metadata":{"team":"a"}}]}`)
	route := cfg.Routes[0]
	for _, test := range []struct {
		what   string
		origin config.Origin
		kind   config.OriginKind
		text   string
	}{
		{"a number", route.Timeout.Origin, config.Explicit, "5"},
		{"null", route.Key.Origin, config.Unset, ""},
		{"a default", route.Priority.Origin, config.Default, ""},
		{"what is absent", route.ServiceName.Origin, config.Unset, ""},
		{"a list", route.UpstreamHttpMethod.Origin, config.Explicit, `["GET"]`},
		{"an item", route.UpstreamHttpMethod.Items[0].Origin, config.Explicit, `"GET"`},
		{"a key", route.Metadata.Entries[0].Key.Origin, config.Explicit, `"team"`},
		{"a section", route.Origin, config.Explicit, `{"Timeout": 5,"Key":null,"UpstreamHttpMethod":["GET"],"Metadata":{"team":"a"}}`},
		{"a section by default", route.SecurityOptions.Origin, config.Unset, ""},
	} {
		if got := cfg.Files().Span(test.origin).Text(); got != test.text || test.origin.Kind != test.kind {
			t.Errorf("%s: got %q of kind %d, want %q of kind %d", test.what, got, test.origin.Kind, test.text, test.kind)
		}
	}
	if cfg.Tree.Node(route.Node) == nil || route.Node == 0 {
		t.Error("the route does not know its node")
	}
}

func TestEmptyConfiguration(t *testing.T) {
	cfg := bind.Configuration(decode(t, `{}`).Tree, 0, bind.Options{})
	if cfg.Global == nil || cfg.Global.SecurityOptions == nil || cfg.Global.QoSOptions != nil || len(cfg.Routes) != 0 {
		t.Errorf("got %+v, want a new FileConfiguration", cfg)
	}
}

func TestDroppedElementsKeepPlaces(t *testing.T) {
	cfg := decode(t, `{"Routes":[{"Timeout":"x"},{"Key":"b","DownstreamHostAndPorts":[{"Port":"y"},{"Host":"h"}]}]}`)
	if len(cfg.Routes) != 1 || cfg.Routes[0].Index != 1 || len(cfg.Routes[0].DownstreamHostAndPorts) != 1 {
		t.Fatalf("got %+v, want the second route with its second host", cfg.Routes)
	}
	var paths []string
	for _, d := range cfg.Dropped {
		paths = append(paths, d.Path+" by "+d.Reason.Path)
	}
	want := []string{"Routes:0 by Routes:0:Timeout", "Routes:1:DownstreamHostAndPorts:0 by Routes:1:DownstreamHostAndPorts:0:Port"}
	if !slices.Equal(paths, want) {
		t.Errorf("got %q, want %q", paths, want)
	}
}

// TestRestIsBoundAfterFailure: the program stops, but what comes after the
// error can still be examined.
func TestRestIsBoundAfterFailure(t *testing.T) {
	cfg := decode(t, `{"GlobalConfiguration":{"UpstreamHeaderTransform":{"a":"b"},"QoSOptions":{"Timeout":7,"BreakDuration":"x"},"CacheOptions":{"TtlSeconds":"y"}}}`)
	if cfg.Failure == nil || cfg.Failure.Path != "GlobalConfiguration:CacheOptions:TtlSeconds" {
		t.Fatalf("got failure %+v, want the first in the order of the model", cfg.Failure)
	}
	if cfg.Global.QoSOptions.Timeout.V != 7 || len(cfg.Global.UpstreamHeaderTransform.All()) != 1 {
		t.Errorf("got %+v, want the members after the error", cfg.Global)
	}
}

func TestSectionLeadsPaths(t *testing.T) {
	res := load.Single(source.NewFile("x.json", []byte(`{"A":{"B":{"Routes":[{"Timeout":"x"}]}}}`)), load.Options{Section: "A:B"})
	cfg := bind.Configuration(res.Tree, res.Bound, bind.Options{Section: "A:B"})
	if len(cfg.Dropped) != 1 || cfg.Dropped[0].Path != "A:B:Routes:0" {
		t.Errorf("got %+v, want the path A:B:Routes:0", cfg.Dropped)
	}
}

func TestResilienceNeverDropsARoute(t *testing.T) {
	cfg := decode(t, `{"Routes":[{"Key":"a","ResilienceOptions":{"TotalTimeout":"x","Retry":{"Delay":200,"StatusCodes":[429,"5xx","many"],"Methods":[]}}}],
		"GlobalConfiguration":{"ResilienceOptions":{"RouteKeys":["a"],"Chaos":{"Enabled":"perhaps"},"CircuitBreaker":{"CheckPeriod":{"a":1}}}}}`)
	if len(cfg.Dropped) != 0 || cfg.Failure != nil || len(cfg.Routes) != 1 {
		t.Fatalf("got %+v, %v, want no trace in what Ocelot reads", cfg.Dropped, cfg.Failure)
	}
	var rejected []string
	for _, r := range cfg.Rejected {
		rejected = append(rejected, r.Path)
	}
	want := []string{
		"Routes:0:ResilienceOptions:TotalTimeout",
		"Routes:0:ResilienceOptions:Retry:StatusCodes:2",
		"GlobalConfiguration:ResilienceOptions:CircuitBreaker:CheckPeriod",
		"GlobalConfiguration:ResilienceOptions:Chaos:Enabled",
	}
	if !slices.Equal(rejected, want) {
		t.Errorf("rejected\n got %q\nwant %q", rejected, want)
	}
	retry := cfg.Routes[0].Resilience.Retry
	codes := []config.StatusCodes{{First: 429, Last: 429}, {First: 500, Last: 599}}
	for i, item := range retry.StatusCodes.All() {
		if item.V != codes[i] {
			t.Errorf("status code %d: got %+v, want %+v", i, item.V, codes[i])
		}
	}
	if retry.Delay.V != 200 || retry.Methods == nil || retry.Methods.Len() != 0 {
		t.Errorf("got %+v, want a delay of 200 and an empty list of methods", retry)
	}
	if cfg.Global.Resilience.RouteKeys.Len() != 1 {
		t.Errorf("got %+v, want one route key", cfg.Global.Resilience)
	}
}

func TestSetsHoldEqualElementsOnce(t *testing.T) {
	var elements []string
	for i := range 40 {
		elements = append(elements, fmt.Sprintf("%q,%q", fmt.Sprint("m", i%20), fmt.Sprint("M", i%20)))
	}
	for _, test := range []struct {
		text string
		want int
	}{
		{`"GET","get","GET",null,null,""`, 4},
		{strings.Join(elements, ","), 40},
	} {
		cfg := decode(t, `{"Routes":[{"UpstreamHttpMethod":[`+test.text+`]}]}`)
		if got := cfg.Routes[0].UpstreamHttpMethod.Len(); got != test.want {
			t.Errorf("[%s] has %d elements, want %d", test.text, got, test.want)
		}
	}
}

// TestOrderOfChildren follows .NET's ConfigurationKeyComparer.
func TestOrderOfChildren(t *testing.T) {
	cfg := decode(t, `{"Routes":{"b":{"Key":"b"},"A":{"Key":"A"},"10":{"Key":"10"},"+2":{"Key":"+2"},"":{"Key":""}," 1":{"Key":" 1"},"-1":{"Key":"-1"},"0x1":{"Key":"0x1"},"99999999999":{"Key":"9"}}}`)
	var got []string
	for i, route := range cfg.Routes {
		got = append(got, route.Key.V)
		if route.Index != i {
			t.Errorf("route %q has index %d, want %d", route.Key.V, route.Index, i)
		}
	}
	if want := []string{"", "-1", " 1", "+2", "10", "0x1", "9", "A", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSideBySideIsTheSame binds a list that is long enough to be bound in
// parts, and the same elements in short lists.
func TestSideBySideIsTheSame(t *testing.T) {
	const n = 10_000
	element := func(i int) string {
		timeout := fmt.Sprint(i)
		if i%7 == 0 {
			timeout = `"x"`
		}
		return fmt.Sprintf(`{"Key":"%d","Timeout":%s,"ResilienceOptions":{"TotalTimeout":"y"},"DownstreamHostAndPorts":[{"Port":"z"},{"Host":"%d"}]}`, i, timeout, i)
	}
	var all []string
	for i := range n {
		all = append(all, element(i))
	}
	cfg := decode(t, `{"Routes":[`+strings.Join(all, ",")+`]}`)
	var dropped, rejected []string
	for _, d := range cfg.Dropped {
		dropped = append(dropped, d.Path)
	}
	for _, r := range cfg.Rejected {
		rejected = append(rejected, r.Path)
	}
	var keys, wantKeys, wantDropped, wantRejected []string
	for _, route := range cfg.Routes {
		keys = append(keys, fmt.Sprintf("%s %d %s", route.Key.V, route.Index, route.DownstreamHostAndPorts[0].Host.V))
	}
	for i := range n {
		if i%7 == 0 {
			wantDropped = append(wantDropped, fmt.Sprintf("Routes:%d:DownstreamHostAndPorts:0", i), fmt.Sprintf("Routes:%d", i))
			continue
		}
		wantDropped = append(wantDropped, fmt.Sprintf("Routes:%d:DownstreamHostAndPorts:0", i))
		wantRejected = append(wantRejected, fmt.Sprintf("Routes:%d:ResilienceOptions:TotalTimeout", i))
		wantKeys = append(wantKeys, fmt.Sprintf("%d %d %d", i, i, i))
	}
	if !slices.Equal(keys, wantKeys) || !slices.Equal(dropped, wantDropped) || !slices.Equal(rejected, wantRejected) {
		t.Errorf("got %d routes, %d dropped, %d rejected, want %d, %d, %d in the order of the file",
			len(keys), len(dropped), len(rejected), len(wantKeys), len(wantDropped), len(wantRejected))
	}
}

// TestDefaultsAreNotShared: what is bound into one element must not show in
// the next, although new objects share their empty collections.
func TestDefaultsAreNotShared(t *testing.T) {
	cfg := decode(t, `{"Aggregates":[{"UpstreamHttpMethod":["Post"]},{}],"Routes":[{"DelegatingHandlers":["a"],"SecurityOptions":{"IPAllowedList":["1.1.1.1"]}},{}]}`)
	if got := cfg.Aggregates[1].UpstreamHttpMethod.Len(); got != 1 {
		t.Errorf("second aggregate has %d methods, want GET alone", got)
	}
	second := cfg.Routes[1]
	if second.DelegatingHandlers.Len() != 0 || second.SecurityOptions.IPAllowedList.Len() != 0 {
		t.Errorf("got %+v, want a new route", second)
	}
	if again := decode(t, `{}`); !reflect.DeepEqual(again.Global, decode(t, `{"Routes":[]}`).Global) {
		t.Error("defaults changed")
	}
}
