package change_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/emit/change"
)

type object = map[string]any

// gateway draws a configuration with some of everything.
func gateway(t *rapid.T) object {
	var routes []any
	for i := range rapid.IntRange(1, 6).Draw(t, "routes") {
		routes = append(routes, route(t, i))
	}
	g := object{"Routes": routes}
	global := object{}
	if rapid.Bool().Draw(t, "global QoS") {
		global["QoSOptions"] = object{"RouteKeys": []any{"k0", "k2"}, "MinimumThroughput": rapid.IntRange(2, 9).Draw(t, "global throughput"), "Timeout": 7000}
	}
	if rapid.Bool().Draw(t, "global authentication") {
		global["AuthenticationOptions"] = object{"RouteKeys": []any{"k1", "k3"}, "AuthenticationProviderKeys": []any{"Global"}}
	}
	if len(global) > 0 {
		g["GlobalConfiguration"] = global
	}
	return g
}

func route(t *rapid.T, i int) object {
	r := object{
		"Key": fmt.Sprintf("k%d", i), "UpstreamPathTemplate": fmt.Sprintf("/r%d/{id}", i), "DownstreamPathTemplate": "/{id}", "DownstreamScheme": "http",
		"DownstreamHostAndPorts": []any{object{"Host": fmt.Sprintf("h%d", i), "Port": 80}},
	}
	maybe := func(name string, v any) {
		if rapid.Bool().Draw(t, fmt.Sprintf("%s of %d", name, i)) {
			r[name] = v
		}
	}
	maybe("UpstreamHttpMethod", []any{"Get", "Post"})
	maybe("QoSOptions", object{"MinimumThroughput": rapid.IntRange(2, 20).Draw(t, "throughput"), "BreakDuration": 2000, "Timeout": 3000})
	maybe("Timeout", rapid.IntRange(20, 80).Draw(t, "timeout"))
	maybe("AuthenticationOptions", object{"AuthenticationProviderKeys": []any{"Bearer"}, "AllowedScopes": []any{"a"}})
	maybe("RouteClaimsRequirement", object{"role": "admin"})
	maybe("SecurityOptions", object{"IPAllowedList": []any{"10.0.0.1"}})
	maybe("LoadBalancerOptions", object{"Type": "RoundRobin"})
	maybe("Metadata", object{"team": "a"})
	maybe("Priority", rapid.IntRange(1, 4).Draw(t, "priority"))
	return r
}

// TestSameIsNothing compares a gateway with itself, and with itself written in
// another way.
func TestSameIsNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := gateway(rt)
		plain, other := written(g, nil), written(g, rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "layout"), 1)))
		r := compare(t, plain, plain)
		if r.Changed || !strings.Contains(r.Summary, "byte by byte") {
			rt.Fatalf("with itself: %s", text(t, r))
		}
		r = compare(t, plain, other)
		if r.Changed || !strings.Contains(r.Summary, "only comments, layout or the order of names differ") {
			rt.Fatalf("with comments and layout changed: %s\n%s", text(t, r), other)
		}
	})
}

// written writes a configuration; with a source of chance, with the members of
// objects in any order, comments, and blanks.
func written(v any, chance *rand.Rand) string {
	var b strings.Builder
	write(&b, v, chance)
	return b.String()
}

func write(b *strings.Builder, v any, chance *rand.Rand) {
	blank := func() {
		if chance != nil {
			b.WriteString([]string{"", " ", "\n", "\r\n\t", " // a comment, {\n", "/* \"x\": */"}[chance.IntN(6)])
		}
	}
	blank()
	switch x := v.(type) {
	case object:
		keys := make([]string, 0, len(x))
		for key := range x {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		if chance != nil {
			chance.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		}
		list(b, '{', '}', len(keys), chance, func(i int) {
			blank()
			fmt.Fprintf(b, "%q:", keys[i])
			write(b, x[keys[i]], chance)
		})
	case []any:
		list(b, '[', ']', len(x), chance, func(i int) { write(b, x[i], chance) })
	default:
		out, _ := json.Marshal(v)
		b.Write(out)
	}
	blank()
}

func list(b *strings.Builder, open, end byte, n int, chance *rand.Rand, item func(int)) {
	b.WriteByte(open)
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		item(i)
	}
	if n > 0 && chance != nil && chance.IntN(2) == 0 {
		b.WriteByte(',')
	}
	b.WriteByte(end)
}

