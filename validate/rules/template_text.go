package rules

import (
	"iter"
	"strings"
	"unicode"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
)

// piece is a part of a template with its place in it.
type piece struct {
	text       string
	start, end int
}

// placeholdersIn yields the names between braces, each with the place of the
// braces. A brace that is never closed ends the search.
func placeholdersIn(template string) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		for at := 0; ; {
			p, ok := nextPlaceholder(template, at)
			if !ok || !yield(p) {
				return
			}
			at = p.end
		}
	}
}

// nextPlaceholder returns the first placeholder at or behind an offset.
func nextPlaceholder(template string, from int) (piece, bool) {
	open := strings.IndexByte(template[from:], '{')
	if open < 0 {
		return piece{}, false
	}
	open += from
	length := strings.IndexByte(template[open:], '}')
	if length < 0 {
		return piece{}, false
	}
	end := open + length + 1
	return piece{template[open+1 : end-1], open, end}, true
}

func hasPlaceholder(template string) bool {
	_, ok := nextPlaceholder(template, 0)
	return ok
}

// literalsIn yields the text outside of braces.
func literalsIn(template string) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		from := 0
		for p := range placeholdersIn(template) {
			if p.start > from && !yield(piece{template[from:p.start], from, p.start}) {
				return
			}
			from = p.end
		}
		if from < len(template) {
			yield(piece{template[from:], from, len(template)})
		}
	}
}

// pathOf returns a template without its query.
func pathOf(template string) string {
	path, _, _ := strings.Cut(template, "?")
	return path
}

// within returns the place of a part of a text value; that of the whole value
// where escapes make offsets unsure.
func within(p *validate.Pass, v config.Value[string], from, to int) source.Span {
	span := p.Span(v.Origin)
	if span.File == nil || span.Text() != `"`+v.V+`"` {
		return span
	}
	return source.Span{File: span.File, Start: span.Start + 1 + from, End: span.Start + 1 + to}
}

// isGroupName says whether .NET takes a name as that of a group of a regular
// expression: a number, or word characters that do not start with a digit.
func isGroupName(name string) bool {
	if name == "" {
		return false
	}
	if first := name[0]; first >= '0' && first <= '9' {
		return first != '0' && strings.Trim(name, "0123456789") == "" && len(name) < 10
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.Mn, unicode.Nd, unicode.Pc) && r != '\u200c' && r != '\u200d'
	})
}

// upstreams yields the upstream templates of static routes and aggregates.
func upstreams(p *validate.Pass, f func(r *normalize.Route, template, host config.Value[string])) {
	for r := range p.Resolved {
		switch {
		case r.Static != nil:
			f(r, r.Static.UpstreamPathTemplate, r.Static.UpstreamHost)
		case r.Aggregate != nil:
			f(r, r.Aggregate.UpstreamPathTemplate, r.Aggregate.UpstreamHost)
		}
	}
}
