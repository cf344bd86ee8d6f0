package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// suggest names the function that an unknown name comes nearest to, else all of
// them. With signature it shows the parentheses as well.
func suggest(name string, withSignature bool) string {
	best, nearest := -1, len(name)/3+1
	for i, f := range functions {
		if d := distance(strings.ToLower(name), strings.ToLower(f.name)); d < nearest {
			best, nearest = i, d
		}
	}
	switch {
	case best < 0:
		names := make([]string, len(functions))
		for i, f := range functions {
			names[i] = f.name
		}
		return "use one of " + strings.Join(names, ", ")
	case withSignature:
		return fmt.Sprintf("did you mean %q?", functions[best].signature)
	default:
		return fmt.Sprintf("did you mean %q?", functions[best].name)
	}
}

// distance is the Levenshtein distance in bytes: good enough for names that are
// ASCII, against text that is about to be refused.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// unpercent says what to write for a percentage: of a quantile and of a whole
// number the same number, of a ratio the fraction of one.
func unpercent(text string, m metric, want form) string {
	value, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return "write the number without a percent sign"
	case want == whole:
		return reform(text, whole)
	case m == latencyAtQuantile:
		return fmt.Sprintf("write %s instead of %s%%", formatFraction(value), text)
	}
	_, decimals, _ := strings.Cut(text, ".")
	return fmt.Sprintf("write %s instead of %s%%", strconv.FormatFloat(value/100, 'f', len(decimals)+2, 64), text)
}

// reform says how to write a number in the form that is wanted.
func reform(text string, want form) string {
	if want == fraction {
		return fmt.Sprintf("write %s.0", text)
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || value != float64(int64(value)) {
		return "write a whole number"
	}
	return fmt.Sprintf("write %d", int64(value))
}

// formatFraction returns the shortest text that reads back as value and has the
// form of a fraction.
func formatFraction(value float64) string {
	text := strconv.FormatFloat(value, 'g', -1, 64)
	if strings.ContainsAny(text, ".e") {
		return text
	}
	return text + ".0"
}

func count(n int) string {
	switch n {
	case 0:
		return "no argument"
	case 1:
		return "one argument"
	default:
		return fmt.Sprintf("%d arguments", n)
	}
}
