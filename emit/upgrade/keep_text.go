package upgrade

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/prose"
)

// mostNamed bounds how many routes are named for one cause.
const mostNamed = 5

// KeptText writes what the edits keep, and what cannot be kept and why, for
// people at a terminal: one paragraph for each cause.
func KeptText(w io.Writer, k *Kept, r *Report, view View) error {
	var b strings.Builder
	prose.Paragraph(&b, "", "  ", k.summary(r), view.Columns())
	for _, group := range k.groups() {
		text := fmt.Sprintf("not kept (%s): %s", group.cause, group.text)
		if len(group.routes) > 0 {
			text += ": " + prose.List(group.routes, mostNamed)
		}
		prose.Paragraph(&b, "- ", "  ", prose.Printable(text), view.Columns())
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write what is kept: %w", err)
	}
	return nil
}

// summary says how much is kept.
func (k *Kept) summary(r *Report) string {
	lost := map[string]bool{}
	for _, l := range k.Losses {
		lost[l.Route] = true
	}
	name := r.Path
	switch {
	case k.Changing == 0 && len(k.Losses) == 0 && len(k.Files) == 0:
		return name + ": nothing to keep, no route changes"
	case len(k.Files) == 0:
		return fmt.Sprintf("%s: no edit keeps anything of %s", name, prose.Plural(int64(k.Changing), "changing route"))
	case len(k.Losses) == 0:
		return fmt.Sprintf("%s: with these edits every route behaves under Ocelot %s as it does today", name, r.To.Ocelot)
	}
	delete(lost, "")
	return fmt.Sprintf("%s: with these edits all but %s behave under Ocelot %s as they do today", name, prose.Plural(int64(max(len(lost), 1)), "route"), r.To.Ocelot)
}

// lossGroup are losses with one cause and text.
type lossGroup struct {
	cause  Cause
	text   string
	routes []string
}

func (k *Kept) groups() []*lossGroup {
	var all []*lossGroup
	at := map[string]*lossGroup{}
	for _, l := range k.Losses {
		key := string(l.Cause) + l.Text
		if at[key] == nil {
			at[key] = &lossGroup{cause: l.Cause, text: l.Text}
			all = append(all, at[key])
		}
		if l.Route != "" {
			at[key].routes = append(at[key].routes, l.Route)
		}
	}
	return all
}
