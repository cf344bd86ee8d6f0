package change

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// wording puts the fields in which two routes differ into words. Every field is
// taken once, so that nothing is said twice and nothing is left out.
type wording struct {
	*comparison
	old, new *entry
	left     []Field
	out      []Change
}

// route words a route: who may call it, what guards its calls, then the rest.
func (w *wording) route() {
	w.program()
	w.access()
	w.breaker()
	w.timeouts()
	w.matching()
	w.backend()
	w.rateLimit()
	w.rest()
}

// take removes the fields with the given names, or inside of them, and returns
// them.
func (w *wording) take(names ...string) []Field {
	var taken []Field
	w.left = slices.DeleteFunc(w.left, func(f Field) bool {
		if !f.Under(names...) {
			return false
		}
		taken = append(taken, f)
		return true
	})
	return taken
}

// say adds a change, with the line that causes it.
func (w *wording) say(aspect string, fields []Field, text string) *Change {
	w.out = append(w.out, Change{Aspect: aspect, Text: text, At: w.cause(w.old, w.new, fields), Fields: fields})
	return &w.out[len(w.out)-1]
}

func (w *wording) sayf(aspect string, fields []Field, format string, args ...any) {
	w.say(aspect, fields, fmt.Sprintf(format, args...))
}

// aspects name the parts of a route that are told member by member.
var aspects = []struct{ field, aspect, words string }{
	{"retry", "retry", "retry"}, {"concurrencyLimiter", "concurrencyLimiter", "concurrency limiter"},
	{"fallback", "fallback", "fallback"}, {"chaos", "chaos", "chaos"}, {"problemDetails", "problemDetails", "ProblemDetails"},
	{"rateLimit", "rateLimit", "rate limit"}, {"cache", "cache", "cache"}, {"loadBalancer", "loadBalancer", "load balancer"},
	{"passiveHealth", "loadBalancer", "passive health"},
	{"requestHeaders", "headers", "headers to the backend"}, {"responseHeaders", "headers", "headers to the client"},
	{"requestIdHeader", "headers", "header of the request id"}, {"claims", "claims", "claims"},
	{"handlers", "handlers", "delegating handlers"}, {"key", "key", "Key"}, {"metadata", "metadata", "Metadata"},
	{"members", "aggregate", "members"}, {"aggregator", "aggregate", "aggregator"},
}

// rest words the fields that are left: each aspect is one change.
func (w *wording) rest() {
	for _, a := range aspects {
		if fields := w.take(a.field); len(fields) > 0 {
			w.say(a.aspect, fields, plainly(a.words, a.field, fields))
		}
	}
	for _, f := range w.left {
		w.say(strings.SplitN(f.Name, ".", 2)[0], []Field{f}, plainly(f.Name, f.Name, []Field{f}))
	}
	w.left = nil
}

// plainly says in one line what became of the members of something.
func plainly(words, prefix string, fields []Field) string {
	var parts []string
	for _, f := range fields {
		name := strings.TrimPrefix(strings.TrimPrefix(f.Name, prefix), ".")
		if name != "" {
			name += " "
		}
		switch {
		case f.Old == nil && name == "":
			parts = append(parts, "now "+valueText(f.New))
		case f.New == nil && name == "":
			parts = append(parts, "none any more (was "+valueText(f.Old)+")")
		default:
			parts = append(parts, name+valueText(f.New)+" instead of "+valueText(f.Old))
		}
	}
	return words + ": " + strings.Join(parts, ", ")
}

// longestValue bounds a value inside of a sentence.
const longestValue = 120

// valueText writes a value as a plan has it, without the quotes of a single
// text.
func valueText(v any) string {
	switch x := v.(type) {
	case nil:
		return "none"
	case string:
		return x
	case []string:
		return strings.Join(x, ", ")
	}
	if text := fmt.Sprint(v); !strings.ContainsAny(text, "{[& ") {
		return text
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if runes := []rune(string(text)); len(runes) > longestValue {
		return string(runes[:longestValue]) + "…"
	}
	return string(text)
}
