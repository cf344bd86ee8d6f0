package emit

import (
	"errors"
	"io"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
)

// View says how results are shown. The zero value shows all routes in 80
// columns without colour.
type View struct {
	// Width is the number of columns; 0 is 80.
	Width int
	// Color marks what matters with the colours of a terminal.
	Color bool
	// Route chooses routes as Select does; "" is all.
	Route string
	// Origin says where the profile came from, for the first line: "flag".
	Origin string
}

var errUnfinished = errors.New("not written yet")

// Table writes what every route gets, for people.
func Table(w io.Writer, results []*Result, view View) error { return errUnfinished }

// Markdown writes what Table writes, as Markdown.
func Markdown(w io.Writer, results []*Result, view View) error { return errUnfinished }

// Explain writes the derivation of one route step by step, and in plain words
// what protects it.
func Explain(w io.Writer, r *Result, route *normalize.Route, view View) error { return errUnfinished }

// ExplainStatus writes which of a route's mechanisms answers with a status.
func ExplainStatus(w io.Writer, r *Result, route *normalize.Route, status int, view View) error {
	return errUnfinished
}

// ExplainRule writes the page of a rule.
func ExplainRule(w io.Writer, rule *validate.Rule, view View) error { return errUnfinished }

// ExplainDivergence writes the page of a divergence.
func ExplainDivergence(w io.Writer, d profile.Divergences, view View) error { return errUnfinished }
