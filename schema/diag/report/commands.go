package report

import (
	"strings"
	"unicode"
)

// Runners of CI obey commands that they find in the output of a step, so the
// text of a file could give orders to the pipeline that checks it. Azure's agent
// looks for "##vso[" and "##[" anywhere in a line, overlooking invisible
// characters in it; GitHub's runner takes a line that begins with "::", blanks
// left aside.

// withoutCommands returns a line in which no agent finds a command: a line with
// a hash has no bracket.
func withoutCommands(line string) string {
	if !strings.Contains(line, "#") {
		return line
	}
	return roundBrackets.Replace(line)
}

var roundBrackets = strings.NewReplacer("[", "(", "]", ")")

// obeyed says whether an agent finds a command of Azure's in a text.
func obeyed(text string) bool {
	if strings.Count(text, "#") < 2 {
		return false
	}
	seen := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Mn) || unicode.IsControl(r) && r != '\n' {
			return -1
		}
		return r
	}, text)
	return strings.Contains(seen, "##vso[") || strings.Contains(seen, "##[")
}

// harmless returns lines for people in which no agent finds a command. Columns
// stay where they are.
func harmless(text string) string {
	if !obeyed(text) && !strings.Contains(text, "::") {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if obeyed(line) {
			line = roundBrackets.Replace(line)
		}
		if rest := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(rest, "::") {
			line = line[:len(line)-len(rest)] + ". " + rest
		}
		out.WriteString(line)
	}
	return out.String()
}

// harmlessJSON returns the same JSON written so that no agent finds a command
// in it. A hash stands only in strings.
func harmlessJSON(text []byte) []byte {
	if !obeyed(string(text)) {
		return text
	}
	return []byte(strings.ReplaceAll(string(text), "#", `\u0023`))
}

// harmlessXML does the same for XML without sections of CDATA.
func harmlessXML(text string) string {
	if !obeyed(text) {
		return text
	}
	return strings.ReplaceAll(text, "[", "&#91;")
}
