package change

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// matching words which requests a route takes.
func (w *wording) matching() {
	a, b := w.old.match, w.new.match
	if fields := w.take("match.kind"); len(fields) > 0 {
		w.sayf("match", fields, "is a %s route instead of a %s one", b.Kind, a.Kind)
	}
	if fields := w.take("match.methods"); len(fields) > 0 {
		w.sayf("match", fields, "takes %s instead of %s", methods(b.Methods), methods(a.Methods))
	}
	if fields := w.take("match.path"); len(fields) > 0 {
		w.say("match", fields, fmt.Sprintf("takes %s instead of %s", b.Path, a.Path)).Detail = w.left404(a)
	}
	if fields := w.take("match.host"); len(fields) > 0 {
		w.sayf("match", fields, "takes %s instead of %s", host(b.Host), host(a.Host))
	}
	if fields := w.take("match.headers"); len(fields) > 0 {
		w.sayf("match", fields, "demands %s instead of %s", headers(b.Headers), headers(a.Headers))
	}
	if fields := w.take("match.priority"); len(fields) > 0 {
		w.sayf("match", fields, "has priority %d instead of %d", b.Priority, a.Priority)
	}
	if fields := w.take("match.caseSensitive"); len(fields) > 0 {
		if b.CaseSensitive {
			w.say("match", fields, "is compared with regard to case")
		} else {
			w.say("match", fields, "is compared without regard to case")
		}
	}
}

// left404 says where requests go that fit the old template of a renamed route.
func (w *wording) left404(m *plan.Match) string {
	to, request := w.heir(w.old)
	switch {
	case to >= 0 && &w.comparison.new.entries[to] == w.new:
		return "" // only the names of placeholders differ
	case to < 0 && request == "":
		return "requests for " + m.Path + " are answered 404 now"
	case to < 0:
		return ""
	}
	return "requests for " + m.Path + " now reach " + w.comparison.new.entries[to].id
}

func methods(list []string) string {
	if len(list) == 0 {
		return "every method"
	}
	return strings.Join(list, ", ")
}

func host(name string) string {
	if name == "" {
		return "requests for every host"
	}
	return "requests for " + name
}

func headers(list []plan.HeaderMatch) string {
	if len(list) == 0 {
		return "no header"
	}
	var parts []string
	for _, h := range list {
		parts = append(parts, h.Name+": "+h.Template)
	}
	return strings.Join(parts, " and ")
}

// backend words where requests go.
func (w *wording) backend() {
	a, b := &w.old.route.Backend, &w.new.route.Backend
	if fields := w.take("backend.scheme", "backend.hosts", "backend.service", "backend.namespace"); len(fields) > 0 {
		w.sayf("backend", fields, "goes to %s instead of %s", target(b), target(a))
	}
	if fields := w.take("backend.path"); len(fields) > 0 {
		w.sayf("backend", fields, "asks for %s instead of %s", orElse(b.Path, "the client's path"), orElse(a.Path, "the client's path"))
	}
	if fields := w.take("backend.method"); len(fields) > 0 {
		w.sayf("backend", fields, "asks with %s instead of %s", orElse(b.Method, "the client's method"), orElse(a.Method, "the client's method"))
	}
	if fields := w.take("backend.httpVersion", "backend.versionPolicy"); len(fields) > 0 {
		w.sayf("backend", fields, "asks with %s instead of %s", version(b), version(a))
	}
	if fields := w.take("backend.handler"); len(fields) > 0 {
		w.say("backend", fields, plainly("connections", "backend.handler", fields))
	}
}

func target(b *plan.Backend) string {
	where := "the service " + b.Service
	if b.Namespace != "" {
		where += " of " + b.Namespace
	}
	if b.Service == "" {
		var hosts []string
		for _, h := range b.Hosts {
			text := h.Name
			if h.Port != 0 {
				text += ":" + strconv.Itoa(h.Port)
			}
			hosts = append(hosts, text)
		}
		where = strings.Join(hosts, ", ")
	}
	if b.Scheme == "" {
		return orElse(where, "nowhere")
	}
	return b.Scheme + "://" + orElse(where, "nowhere")
}

func version(b *plan.Backend) string {
	text := "HTTP/" + orElse(b.HTTPVersion, "1.1")
	if b.VersionPolicy != "" {
		text += " (" + string(b.VersionPolicy) + ")"
	}
	return text
}

// sketch says in a few words what a new route has.
func (c *comparison) sketch(e *entry) string {
	if e.route == nil {
		return "an aggregate of " + strconv.Itoa(len(e.aggregate.Members)) + " routes"
	}
	parts := []string{"no breaker"}
	switch b := e.route.Breaker; {
	case b != nil:
		parts[0] = opensText(b) + ", stays open " + staysText(b)
	case e.source != nil && e.source.Excluded:
		parts[0] += " (RouteKeys of the global QoSOptions do not name it)"
	}
	if at := e.route.AttemptTimeout; at > 0 {
		parts = append(parts, "attempt timeout "+millis(at))
	}
	switch a := e.route.Authentication; a {
	case nil:
		parts = append(parts, "no authentication")
	default:
		parts = append(parts, "authentication by "+schemes(a))
	}
	return strings.Join(parts, "; ")
}

// reach words that requests reach a route no more, or again.
func (w *wording) reach(p pair, was, is bool) {
	switch {
	case was == is:
		return
	case was:
		w.out = append(w.out, Change{Aspect: "reach", Text: "requests reach it again", At: textPlace(newSide, w.new.at()), Fields: []Field{}})
		return
	}
	shadow := w.comparison.new.Shadows[p.new]
	by := &w.comparison.new.entries[shadow.By[0]]
	change := Change{Aspect: "reach", Text: "no request reaches it any more: " + by.id + " takes them first", Fields: []Field{},
		At: textPlace(newSide, by.at()), Detail: "such as " + shadow.Witness.String()}
	if lost := lessProtected(accessOf(w.old), accessOf(by)); lost != "" {
		change.LessProtected = true
		change.Detail += "; that route " + lost
	}
	w.out = append(w.out, change)
}
