package bind_test

import (
	"encoding/json"
	"slices"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/bind"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

// plain is the part of a configuration that encoding/json reads by the same
// rules: right types, no null where it matters, names once.
type plain struct {
	Routes []struct {
		Key                    *string
		UpstreamPathTemplate   *string
		Timeout                *int32
		Priority               *int32
		RouteIsCaseSensitive   *bool
		UpstreamHttpMethod     []string
		Metadata               map[string]string
		DownstreamHostAndPorts []struct {
			Host *string
			Port *int32
		}
		QoSOptions *struct {
			Timeout      *int32
			FailureRatio *float64
		}
	}
}

// FuzzDecode holds the binder against encoding/json wherever both read a text
// by the same rules. Nothing may make it panic.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"Routes":[{"Key":"a","Timeout":5,"Priority":-1,"RouteIsCaseSensitive":true}]}`,
		`{"Routes":[{"UpstreamHttpMethod":["GET","GET","get"],"Metadata":{"b":"x","a":""}}]}`,
		`{"Routes":[{"DownstreamHostAndPorts":[{"Host":"a","Port":80},{"Host":"b"}],"QoSOptions":{"Timeout":1,"FailureRatio":0.5}}]}`,
		`{"Routes":[null,{},{"Timeout":"x"}],"GlobalConfiguration":{"Timeout":"5s"}}`,
		`{"Routes":{"1":{"Key":"b"},"0":{"Key":"a"}}}`,
		`{"Aggregates":[{"RouteKeysConfig":[{"RouteKey":"a","JsonPath":"$","Parameter":"p"}]}]}`,
		`{"GlobalConfiguration":{"MetadataOptions":{"TrimChars":["x",null],"NumberStyle":{"Length":"a"}}}}`,
		`{"Routes":[{"ResilienceOptions":{"Retry":{"StatusCodes":[429,"5xx"]}}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		res := load.Single(source.NewFile("fuzz.json", text), load.Options{})
		cfg := bind.Configuration(res.Tree, res.Bound, bind.Options{})
		if len(cfg.Dropped) == 0 && cfg.Failure == nil && readAlike(res, text) {
			compare(t, cfg, text)
		}
	})
}

// readAlike says whether encoding/json reads the names of a text as .NET does:
// it takes the last of equal names, folds letters beyond ASCII, and knows no
// colons.
func readAlike(res *load.Result, text []byte) bool {
	ascii := utf8.Valid(text) && !slices.ContainsFunc([]rune(string(text)), func(c rune) bool { return c > unicode.MaxASCII })
	return ascii && res.Failure == nil && len(res.Texts) == 1 && res.Root == res.Texts[0].Root
}

func compare(t *testing.T, cfg *config.Configuration, text []byte) {
	t.Helper()
	var want plain
	if json.Unmarshal(text, &want) != nil {
		return
	}
	if len(cfg.Routes) != len(want.Routes) {
		t.Fatalf("%s\ngot %d routes, want %d", text, len(cfg.Routes), len(want.Routes))
	}
	for i, route := range want.Routes {
		got := &cfg.Routes[i]
		same(t, text, "Key", got.Key, route.Key)
		same(t, text, "UpstreamPathTemplate", got.UpstreamPathTemplate, route.UpstreamPathTemplate)
		same(t, text, "Timeout", got.Timeout, route.Timeout)
		same(t, text, "Priority", got.Priority, route.Priority)
		same(t, text, "RouteIsCaseSensitive", got.RouteIsCaseSensitive, route.RouteIsCaseSensitive)
		for _, method := range route.UpstreamHttpMethod {
			if !slices.ContainsFunc(got.UpstreamHttpMethod.All(), func(v config.Value[string]) bool { return v.V == method }) {
				t.Errorf("%s\nUpstreamHttpMethod lacks %q", text, method)
			}
		}
		for key, value := range route.Metadata {
			if v, _ := got.Metadata.Get(key); v.V != value {
				t.Errorf("%s\nMetadata %q is %q, want %q", text, key, v.V, value)
			}
		}
		if len(got.DownstreamHostAndPorts) != len(route.DownstreamHostAndPorts) {
			t.Fatalf("%s\ngot %d hosts, want %d", text, len(got.DownstreamHostAndPorts), len(route.DownstreamHostAndPorts))
		}
		for j, host := range route.DownstreamHostAndPorts {
			same(t, text, "Host", got.DownstreamHostAndPorts[j].Host, host.Host)
			same(t, text, "Port", got.DownstreamHostAndPorts[j].Port, host.Port)
		}
		if q := route.QoSOptions; q != nil && got.QoSOptions != nil {
			same(t, text, "QoSOptions.Timeout", got.QoSOptions.Timeout, q.Timeout)
			same(t, text, "QoSOptions.FailureRatio", got.QoSOptions.FailureRatio, q.FailureRatio)
		}
	}
}

// same compares a value that encoding/json has found; what it has not found
// may be null, absent or a default.
func same[T interface {
	~string | ~int32 | ~float64 | ~bool
}](t *testing.T, text []byte, name string, got config.Value[T], want *T) {
	t.Helper()
	if want != nil && got.V != *want {
		t.Errorf("%s\n%s is %v, want %v", text, name, got.V, *want)
	}
}
