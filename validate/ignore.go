package validate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// mark begins every directive.
const mark = "margay:ignore"

// directive is one wish to silence a rule, written as
//
//	// margay:ignore RULE reason          on the line of the finding or above it
//	// margay:ignore-file RULE reason     anywhere
//	"//": "margay:ignore RULE reason"     for the object that holds the member
type directive struct {
	rule, reason string
	at           source.Span
	// from and to are offsets: findings that start between them are silenced.
	from, to int
	used     bool
}

// silence removes the findings that directives in the files silence and adds
// findings about the directives themselves.
func silence(in *Input, rules []*Rule, all *diag.List, opts Options) *diag.List {
	directives := directivesOf(in.Loaded)
	if len(directives) == 0 {
		return all
	}
	known := make(map[string]*Rule, len(rules))
	for _, r := range rules {
		known[r.Name] = r
	}
	kept := &diag.List{}
	sweeps := sweepsOf(directives)
	for _, f := range all.Sorted() {
		if r := known[f.Rule]; r != nil && r.Unsilenceable || !sweeps.silence(f) {
			kept.Add(f)
		}
	}
	var useless diag.List
	names := slices.Sorted(maps.Keys(known))
	wanted := severities{opts: opts}
	for i := range directives {
		d := &directives[i]
		if severity, ok := wanted.of(d.at.File)[d.rule]; !ok || severity != 0 { // else nobody has looked for findings
			d.check(known, names, &useless)
		}
	}
	kept.Add(adjust(&useless, opts).Sorted()...)
	return kept
}

// check says what is wrong with a directive itself; names are those of the known
// rules, sorted.
func (d *directive) check(known map[string]*Rule, names []string, out *diag.List) {
	rule, exists := known[d.rule]
	f := diag.Diagnostic{Rule: "unused-ignore", Severity: diag.Warning, Span: d.at}
	switch {
	case d.rule == "":
		f.Message, f.Help = "this comment names no rule", "write "+mark+" RULE and the reason"
	case !exists:
		f.Message = fmt.Sprintf("there is no rule %q", d.rule)
		if near, ok := diag.Suggest(d.rule, names); ok {
			f.Help = fmt.Sprintf("did you mean %q?", near)
		}
	case rule.Unsilenceable:
		f.Message = fmt.Sprintf("findings of %q can't be silenced: what they are about does not work as it is written", d.rule)
		f.Help = "remove the comment"
	case d.reason == "":
		f.Message, f.Help = fmt.Sprintf("this comment silences %q without a reason, so it does nothing", d.rule), "write the reason behind the rule's name"
	case d.used:
		return
	default:
		f.Message, f.Help = fmt.Sprintf("there is no finding of %q here that this comment could silence", d.rule), "remove the comment"
	}
	out.Add(f)
}
