package upgrade

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/emit/surprise"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
)

// Findings returns a report as findings, for formats that know nothing else. A
// finding's rule is the first surprise, or "upgrade-" and the danger.
func Findings(r *Report, of *emit.Result) []diag.Diagnostic {
	var list diag.List
	add := func(route string, item *Item) {
		list.Add(diag.Diagnostic{
			Rule: ruleOf(item), Severity: severity(item.Danger), Message: message(route, item), Effect: item.Detail,
			Span: spanOf(of, item.At), Subject: diag.Subject{Route: route, Option: item.Aspect},
			Help: "`margay upgrade --keep` writes what keeps today's behaviour, as far as a file can say it",
		})
	}
	for i := range r.Gateway {
		add("", &r.Gateway[i])
	}
	for i := range r.Routes {
		for n := range r.Routes[i].Changes {
			add(r.Routes[i].ID, &r.Routes[i].Changes[n])
		}
	}
	return list.Sorted()
}

func message(route string, item *Item) string {
	if route == "" {
		return item.Text
	}
	return route + ": " + item.Text
}

func ruleOf(item *Item) string {
	if len(item.Surprises) > 0 {
		return item.Surprises[0]
	}
	return "upgrade-" + string(item.Danger)
}

func severity(d Danger) diag.Severity {
	switch {
	case d.rank() <= Protection.rank():
		return diag.Error
	case d == Note, d == Other:
		return diag.Info
	}
	return diag.Warning
}

// spanOf returns the word at a place; the zero Span where it is nowhere.
func spanOf(r *emit.Result, p *change.Place) source.Span {
	if p == nil {
		return source.Span{}
	}
	i := slices.IndexFunc(r.Config.Files(), func(f *source.File) bool { return placeName(f.Name) == p.File })
	if i < 0 {
		return source.Span{}
	}
	file := r.Config.Files()[i]
	start := file.LineStart(p.Line)
	for range p.Column - 1 {
		_, size := utf8.DecodeRune(file.Text[start:])
		start += size
	}
	end := start
	for end < len(file.Text) && !slices.Contains([]byte(",]}\r\n"), file.Text[end]) {
		end++
	}
	return source.Span{File: file, Start: start, End: max(end, min(start+1, len(file.Text)))}
}

// Rules are the rules of Findings, for formats with a catalogue of rules: the
// surprises with their pages, and one rule for each danger.
func Rules() []report.Rule {
	all := make([]report.Rule, 0, len(dangers))
	for _, d := range dangers {
		category := "Upgrade"
		if d.danger == Protection {
			category = "Security"
		}
		all = append(all, report.Rule{Name: "upgrade-" + string(d.danger), Summary: sentence(d.heading), Severity: severity(d.danger), Category: category})
	}
	for _, s := range surprise.Surprises() {
		all = append(all, report.Rule{Name: s.ID, Summary: sentence(s.Title), Doc: s.Page, Severity: diag.Warning, Category: "Upgrade"})
	}
	return all
}

func sentence(clause string) string { return strings.ToUpper(clause[:1]) + clause[1:] + "." }
