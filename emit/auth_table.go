package emit

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
)

// The columns of the table of who may call what.
const (
	accessNumber = iota
	accessRoute
	accessAuthentication
	accessClaims
	accessAddresses
	accessFrom
	accessColumns
)

var accessTitles = []string{"#", "route", "authentication", "claims", "addresses", "from"}

// AccessTable writes who may call every route, for people: one table for each
// result, in the layout of Table.
func AccessTable(w io.Writer, results []*Result, view View) error {
	var b strings.Builder
	for i, r := range results {
		if i > 0 {
			b.WriteString("\n")
		}
		newAccessView(r).table(&b, view)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

func (v *accessView) table(b *strings.Builder, view View) {
	paragraph(b, "", "  ", Headline(v.Result, view.Origin), view.width())
	if text := v.refusal(); text != "" {
		paragraph(b, "", "  ", text, view.width())
	}
	all := v.callers(view)
	if len(all) == 0 {
		b.WriteString(v.noRoutes(view) + "\n")
		return
	}
	var notes footnotes
	rows := make([][]string, 0, len(all))
	for i := range all {
		rows = append(rows, v.cells(&all[i], &notes))
	}
	writeGrid(b, accessTitles, rows, view)
	if len(notes.texts) > 0 {
		b.WriteString("\n")
	}
	for i, text := range notes.texts {
		mark := superscript(i + 1)
		paragraph(b, mark+" ", strings.Repeat(" ", wide(mark)+1), text, view.width())
	}
	for _, text := range v.accessLosses() {
		paragraph(b, "", "  ", text, view.width())
	}
}

// writeGrid lays cells out in columns: first those of the route and the last one
// give way, then all.
func writeGrid(b *strings.Builder, titles []string, rows [][]string, view View) {
	needs := make([]int, len(titles))
	for c, text := range titles {
		needs[c] = wide(text)
		for _, row := range rows {
			needs[c] = max(needs[c], wide(row[c]))
		}
	}
	widths := columns(needs, view.width(), narrowing{accessRoute: 16, accessFrom: 12, accessAuthentication: 16, accessClaims: 10, accessAddresses: 12},
		narrowing{accessRoute: 10, accessFrom: 8, accessAuthentication: 10, accessClaims: 6, accessAddresses: 8})
	b.WriteString(view.bold(oneLine(titles, widths)) + "\n")
	for _, row := range rows {
		cells := make([][]string, len(row))
		height := 0
		for c, text := range row {
			cells[c] = wrap(text, widths[c])
			height = max(height, len(cells[c]))
		}
		for y := range height {
			line := make([]string, len(row))
			for c := range cells {
				if y < len(cells[c]) {
					line[c] = cells[c][y]
				}
			}
			b.WriteString(oneLine(line, widths) + "\n")
		}
	}
}

// cells words one route; notes are marked on its name.
func (v *accessView) cells(c *callers, notes *footnotes) []string {
	row := make([]string, accessColumns)
	row[accessNumber], row[accessRoute] = numberOf(c.route), v.Mask(routeName(c.route))
	for _, text := range c.notes {
		row[accessRoute] += " " + notes.mark(v.Mask(printable(text)))
	}
	if c.route.Kind == normalize.Aggregate {
		row[accessAuthentication], row[accessClaims], row[accessAddresses], row[accessFrom] = "its routes' own", none, none, "its routes"
		return row
	}
	row[accessAuthentication] = v.Mask(printable(c.authenticationWords()))
	row[accessClaims], row[accessAddresses] = none, none
	var claims []string
	for _, claim := range c.claims {
		claims = append(claims, claim.Type+"="+claim.Value)
	}
	if len(claims) > 0 {
		row[accessClaims] = v.Mask(printable(strings.Join(claims, ", ")))
	}
	if text := c.addressWords(); text != "" {
		row[accessAddresses] = v.Mask(printable(text))
	}
	row[accessFrom] = v.accessOrigins(c)
	return row
}

func (c *callers) authenticationWords() string {
	switch {
	case c.open():
		return "none: everybody"
	case c.authentication == nil:
		return "none"
	case len(c.authentication.Scopes) == 0:
		return strings.Join(c.authentication.Schemes, " or ")
	}
	return strings.Join(c.authentication.Schemes, " or ") + " with scope " + strings.Join(c.authentication.Scopes, " or ")
}

func (c *callers) addressWords() string {
	if c.addresses == nil {
		return ""
	}
	var parts []string
	if len(c.addresses.Allowed) > 0 {
		parts = append(parts, "only "+strings.Join(c.addresses.Allowed, ", "))
	}
	if len(c.addresses.Blocked) > 0 {
		text := "not " + strings.Join(c.addresses.Blocked, ", ")
		if c.addresses.AllowedBeatBlocked && len(c.addresses.Allowed) > 0 {
			text += ", unless allowed"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// accessOrigin is a section that decides who may call a route.
type accessOrigin struct {
	// part is "authentication", "claims" or "addresses", word ofRoute or
	// ofGlobal.
	part, word string
	at         config.Origin
}

// origins are the sections that decide, the route's own before the global ones.
func (v *accessView) origins(c *callers) []accessOrigin {
	var all []accessOrigin
	own, global := v.sections(c.route)
	for _, s := range []struct {
		word string
		o    *config.AuthenticationOptions
	}{{ofRoute, &own}, {ofGlobal, &global}} {
		if decides(s.o) {
			all = append(all, accessOrigin{"authentication", s.word, s.o.Origin})
		}
	}
	if c.route.Kind != normalize.Static {
		return all
	}
	if d := c.route.Static.RouteClaimsRequirement; len(d.All()) > 0 {
		all = append(all, accessOrigin{"claims", ofRoute, d.Origin})
	}
	for _, s := range []struct {
		word string
		o    *config.SecurityOptions
	}{{ofRoute, c.route.Static.SecurityOptions}, {ofGlobal, v.Config.Global.SecurityOptions}} {
		if s.o != nil && s.o.IPAllowedList.Len()+s.o.IPBlockedList.Len() > 0 {
			return append(all, accessOrigin{"addresses", s.word, s.o.Origin})
		}
	}
	return all
}

// decides says whether a section says anything.
func decides(o *config.AuthenticationOptions) bool {
	return o.AllowAnonymous.IsSet() || o.AuthenticationProviderKeys.Len() > 0 || o.AllowedScopes.Len() > 0 || strings.TrimSpace(o.AuthenticationProviderKey.V) != ""
}

func (v *accessView) accessOrigins(c *callers) string {
	var places []string
	for _, o := range v.origins(c) {
		if text := v.sectionLine(o.word, o.at); !slices.Contains(places, text) {
			places = append(places, text)
		}
	}
	if len(places) == 0 {
		return none
	}
	return strings.Join(places, ", ")
}
