package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/prose"
	"github.com/margay-dev/margay/schema/settings"
)

// printConfigText leaves out the rules that have their own severities.
func printConfigText(w io.Writer, all []configuration) error {
	var out strings.Builder
	for i, c := range all {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(inColumns(printable(c.Path)+" · "+cmp.Or(printable(c.File), "no "+settings.Name), screen(w)))
		usual := 0
		for _, s := range c.Settings {
			if s.From == "default" && strings.HasPrefix(s.Name, "rules.") {
				usual++
				continue
			}
			out.WriteString(s.line(screen(w)))
		}
		out.WriteString(inColumns(fmt.Sprintf("  %s with %s own severities: --format json lists them",
			prose.Plural(int64(usual), "rule"), map[bool]string{true: "its", false: "their"}[usual == 1]), screen(w)))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// line is one setting; on a terminal that is too narrow for it, the value and
// where it comes from stand below its name. columns is 0 where there is no
// terminal.
func (s *setting) line(columns int) string {
	name, value, from := s.Name, printable(string(s.Value)), s.From
	if value == "null" {
		value = "–"
	}
	if s.Place != "" {
		from += " " + printable(s.Place)
	}
	if len(s.Files) > 0 {
		_, name, _ = strings.Cut(name, ".")
		from += ", for " + printable(strings.Join(s.Files, ", "))
	}
	line := fmt.Sprintf("  %-24s %-20s %s\n", name, value, from)
	if columns == 0 || prose.Wide(strings.TrimSuffix(line, "\n")) <= columns {
		return line
	}
	return inColumns("  "+name+"\n      "+value+" · "+from, columns)
}
