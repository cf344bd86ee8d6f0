package headers_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/guard/headers"
	"github.com/margay-dev/margay/runtime/plan"
	"pgregory.net/rapid"
)

const base = "http://pub.example"

// transform reads a transform as the configuration writes it.
func transform(name, text string) plan.HeaderTransform {
	parts := strings.Split(text, ",")
	if len(parts) == 1 {
		return plan.HeaderTransform{Name: name, Kind: plan.SetHeader, Value: text}
	}
	return plan.HeaderTransform{Name: name, Kind: plan.ReplaceInside, Find: parts[0], Value: strings.TrimLeft(parts[1], " ")}
}

var client = headers.Client{Address: "10.0.0.9", Host: "gw.example:81"}

func TestRequest(t *testing.T) {
	for _, tt := range []struct {
		recorded, text string
		sent, want     []string
	}{
		{"ut-01", "const", []string{"old1", "old2"}, []string{"const"}},
		{"ut-02", "", []string{"old"}, nil},
		{"ut-03", "{BaseUrl}", nil, []string{base}},
		{"ut-04", "{RemoteIpAddress}", nil, []string{"10.0.0.9"}},
		{"ut-05", "{UpstreamHost}", []string{"old"}, []string{"gw.example:81"}},
		{"ut-06", "{TraceId}", []string{"old"}, nil},
		{"ut-08", "{Unknown}", []string{"old"}, nil},
		{"ut-09", "pre {UpstreamHost}", nil, []string{"pre {UpstreamHost}"}},
		{"ut-10", "old,new", []string{"the old value"}, []string{"the new value"}},
		{"ut-10", "old,new", []string{"old1", "old2"}, []string{"new1"}},
		{"ut-10", "old,new", nil, nil},
		{"ut-11", "old, new", []string{"old"}, []string{"new"}},
		{"ut-12", " old,new", []string{"old1", "old2"}, []string{"old1"}},
		{"ut-14", "old,", []string{"the old value"}, []string{"the  value"}},
		{"ut-14", "old,", []string{"old"}, nil},
		{"ut-18", "old,x{BaseUrl}y", []string{"old"}, []string{"x" + base + "y"}},
		{"ut-19", "old,{UpstreamHost}", []string{"old1", "old2"}, []string{"old1", "old2"}},
		{"ut-22", "{BaseUrl},x", []string{base}, []string{base}},
		{"ut-32", "{BaseUrl}{UpstreamHost}", []string{"old"}, nil},
		{"ut-33", "{x", nil, []string{"{x"}},
		{"ut-39", "old,{x", []string{"old"}, []string{"old"}},
		{"ut-40", "old,{BaseUrl} {BaseUrl}", []string{"old"}, []string{base + " " + base}},
		{"ut-41", "old,{BaseUrl}{UpstreamHost}", []string{"old"}, []string{base + "{UpstreamHost}"}},
	} {
		h := http.Header{}
		if tt.sent != nil {
			h["X-A"] = tt.sent
		}
		headers.NewRequest([]plan.HeaderTransform{transform("x-a", tt.text)}, base).Apply(h, client)
		if got := h["X-A"]; !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q on %q: got %q, want %q", tt.recorded, tt.text, tt.sent, got, tt.want)
		}
	}
}

