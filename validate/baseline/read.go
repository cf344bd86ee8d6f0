package baseline

import (
	"fmt"
	"math"
	"strconv"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Read reads a baseline. Where it returns findings, the file cannot be used;
// they say where it is broken and what to do.
func Read(file *source.File) (*Baseline, []diag.Diagnostic) {
	r := &reader{read: &Baseline{gateways: map[string]map[string]Entry{}}}
	doc := syntax.Parse(&r.tree, file)
	for i := range doc.Defects {
		defect := &doc.Defects[i]
		if defect.Phase == syntax.TopLevel && r.tree.Node(doc.Root).Kind != syntax.Bad {
			continue // root says it in our own words
		}
		message := defect.Message
		if defect.NoValue {
			message = doc.Nothing("a baseline is the object that --update-baseline writes")
		}
		r.found.Add(diag.Diagnostic{
			Rule: Rule, Severity: diag.Error, Message: message, Related: defect.Related, Help: again,
			Span: source.Span{File: file, Start: defect.Start, End: defect.End},
		})
	}
	if r.found.Len() == 0 {
		r.root(doc.Root)
	}
	if r.found.Len() > 0 {
		return nil, r.found.Sorted()
	}
	return r.read, nil
}

// again is what helps where the file is broken. It is never replaced on its own:
// what other gateways need would be lost.
const again = "take the file from version control, or delete it and run --update-baseline"

type reader struct {
	tree  syntax.Tree
	read  *Baseline
	found diag.List
}

func (r *reader) report(at source.Span, format string, args ...any) {
	r.found.Add(diag.Diagnostic{Rule: Rule, Severity: diag.Error, Message: fmt.Sprintf(format, args...), Span: at, Help: again})
}

// begin is the place of a node, for an object or a list its bracket alone.
func (r *reader) begin(id syntax.ID) source.Span {
	span := r.tree.Span(id)
	if kind := r.tree.Node(id).Kind; kind == syntax.Object || kind == syntax.Array {
		span.End = span.Start + 1
	}
	return span
}

func (r *reader) root(root syntax.ID) {
	if r.tree.Node(root).Kind != syntax.Object {
		r.report(r.begin(root), "the file is %s; expected the object that --update-baseline writes", r.tree.Node(root).Kind)
		return
	}
	version := r.member(root, "version")
	if version == 0 {
		r.report(r.begin(root), "the file has no \"version\", so it is no baseline")
		return
	}
	if text := r.tree.Text(version); text != strconv.Itoa(Version) {
		r.report(r.tree.Span(version), "the baseline is of version %s; this program reads version %d", text, Version)
		return
	}
	gateways := r.member(root, "gateways")
	if gateways == 0 || r.tree.Node(gateways).Kind != syntax.Object {
		r.report(r.begin(root), "\"gateways\" is missing or no object")
		return
	}
	for gateway := range r.tree.Children(gateways) {
		r.gateway(gateway)
	}
}

func (r *reader) gateway(list syntax.ID) {
	name := r.tree.Key(list)
	switch _, twice := r.read.gateways[name]; {
	case twice:
		r.report(r.tree.KeySpan(list), "the gateway %q stands here twice", name)
		return
	case r.tree.Node(list).Kind != syntax.Array:
		r.report(r.begin(list), "the findings of %q are %s; expected an array", name, r.tree.Node(list).Kind)
		return
	}
	known := map[string]Entry{}
	r.read.gateways[name] = known
	for item := range r.tree.Children(list) {
		e, ok := r.entry(item)
		if !ok {
			continue
		}
		if have, twice := known[e.Fingerprint]; twice { // as a merge of two branches leaves it
			e.Count = max(e.Count, have.Count)
		}
		known[e.Fingerprint] = e
	}
}

func (r *reader) entry(item syntax.ID) (Entry, bool) {
	if r.tree.Node(item).Kind != syntax.Object {
		r.report(r.begin(item), "a finding is %s; expected an object", r.tree.Node(item).Kind)
		return Entry{}, false
	}
	e := Entry{Rule: r.text(item, "rule"), Route: r.text(item, "route"), Option: r.text(item, "option"), Fingerprint: r.text(item, "fingerprint"), Count: 1}
	if e.Rule == "" || e.Fingerprint == "" {
		r.report(r.begin(item), "a finding needs \"rule\" and \"fingerprint\"")
		return e, false
	}
	count := r.member(item, "count")
	if count == 0 {
		return e, true
	}
	n, err := strconv.Atoi(r.tree.Text(count))
	if err != nil || n < 1 || n > math.MaxInt32 {
		r.report(r.begin(count), "\"count\" is %s; expected a whole number from 1 on", r.tree.Span(count).Text())
		return e, false
	}
	e.Count = n
	return e, true
}

// member returns the member of that exact name; 0 if there is none.
func (r *reader) member(object syntax.ID, name string) syntax.ID {
	for id := range r.tree.Children(object) {
		if r.tree.Key(id) == name {
			return id
		}
	}
	return 0
}

func (r *reader) text(object syntax.ID, name string) string {
	id := r.member(object, name)
	if id == 0 {
		return ""
	}
	if r.tree.Node(id).Kind != syntax.String {
		r.report(r.begin(id), "%q is %s; expected a text", name, r.tree.Node(id).Kind)
		return ""
	}
	return r.tree.Text(id)
}
