package load

import (
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
)

// partName says whether a name matches ^ocelot\.(.*?)\.json$ without regard to
// case, where "." is any character and "$" also stands before a last line feed.
func partName(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, "\n"))
	rest, ok := strings.CutPrefix(name, "ocelot.")
	return ok && strings.HasSuffix(rest, ".json")
}

// environmentName says whether a part is named after one of the environments
// that .NET knows.
func environmentName(name string) bool {
	for _, environment := range []string{"Development", "Staging", "Production"} {
		if ordinal.Equal(name, "ocelot."+environment+".json") {
			return true
		}
	}
	return false
}

func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
