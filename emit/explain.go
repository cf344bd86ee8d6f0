package emit

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
)

// Explain writes what one route gets: in plain words, then option by option
// with the reason, then what the other provider and the other side of every
// divergence would give it.
func Explain(w io.Writer, r *Result, route *normalize.Route, view View) error {
	e := explanation{Result: r, route: route, view: view}
	e.write("", Headline(r, view.Origin))
	for _, text := range r.remarks() {
		e.write("", text)
	}
	e.heading(e.title())
	if route.Kind == normalize.Aggregate {
		e.aggregate()
	} else {
		e.words()
		e.derivation()
		e.differences()
	}
	return e.flush(w)
}

// explanation is the making of one page.
type explanation struct {
	*Result
	route *normalize.Route
	view  View
	b     strings.Builder
}

func (e *explanation) write(indent, text string) {
	paragraph(&e.b, indent, indent, text, e.view.width())
}

// heading writes a title between empty lines.
func (e *explanation) heading(title string) {
	e.b.WriteString("\n")
	for i, line := range wrap(title, e.view.width()-2) {
		indent := "  "
		if i == 0 {
			indent = ""
		}
		e.b.WriteString(indent + e.view.bold(line) + "\n")
	}
	e.b.WriteString("\n")
}

func (e *explanation) title() string {
	r := e.route
	about := []string{e.keyOf(r)}
	if r.Kind == normalize.Unlisted {
		about = []string{"every service that DynamicRoutes does not list"}
	}
	if base := r.Base(); base != nil && base.Key.IsSet() {
		about = append(about, fmt.Sprintf("key %q", base.Key.V))
	}
	if at := e.span(r.Section().Origin); !at.IsZero() && r.Kind != normalize.Unlisted {
		p := at.Position()
		about = append(about, fmt.Sprintf("%s:%d:%d", at.File.Name, p.Line, p.Column))
	}
	return e.Mask(routeName(r)) + " (" + strings.Join(about, ", ") + ")"
}

func (e *explanation) aggregate() {
	var names []string
	for _, m := range e.route.Aggregate.Members {
		names = append(names, routeName(&e.Gateway.Routes[m]))
	}
	e.write("", "In words: one request is answered with the answers of "+strings.Join(names, " and ")+
		". An aggregate has no QoS of its own: each of its routes has its own breaker and timeouts.")
}

// words writes the paragraph in plain words.
func (e *explanation) words() {
	e.write("", "In words: "+strings.Join(Sentences(e.Result, e.route), " "))
	if !e.route.Live {
		e.write("", "No request reaches it: dynamic routes are switched off while there are static ones.")
	}
	if at := e.route.SharedWith; at >= 0 {
		first := &e.Gateway.Routes[at]
		e.write("", fmt.Sprintf("With Polly it is one circuit together with %s (%s; %s): the options of that route count for both.",
			routeName(first), e.keyOf(first), sameKey(e.Profile)))
	}
	e.b.WriteString("\n")
}

// sharedOwner returns the route whose breaker a route uses; see
// normalize.Route.SharedWith.
func sharedOwner(g *normalize.Gateway, route *normalize.Route) *normalize.Route {
	if route.SharedWith < 0 {
		return route
	}
	return &g.Routes[route.SharedWith]
}

// differences says what another provider and the other side of the divergences
// make of the route.
func (e *explanation) differences() {
	e.b.WriteString("\n")
	for d := range e.route.Divergences.All() {
		e.write("", fmt.Sprintf("The documentation and Ocelot %s differ here (%s): by the documentation %s; in the program %s.", e.Profile.Number(), d, d.Documented(), d.Observed()))
	}
	if e.route.Divergences != 0 {
		other := e.route.Otherwise()
		p := e.Profile
		who := "By the documentation instead: "
		if p.Version = ""; e.Profile.Documented() {
			who, p.Version = "With --ocelot 25.0 instead: ", "25.0"
		}
		e.write("", who+strings.Join(sentencesOf(&other, &other, p), " "))
	}
	if e.Profile.Provider == profile.None {
		return
	}
	other := e.Profile
	other.Provider = profile.Polly
	name := "AddPolly()"
	if e.Profile.Provider == profile.Polly {
		other.Provider, name = profile.Builtin, "AddQualityOfService()"
	}
	if !other.HasProvider() {
		return
	}
	gateway := normalize.Resolve(e.Config, other)
	for i := range e.Gateway.Routes {
		if &e.Gateway.Routes[i] != e.route {
			continue
		}
		with := &gateway.Routes[i]
		text := strings.Join(qosSentences(gateway, with), " ")
		if with.SharedWith >= 0 {
			text += " It is one circuit together with " + routeName(&gateway.Routes[with.SharedWith]) + ", whose options count for both."
		}
		if text == strings.Join(qosSentences(e.Gateway, e.route), " ") {
			e.write("", "With "+name+" it is the same.")
			return
		}
		e.write("", "With "+name+" instead: "+text)
	}
}