// plants are changes of one route and what has to be said of it.
var plants = []struct {
	name   string
	aspect string
	less   bool
	// apply returns false where the route has nothing to change.
	apply func(r object) bool
}{
	{"throughput", "breaker", false, func(r object) bool { return set(r, "QoSOptions", "MinimumThroughput", 77) }},
	{"break", "breaker", false, func(r object) bool { return set(r, "QoSOptions", "BreakDuration", 61_000) }},
	{"attempt", "timeout", false, func(r object) bool { return set(r, "QoSOptions", "Timeout", 3456) }},
	{"outer", "timeout", false, func(r object) bool { r["Timeout"] = 85; return true }},
	{"open", "access", true, func(r object) bool { return remove(r, "AuthenticationOptions") }},
	{"scopes", "access", true, func(r object) bool { return set(r, "AuthenticationOptions", "AllowedScopes", []any{"a", "b"}) }},
	{"claims", "access", true, func(r object) bool { return remove(r, "RouteClaimsRequirement") }},
	{"addresses", "access", true, func(r object) bool { return remove(r, "SecurityOptions") }},
	{"certificate", "access", true, func(r object) bool { r["DangerousAcceptAnyServerCertificateValidator"] = true; return true }},
	{"host", "backend", false, func(r object) bool {
		r["DownstreamHostAndPorts"] = []any{object{"Host": "elsewhere", "Port": 81}}
		return true
	}},
	{"path", "backend", false, func(r object) bool { r["DownstreamPathTemplate"] = "/v2/{id}"; return true }},
	{"methods", "match", false, func(r object) bool { r["UpstreamHttpMethod"] = []any{"Delete"}; return true }},
	{"placeholder", "match", false, func(r object) bool {
		r["UpstreamPathTemplate"] = strings.Replace(r["UpstreamPathTemplate"].(string), "{id}", "{number}", 1)
		r["DownstreamPathTemplate"] = "/{number}"
		return true
	}},
	{"metadata", "metadata", false, func(r object) bool { r["Metadata"] = object{"team": "b"}; return true }},
	{"balancer", "loadBalancer", false, func(r object) bool { r["LoadBalancerOptions"] = object{"Type": "LeastConnection"}; return true }},
}

func set(r object, section, name string, v any) bool {
	s, ok := r[section].(object)
	if ok {
		s[name] = v
	}
	return ok
}

func remove(r object, name string) bool {
	_, ok := r[name]
	delete(r, name)
	return ok
}

// TestAPlantIsFoundExactlyThere changes one thing of one route: that route, that
// aspect, and no other route is reported, and the JSON of the report is the same
// every time and fits its schema.
func TestAPlantIsFoundExactlyThere(t *testing.T) {
	schema := compiledSchema(t)
	rapid.Check(t, func(rt *rapid.T) {
		g := gateway(rt)
		old := written(g, nil)
		routes := g["Routes"].([]any)
		at := rapid.IntRange(0, len(routes)-1).Draw(rt, "route")
		plant := plants[rapid.IntRange(0, len(plants)-1).Draw(rt, "plant")]
		target := routes[at].(object)
		if !plant.apply(target) {
			rt.Skip()
		}
		new := written(g, nil)
		r := compare(t, old, new)
		if len(r.Routes) != 1 || !strings.Contains(r.Routes[0].ID, fmt.Sprintf("/r%d/", at)) {
			rt.Fatalf("%s of route %d: got\n%s", plant.name, at, text(t, r))
		}
		if len(r.Requests) > 0 || len(r.Settings) > 0 {
			rt.Fatalf("%s: more than the route is reported:\n%s", plant.name, text(t, r))
		}
		found := r.Routes[0].Changes
		if !slices.ContainsFunc(found, func(c change.Change) bool { return c.Aspect == plant.aspect && c.At != nil }) {
			rt.Fatalf("%s: got\n%s", plant.name, text(t, r))
		}
		global, _ := g["GlobalConfiguration"].(object)
		if _, guarded := global["AuthenticationOptions"]; !guarded && r.Routes[0].LessProtected != plant.less {
			rt.Fatalf("%s: less protected is %v:\n%s", plant.name, r.Routes[0].LessProtected, text(t, r))
		}
		first := jsonText(t, r)
		if again := jsonText(t, compare(t, old, new)); again != first {
			rt.Fatalf("got\n%s\nthe second time, the first time\n%s", again, first)
		}
		checkSchema(t, schema, first)
	})
}

func jsonText(t testing.TB, r *change.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := change.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
