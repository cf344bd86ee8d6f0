package guard_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/guard"
)

// TestEverySettingIsListed finds the names in the sources of those who call
// settings unenforced.
func TestEverySettingIsListed(t *testing.T) {
	written := regexp.MustCompile(`(?:lacks\(|[sS]etting: ?)"([a-z-]+)"|\{"([a-z-]+)", (?:r\.|len\(r\.)`)
	var names []string
	for _, pattern := range []string{"*.go", "../proxy/*.go", "../../emit/plan_unread.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range written.FindAllStringSubmatch(string(text), -1) {
				names = append(names, m[1]+m[2])
			}
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); !slices.Equal(names, guard.Settings()) {
		t.Errorf("the sources name\n%q, the list has\n%q", names, guard.Settings())
	}
}
