package validate

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
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

func (d *directive) covers(f diag.Diagnostic) bool {
	return f.Rule == d.rule && f.Span.File == d.at.File && f.Span.Start >= d.from && f.Span.Start < d.to
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
	for _, f := range all.Sorted() {
		if r := known[f.Rule]; r != nil && r.Unsilenceable || !silenced(f, directives) {
			kept.Add(f)
		}
	}
	var useless diag.List
	wanted := severities{opts: opts}
	for i := range directives {
		d := &directives[i]
		if severity, ok := wanted.of(d.at.File)[d.rule]; !ok || severity != 0 { // else nobody has looked for findings
			d.check(known, &useless)
		}
	}
	kept.Add(adjust(&useless, opts).Sorted()...)
	return kept
}

func silenced(f diag.Diagnostic, directives []directive) bool {
	found := false
	for i := range directives {
		if d := &directives[i]; d.reason != "" && d.covers(f) {
			d.used, found = true, true
		}
	}
	return found
}

// check says what is wrong with a directive itself.
func (d *directive) check(known map[string]*Rule, out *diag.List) {
	rule, exists := known[d.rule]
	f := diag.Diagnostic{Rule: "unused-ignore", Severity: diag.Warning, Span: d.at}
	switch {
	case d.rule == "":
		f.Message, f.Help = "this comment names no rule", "write "+mark+" RULE and the reason"
	case !exists:
		f.Message = fmt.Sprintf("there is no rule %q", d.rule)
		names := make([]string, 0, len(known))
		for name := range known {
			names = append(names, name)
		}
		if near, ok := diag.Suggest(d.rule, sorted(names)); ok {
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

func directivesOf(loaded *load.Result) []directive {
	var all []directive
	for i := range loaded.Texts {
		text := &loaded.Texts[i]
		if text.File == nil || !bytes.Contains(text.File.Text, []byte(mark)) {
			continue
		}
		for _, c := range text.Comments {
			at := source.Span{File: text.File, Start: int(c.Start), End: int(c.End)}
			if d, ok := parseDirective(strings.Trim(at.Text(), "/* \t\r\n"), at); ok {
				all = append(all, d)
			}
		}
		all = append(all, memberDirectives(loaded.Tree, text.Root)...)
	}
	return all
}

// parseDirective reads the text of a comment. A directive covers its own line
// and, where nothing stands before it on that line, the next one that is no
// comment.
func parseDirective(body string, at source.Span) (directive, bool) {
	rest, ok := strings.CutPrefix(body, mark)
	if !ok {
		return directive{}, false
	}
	whole := false
	if after, file := strings.CutPrefix(rest, "-file"); file {
		rest, whole = after, true
	}
	d := directive{at: at}
	d.rule, d.reason, _ = strings.Cut(strings.TrimSpace(rest), " ")
	d.reason = strings.TrimSpace(d.reason)
	if whole {
		d.to = len(at.File.Text) + 1
		return d, true
	}
	line := at.Position().Line
	d.from = at.File.LineStart(line)
	next := line + 1
	if len(bytes.TrimSpace(at.File.Text[d.from:at.Start])) == 0 {
		for isComment(at.File.Line(next)) {
			next++
		}
		next++
	}
	d.to = at.File.LineStart(next)
	return d, true
}

func isComment(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(line), []byte("//"))
}

// memberDirectives finds the members "//" of strict JSON. They cover the
// object that they stand in.
func memberDirectives(tree *syntax.Tree, root syntax.ID) []directive {
	var all []directive
	for c := range tree.Children(root) {
		if kind := tree.Node(c).Kind; kind == syntax.Object || kind == syntax.Array {
			all = append(all, memberDirectives(tree, c)...)
			continue
		}
		if tree.Key(c) != "//" || tree.Node(c).Kind != syntax.String {
			continue
		}
		at := tree.Span(c)
		if d, ok := parseDirective(tree.Text(c), at); ok {
			if object := tree.Span(root); d.to <= len(at.File.Text) {
				d.from, d.to = object.Start, object.End
			}
			all = append(all, d)
		}
	}
	return all
}