func TestResponse(t *testing.T) {
	const backend = "http://127.0.0.1:8080/"
	for _, tt := range []struct {
		recorded, name, text string
		sent, want           []string
	}{
		{"dt-01", "X-A", "const", []string{"old1", "old2"}, []string{"old1", "old2"}},
		{"dt-02", "X-A", "const", nil, []string{"const"}},
		{"dt-03", "X-A", "", nil, nil},
		{"dt-05", "X-A", "{RemoteIpAddress}", nil, []string{"10.0.0.9"}},
		{"dt-07", "X-A", "{TraceId}", nil, nil},
		{"dt-08", "X-A", "{DownstreamBaseUrl}", nil, nil},
		{"dt-10", "X-A", "old,new", []string{"old1", "old2"}, []string{"new1"}},
		{"dt-15", "Location", "{DownstreamBaseUrl},http://pub.example", []string{backend + "d/2?x=1"}, []string{"http://pub.example/d/2?x=1"}},
		{"dt-15", "Location", "{DownstreamBaseUrl},http://pub.example", []string{"http://other/d"}, []string{"http://other/d"}},
		{"dt-16", "Location", "{DownstreamBaseUrl},http://pub.example/", []string{"http://127.0.0.1:8080"}, []string{"http://pub.example/"}},
		{"dt-17", "Location", "{DownstreamBaseUrl}, {BaseUrl}", []string{backend}, []string{base + "/"}},
		{"dt-18", "Location", "{DownstreamBaseUrl},/", []string{backend + "d"}, []string{"/d"}},
		{"dt-21", "Content-Type", "text/plain,text/html", []string{"text/plain"}, []string{"text/plain"}},
		{"dt-22", "Content-Type", "text/const", []string{"text/plain"}, []string{"text/const"}},
		{"dt-26", "X-A", "old,{UpstreamHost}", []string{"old"}, []string{"old"}},
	} {
		h := http.Header{}
		if tt.sent != nil {
			h[tt.name] = tt.sent
		}
		headers.NewResponse([]plan.HeaderTransform{transform(tt.name, tt.text)}, base).Apply(h, client, backend)
		if got := h[tt.name]; !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q on %q: got %q, want %q", tt.recorded, tt.text, tt.sent, got, tt.want)
		}
	}
}

func TestReplacementsComeFirst(t *testing.T) {
	h := http.Header{"X-A": {"a"}}
	headers.NewRequest([]plan.HeaderTransform{transform("X-A", "b"), transform("X-A", "a,c"), transform("X-A", "{UpstreamHost}")}, "").Apply(h, client)
	if got := h.Get("X-A"); got != client.Host {
		t.Errorf("got %q", got)
	}
}

func TestFramingIsLeftAlone(t *testing.T) {
	list := []plan.HeaderTransform{transform("content-length", "99"), transform("Transfer-Encoding", "chunked"), transform("Content-Length", "1,2")}
	if headers.NewRequest(list, "") != nil || headers.NewResponse(list, "") != nil {
		t.Error("framing can be changed")
	}
	h := http.Header{}
	headers.NewRequest([]plan.HeaderTransform{transform("Connection", "X-Secret"), transform("Host", "x"), transform("Upgrade", "h2c")}, "").Apply(h, client)
	if len(h) != 0 {
		t.Errorf("got %v", h)
	}
}

func TestNilChangesNothing(t *testing.T) {
	h := http.Header{"X-A": {"a"}}
	headers.NewRequest(nil, base).Apply(h, client)
	headers.NewResponse(nil, base).Apply(h, client, "")
	if len(h) != 1 || h.Get("X-A") != "a" {
		t.Errorf("got %v", h)
	}
}

func TestBaseURL(t *testing.T) {
	for _, tt := range [][3]string{
		{"http", "a:80", "http://a/"}, {"https", "a:443", "https://a/"}, {"https", "a:80", "https://a:80/"},
		{"http", "[::1]:8080", "http://[::1]:8080/"}, {"http", "", ""},
	} {
		if got := headers.BaseURL(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%v: got %q", tt, got)
		}
	}
}

// Transforms of one header never touch another.
func TestOtherHeadersStay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.SampledFrom([]string{"", "c", "a,b", ",", "{BaseUrl}", "{x}", "{", "a,{BaseUrl}"}).Draw(rt, "text")
		h := http.Header{"X-A": {rapid.String().Draw(rt, "value")}, "X-B": {"b1", "b2"}, "Content-Length": {"3"}}
		want := maps.Clone(h)
		list := []plan.HeaderTransform{transform("X-A", text)}
		headers.NewRequest(list, base).Apply(h, client)
		headers.NewResponse(list, base).Apply(h, client, "http://b/")
		for _, name := range []string{"X-B", "Content-Length"} {
			if !slices.Equal(h[name], want[name]) {
				rt.Fatalf("%s: got %q", name, h[name])
			}
		}
	})
}

func BenchmarkRequest(b *testing.B) {
	r := headers.NewRequest([]plan.HeaderTransform{transform("X-A", "old,new"), transform("X-B", "const"), transform("X-C", "{UpstreamHost}")}, base)
	h := http.Header{}
	b.ReportAllocs()
	for b.Loop() {
		h["X-A"] = []string{"the old value"}
		r.Apply(h, client)
	}
}
