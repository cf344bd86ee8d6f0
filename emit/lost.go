package emit

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/syntax"
)

// Lost returns the routes, dynamic routes and aggregates that a text names and
// that Ocelot drops, in order: by position ("Routes:2", "#2"), template, service
// or Key. Select returns those that are in force.
func Lost(r *Result, text string) []*config.Dropped {
	var found []*config.Dropped
	for i := range r.Config.Dropped {
		d := &r.Config.Dropped[i]
		if list, index := r.droppedFrom(d); index >= 0 && text != "" && r.isLost(d, list, index, text) {
			found = append(found, d)
		}
	}
	return found
}

// droppedFrom returns the list that an element was dropped from, and its place
// there; -1 for something smaller than a route.
func (r *Result) droppedFrom(d *config.Dropped) (list string, index int) {
	path := strings.TrimPrefix(strings.TrimPrefix(d.Path, r.Loaded.Section), ":")
	list, number, _ := strings.Cut(path, ":")
	index, err := strconv.Atoi(number)
	if err != nil {
		return list, -1
	}
	return list, index
}

func (r *Result) isLost(d *config.Dropped, list string, index int, text string) bool {
	if text == d.Path || text == fmt.Sprintf("%s:%d", list, index) || list == "Routes" && text == fmt.Sprintf("#%d", index) {
		return true
	}
	for _, name := range []string{"UpstreamPathTemplate", "ServiceName", "Key"} {
		if id := r.Config.Tree.Find(d.Element.Node, name); id != 0 && r.Config.Tree.Text(id) == text {
			return true
		}
	}
	e := WrittenEntry(r.Config.Tree, d.Element)
	return e.Template != "" && text == strings.Join(e.Methods, ",")+" "+e.Template
}

// LostRoute is a static route that Ocelot drops.
type LostRoute struct {
	// Path is its place in the configuration, "Routes:2".
	Path string
	// Match says which requests it was meant to take, as far as it can be read.
	Match plan.Match
	// At is where it is written, "file:line:col".
	At string
	// Words say why Ocelot drops it. Secrets are masked.
	Words string
}

// LostRoutes returns the static routes with a path template that Ocelot drops,
// in order.
func LostRoutes(r *Result) []LostRoute {
	var found []LostRoute
	for i := range r.Config.Dropped {
		d := &r.Config.Dropped[i]
		list, index := r.droppedFrom(d)
		e := WrittenEntry(r.Config.Tree, d.Element)
		if list != "Routes" || index < 0 || e.Template == "" {
			continue
		}
		at := r.span(d.Element.Origin)
		p := at.Position()
		found = append(found, LostRoute{
			Path: d.Path,
			Match: plan.Match{
				Kind: plan.Static, Path: e.Template, Host: e.Host, Methods: e.Methods,
				Headers: writtenHeaders(r.Config.Tree, d.Element), Priority: int(e.Priority), CaseSensitive: e.CaseSensitive,
			},
			At:    fmt.Sprintf("%s:%d:%d", at.File.Name, p.Line, p.Column),
			Words: r.loss(d),
		})
	}
	return found
}

// writtenHeaders returns the UpstreamHeaderTemplates of an element that was
// dropped.
func writtenHeaders(tree *syntax.Tree, element config.Section) []plan.HeaderMatch {
	id := tree.Find(element.Node, "UpstreamHeaderTemplates")
	if id == 0 || tree.Node(id).Kind != syntax.Object {
		return nil
	}
	var headers []plan.HeaderMatch
	for child := range tree.Children(id) {
		if tree.Node(child).Kind == syntax.String {
			headers = append(headers, plan.HeaderMatch{Name: tree.Key(child), Template: tree.Text(child)})
		}
	}
	return headers
}

// ExplainLost writes why one of Lost is not in force, and what becomes of its
// requests.
func ExplainLost(w io.Writer, r *Result, d *config.Dropped, view View) error {
	e := explanation{Result: r, view: view}
	v := newAccessView(r)
	e.write("", Headline(r, view.Origin))
	e.heading(e.lostTitle(d))
	e.write("", v.loss(d)+v.inherits(d))
	e.b.WriteString("\n")
	e.write("", "`margay lint` shows the place, and what to write.")
	return e.flush(w)
}

func (e *explanation) lostTitle(d *config.Dropped) string {
	at := e.span(d.Element.Origin)
	p := at.Position()
	title := fmt.Sprintf("(%s, %s:%d:%d)", d.Path, at.File.Name, p.Line, p.Column)
	if name := WrittenEntry(e.Config.Tree, d.Element).Template; name != "" {
		title = e.Mask(printable(name)) + " " + title
	}
	return title
}

// loss says that an element is not in force, and why.
func (r *Result) loss(d *config.Dropped) string {
	return fmt.Sprintf("not in force: %s (%s): Ocelot drops it, because %s", d.Path, r.line(d.Reason.At.Origin), d.Reason.Why(r.Mask(printable(d.Reason.Value))))
}
