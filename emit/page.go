package emit

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/emit/surprise"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/prose"
	"github.com/margay-dev/margay/validate"
)

// ExplainRule writes the page of a rule.
func ExplainRule(w io.Writer, rule *validate.Rule, view View) error {
	facts := []string{rule.Severity.String(), rule.Category.String()}
	if rule.Fixable {
		facts = append(facts, "can be fixed")
	}
	if rule.Unsilenceable {
		facts = append(facts, "can't be silenced")
	}
	var b strings.Builder
	title := rule.Name + "   (" + strings.Join(facts, ", ") + ")"
	for i, line := range prose.Wrap(title, view.width()) {
		if i == 0 {
			line = strings.Replace(line, rule.Name, view.bold(rule.Name), 1)
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("\n")
	if rule.Doc == "" {
		paragraph(&b, "", "", rule.Summary, view.width())
	}
	b.WriteString(page(rule.Doc, rule.Name, view))
	return writePage(w, b.String())
}

// page prepares Markdown for a terminal: prose is wrapped, code stays as it is,
// and the heading that repeats the name is left out.
func page(doc, name string, view View) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(doc) {
		line = strings.TrimRight(line, "\r\n")
		fence := strings.HasPrefix(line, "```")
		switch {
		case fence:
			code = !code
		case code:
			b.WriteString("    " + line + "\n")
		case strings.TrimLeft(line, "# ") == name:
		case strings.HasPrefix(strings.TrimLeft(line, " "), "- "):
			text := strings.TrimLeft(line, " ")
			indent := line[:len(line)-len(text)]
			paragraph(&b, indent+"- ", indent+"  ", strings.ReplaceAll(text[2:], "**", ""), view.width())
		case strings.HasPrefix(line, "#"):
			b.WriteString(view.bold(strings.TrimLeft(line, "# ")) + "\n")
		default:
			paragraph(&b, "", "", strings.ReplaceAll(line, "**", ""), view.width())
		}
	}
	return strings.TrimLeft(b.String(), "\n")
}

// ExplainDivergence writes the page of a divergence.
func ExplainDivergence(w io.Writer, d profile.Divergences, view View) error {
	var b strings.Builder
	b.WriteString(view.bold(d.String()) + "   (Ocelot 25.0 does something else than its documentation says)\n\n")
	write := func(text string) { paragraph(&b, "", "", text, view.width()) }
	write("By the documentation " + d.Documented() + ".")
	write("In the program of Ocelot 25.0 " + d.Observed() + ".")
	b.WriteString("\n")
	write("Without --ocelot margay answers by the documentation, and runs plans so; with --ocelot 25.0 it answers as the program does. " +
		"`margay resolve` marks every value on which the two differ, and `margay lint` reports the routes.")
	return writePage(w, b.String())
}

// ExplainSurprise writes the page of a surprise.
func ExplainSurprise(w io.Writer, s surprise.Surprise, view View) error {
	var b strings.Builder
	facts := []string{s.From + " → " + s.To, s.Danger.String()}
	for i, line := range wrap(s.ID+": "+s.Title+"   ("+strings.Join(facts, ", ")+")", view.width()) {
		if i == 0 {
			line = strings.Replace(line, s.ID+": "+s.Title, view.bold(s.ID+": "+s.Title), 1)
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("\n" + page(s.Page, s.ID, view))
	return writePage(w, b.String())
}

func writePage(w io.Writer, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}
