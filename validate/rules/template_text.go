package rules

import (
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

// placeholdersIn returns the names between braces, each with the place of the
// braces. A brace that is never closed ends the search.
func placeholdersIn(template string) []piece {
	var all []piece
	for at := 0; ; {
		open := strings.IndexByte(template[at:], '{')
		if open < 0 {
			return all
		}
		open += at
		length := strings.IndexByte(template[open:], '}')
		if length < 0 {
			return all
		}
		at = open + length + 1
		all = append(all, piece{template[open+1 : at-1], open, at})
	}
}

// literalsIn returns the text outside of braces.
func literalsIn(template string) []piece {
	var all []piece
	from := 0
	for _, p := range placeholdersIn(template) {
		if p.start > from {
			all = append(all, piece{template[from:p.start], from, p.start})
		}
		from = p.end
	}
	if from < len(template) {
		all = append(all, piece{template[from:], from, len(template)})
	}
	return all
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
	if p.Gateway == nil {
		return
	}
	for i := range p.Gateway.Routes {
		r := &p.Gateway.Routes[i]
		switch {
		case r.Static != nil:
			f(r, r.Static.UpstreamPathTemplate, r.Static.UpstreamHost)
		case r.Aggregate != nil:
			f(r, r.Aggregate.UpstreamPathTemplate, r.Aggregate.UpstreamHost)
		}
	}
}
