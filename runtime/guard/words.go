package guard

import (
	"strconv"
	"strings"
)

func quote(text string) string { return strconv.Quote(text) }

// list writes names with commas in between.
func list(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	return strings.Join(quoted, ", ")
}
