package emit

import (
	"fmt"
	"io"

	"github.com/margay-dev/margay/normalize"
)

// ExplainStatus writes which of a route's mechanisms answer with a status, how
// to tell them apart, and what to look at next.
func ExplainStatus(w io.Writer, r *Result, route *normalize.Route, status int, view View) error {
	e := explanation{Result: r, route: route, view: view}
	e.write("", Headline(r, view.Origin))
	if text := r.refusal(); text != "" {
		e.write("", text)
	}
	e.heading(fmt.Sprintf("%d from %s", status, e.title()))
	found := WithStatus(Incidents(r, route), status)
	if len(found) == 1 && route.Kind != normalize.Aggregate {
		e.write("", fmt.Sprintf("No mechanism of this route answers %d by itself: it comes from the service.", status))
	} else {
		e.incidents(found)
	}
	return e.flush(w)
}

// WithStatus returns the incidents that may have a status: those of the gateway
// and, last, the service.
func WithStatus(all []Incident, status int) []Incident {
	var found []Incident
	for _, i := range all {
		if i.Status == status || i.Mechanism == ServiceItself {
			found = append(found, i)
		}
	}
	return found
}

// incidents lists incidents, each with how it is told and what comes next.
func (e *explanation) incidents(found []Incident) {
	for _, i := range found {
		e.item("- ", e.view.bold(string(i.Mechanism))+": "+i.About)
		if i.Tell != "" {
			e.item("  tell it by: ", i.Tell)
		}
		if i.Next != "" {
			e.item("  look at: ", i.Next)
		}
	}
}

func (e *explanation) item(first, text string) {
	paragraph(&e.b, first, "    ", e.Mask(text), e.view.width())
}

func (e *explanation) flush(w io.Writer) error {
	if _, err := io.WriteString(w, e.b.String()); err != nil {
		return fmt.Errorf("write explanation: %w", err)
	}
	return nil
}
