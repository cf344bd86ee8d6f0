package startup

import (
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/margay-dev/margay/schema/config"
)

// upstream is what makes two routes the same to V15: the texts as written. It
// does not see that /a and /A, or /a/{x} and /a/{y}, match the same requests.
type upstream struct {
	template, host, headers string
	hasTemplate, hasHost    bool
}

// siblings are the routes with one upstream.
type siblings struct {
	routes []*config.Route
	// clash says that V15 fails for every one of them.
	clash bool
	// nullMethod is the first method that is null: comparing it throws.
	nullMethod config.Origin
}

// duplicateRoutes is V15. Groups are found by a map, so its cost does not grow
// with the square of the routes.
func (v *validator) duplicateRoutes(alike []*config.Route) {
	groups := map[upstream]*siblings{}
	for _, r := range alike {
		key := upstreamOf(r)
		if groups[key] == nil {
			groups[key] = &siblings{}
		}
		groups[key].routes = append(groups[key].routes, r)
	}
	for _, g := range groups {
		g.compare()
	}
	for _, r := range alike {
		if g := groups[upstreamOf(r)]; len(g.routes) > 1 {
			v.duplicateRoute(r, g)
		}
	}
}

// alike finds the routes whose template hashes like that of another route. Most
// gateways have few, and a map of numbers is small enough to find them fast.
type alike struct {
	seed  maphash.Seed
	first map[uint64]int32
	again map[int32]bool
	count int32
}

func newAlike(routes int) *alike {
	return &alike{seed: maphash.MakeSeed(), first: make(map[uint64]int32, routes), again: map[int32]bool{}}
}

// add takes in the template of the next route.
func (a *alike) add(template string) {
	h := maphash.String(a.seed, template)
	if j, seen := a.first[h]; seen {
		a.again[j], a.again[a.count] = true, true
	} else {
		a.first[h] = a.count
	}
	a.count++
}

// of returns those of the routes, in order.
func (a *alike) of(routes []config.Route) []*config.Route {
	var found []*config.Route
	for _, i := range slices.Sorted(maps.Keys(a.again)) {
		found = append(found, &routes[i])
	}
	return found
}

// mostOthers bounds how many others a failure names: each of a thousand equal
// routes would name all the rest.
const mostOthers = 64

func (v *validator) duplicateRoute(r *config.Route, g *siblings) {
	if g.nullMethod.IsSet() {
		v.throw(Exception{Type: nullReference, Thrower: "FileConfigurationFluentValidator.IsNotDuplicateIn",
			Reason: "a method that is null cannot be compared with those of another route", Remedy: methodRemedy, At: g.nullMethod})
	}
	if !g.clash {
		return
	}
	var others []config.Origin
	for _, o := range g.routes[:min(len(g.routes), mostOthers+1)] { // with r, or one too many
		if o != r && len(others) < mostOthers {
			others = append(others, place(o.UpstreamPathTemplate.Origin, o.Origin))
		}
	}
	v.fail("V15", "duplicate-route", "route "+r.UpstreamPathTemplate.V+" has duplicate", place(r.UpstreamPathTemplate.Origin, r.Origin), others...)
}

func upstreamOf(r *config.Route) upstream {
	return upstream{
		template: r.UpstreamPathTemplate.V, hasTemplate: r.UpstreamPathTemplate.IsSet(),
		host: r.UpstreamHost.V, hasHost: r.UpstreamHost.IsSet(),
		headers: headerText(r.UpstreamHeaderTemplates),
	}
}

// headerText is the same for the same set of header templates in any order.
func headerText(d *config.Dict) string {
	if len(d.All()) == 0 {
		return ""
	}
	lines := make([]string, 0, len(d.Entries))
	for _, e := range d.Entries {
		value := "\x02" // missing, which is not empty
		if e.Value.IsSet() {
			value = e.Value.V
		}
		lines = append(lines, e.Key.V+"\x00"+value+"\x00")
	}
	slices.Sort(lines)
	return strings.Join(lines, "\x01")
}

// compare decides the group: more than one route for every verb, one for every
// verb beside one for some, or a verb twice without regard to case.
func (g *siblings) compare() {
	everyVerb, someVerbs := 0, false
	verbs := map[string]bool{}
	for _, r := range g.routes {
		if r.UpstreamHttpMethod.Len() == 0 {
			everyVerb++
		}
		for _, m := range r.UpstreamHttpMethod.All() {
			someVerbs = true
			if !m.IsSet() && !g.nullMethod.IsSet() {
				g.nullMethod = place(m.Origin, r.UpstreamHttpMethod.Origin, r.Origin)
			}
			verb := strings.Map(lower, m.V)
			g.clash = g.clash || verbs[verb]
			verbs[verb] = true
		}
	}
	g.clash = g.clash || everyVerb > 1 || everyVerb == 1 && someVerbs
}

// repeatedPlaceholder is V18, which looks first at all upstream, then at all
// downstream templates. The pattern it uses sees only names that are words, and
// it throws on a template that is missing.
func (v *validator) repeatedPlaceholder(name string, t config.Value[string], route config.Origin) {
	if !t.IsSet() {
		v.throw(Exception{Type: argumentNull, Thrower: "FileConfigurationFluentValidator.IsPlaceholderNotDuplicatedIn",
			Reason: name + " is missing", Remedy: "write \"" + name + "\", beginning with /", At: route})
		return
	}
	if repeatsWord(t.V) {
		v.fail("V18", "route-invalid", name+" '"+t.V+"' has duplicated placeholder", t.Origin)
	}
}

// repeatsWord says whether a placeholder {word} occurs twice.
func repeatsWord(template string) bool {
	var seen []string
	for rest := template; ; {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			return false
		}
		rest = after
		word := after[:len(after)-len(strings.TrimLeftFunc(after, isWord))]
		if word == "" || !strings.HasPrefix(after[len(word):], "}") {
			continue
		}
		if slices.Contains(seen, word) {
			return true
		}
		seen = append(seen, word)
	}
}

// isWord is \w of .NET's patterns.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc) || r == '\u200c' || r == '\u200d'
}

// lower is ToLower of the invariant culture: no character outside of ASCII has
// a lower case inside of it, so İ and I stay apart (val.dup.turkish).
func lower(r rune) rune {
	if low := unicode.ToLower(r); r < unicode.MaxASCII || low > unicode.MaxASCII {
		return low
	}
	return r
}
