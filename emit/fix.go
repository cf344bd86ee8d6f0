package emit

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
)

// Fix makes the safe edits of findings of the result. Of two fixes that touch
// each other, the one that comes first is made. It returns the files that change.
func (r *Result) Fix(findings []diag.Diagnostic) []Rewritten {
	made := madeEdits{}
	for _, d := range findings {
		if fixable(d) && !slices.ContainsFunc(d.Fix.Edits, made.touches) {
			made.add(d.Fix.Edits)
		}
	}
	var edits []diag.Edit
	for _, t := range r.Loaded.Texts {
		edits = append(edits, made[t.File]...)
	}
	return r.apply(edits)
}

func fixable(d diag.Diagnostic) bool { return d.Fix != nil && !d.Fix.Unsafe }

// Fixed is what FixAll makes of a gateway.
type Fixed struct {
	// Files are those that change, in the order in which they were loaded.
	Files []Rewritten
	// Harmful are the findings whose fixes were left out, because Ocelot would
	// not start with them, or would drop a route that it has now.
	Harmful []diag.Diagnostic
}

// mostPasses bounds how often FixAll looks again: every pass mends something, but
// nothing proves that it comes to an end.
const mostPasses = 10

// FixAll makes the safe edits of findings, and those of findings that only come
// to light by them, until there is nothing left to mend: a second run over the
// files finds nothing. Findings of the result that are not among those given are
// not mended. opts are those of Compile.
func (r *Result) FixAll(ctx context.Context, opts Options, findings []diag.Diagnostic) (Fixed, error) {
	spared := spare{}
	spared.count(r.Findings, 1)
	spared.count(findings, -1)
	f := fixer{ctx: ctx, first: r, opts: opts}
	now, chosen := r, findings
	for range mostPasses {
		next, err := f.pass(now, chosen)
		if err != nil || next == now {
			return f.out, err
		}
		spared.count(f.harmfulNow, 1)
		now, chosen = next, spared.without(next.Findings)
	}
	return f.out, nil
}

// spare counts findings that are to be left alone, by their fingerprints.
type spare map[string]int

func (s spare) count(ds []diag.Diagnostic, n int) {
	for _, d := range ds {
		s[report.Fingerprint(d)] += n
	}
}

// without leaves out as many findings of each fingerprint as are to be spared.
func (s spare) without(ds []diag.Diagnostic) []diag.Diagnostic {
	left := maps.Clone(s)
	var out []diag.Diagnostic
	for _, d := range ds {
		if print := report.Fingerprint(d); left[print] > 0 {
			left[print]--
			continue
		}
		out = append(out, d)
	}
	return out
}

// fixer makes fixes in passes.
type fixer struct {
	ctx        context.Context
	first      *Result
	opts       Options
	out        Fixed
	harmfulNow []diag.Diagnostic // of the last pass
}

// pass makes the fixes of findings and returns the gateway with them; the same
// one if there is nothing to make.
func (f *fixer) pass(now *Result, findings []diag.Diagnostic) (*Result, error) {
	findings = slices.DeleteFunc(slices.Clone(findings), func(d diag.Diagnostic) bool { return !fixable(d) })
	next, err := f.try(now, findings)
	if err != nil {
		return nil, err
	}
	f.harmfulNow = nil
	if worse(now, next) {
		if next, err = f.oneByOne(now, findings); err != nil {
			return nil, err
		}
	}
	f.out.Harmful = append(f.out.Harmful, f.harmfulNow...)
	return next, nil
}

// try compiles the gateway with fixes made, and keeps the files.
func (f *fixer) try(now *Result, findings []diag.Diagnostic) (*Result, error) {
	files := now.Fix(findings)
	if len(files) == 0 {
		return now, nil
	}
	all := f.first.later(f.out.Files, files)
	next, err := Compile(f.ctx, replaced(f.first.Input, all), f.opts)
	if err == nil && !worse(now, next) {
		f.out.Files = all
	}
	return next, err
}

// worse says whether a gateway that Ocelot ran would not run any more, or has
// lost a route. Of a text that was not JSON nobody knows.
func worse(before, after *Result) bool {
	if before.garbled() {
		return false
	}
	return before.Starts() && !after.Starts() || len(after.Gateway.Routes) < len(before.Gateway.Routes)
}

// oneByOne makes the fixes of one cause after the other and leaves out those
// that do harm. A fix moves what is behind it, so each attempt starts from the
// text as it was.
func (f *fixer) oneByOne(now *Result, findings []diag.Diagnostic) (*Result, error) {
	files := f.out.Files
	best := now
	var good []diag.Diagnostic
	for _, group := range byCause(findings) {
		f.out.Files = files
		next, err := f.try(now, slices.Concat(good, group))
		if err != nil {
			return nil, err
		}
		if worse(now, next) {
			f.harmfulNow = append(f.harmfulNow, group...)
			continue
		}
		best, good = next, append(good, group...)
	}
	f.out.Files = files
	if len(good) == 0 {
		return now, nil
	}
	_, err := f.try(now, good)
	return best, err
}

// byCause groups findings as reports do, in the order of the first of each
// group.
func byCause(ds []diag.Diagnostic) [][]diag.Diagnostic {
	type key struct{ rule, cause string }
	at := map[key]int{}
	var groups [][]diag.Diagnostic
	for _, d := range ds {
		k := key{d.Rule, d.Cause}
		i, known := at[k]
		if !known || d.Cause == "" {
			i = len(groups)
			groups = append(groups, nil)
			at[k] = i
		}
		groups[i] = append(groups[i], d)
	}
	return groups
}

// later puts newer contents in place of older ones. The files stay those of the
// result.
func (r *Result) later(files, newer []Rewritten) []Rewritten {
	latest := map[string]Rewritten{}
	for _, f := range slices.Concat(files, newer) {
		latest[f.File.Name] = f
	}
	var out []Rewritten
	for _, t := range r.Loaded.Texts {
		if f, ok := latest[t.File.Name]; ok {
			out = append(out, Rewritten{File: t.File, Raw: f.Raw, Text: f.Text})
			delete(latest, t.File.Name)
		}
	}
	return out
}

// madeEdits are edits by file, in the order of its text.
type madeEdits map[*source.File][]diag.Edit

// touches says whether an edit meets one that is made.
func (m madeEdits) touches(e diag.Edit) bool {
	edits, i := m.at(e)
	return i < len(edits) && edits[i].Span.Start <= e.Span.End
}

// at returns the edits of the same file and the position of the first that does
// not end before e.
func (m madeEdits) at(e diag.Edit) ([]diag.Edit, int) {
	edits := m[e.Span.File]
	i, _ := slices.BinarySearchFunc(edits, e.Span.Start, func(have diag.Edit, start int) int { return cmp.Compare(have.Span.End, start) })
	return edits, i
}

func (m madeEdits) add(fix []diag.Edit) {
	for _, e := range fix {
		edits, i := m.at(e)
		m[e.Span.File] = slices.Insert(edits, i, e)
	}
}
