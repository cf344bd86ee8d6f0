package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/testdata/oracletest"
)

type recordedProperty struct {
	First     string
	Last      *string
	RenamedTo string `json:"renamed_to"`
	RenamedIn string `json:"renamed_in"`
	RemovedIn string `json:"removed_in"`
}

func TestOracleHistory(t *testing.T) {
	var recorded struct{ Properties map[string]recordedProperty }
	if err := json.Unmarshal(oracletest.Bytes(t, "properties.json.gz"), &recorded); err != nil {
		t.Fatal(err)
	}
	tally := oracletest.NewTally("properties")
	known := map[string]removal{}
	for _, was := range removals {
		known[was.class+"."+was.name] = was
	}
	for path, p := range recorded.Properties {
		if p.Last == nil {
			continue
		}
		class, name, ok := memberOfClass(path, recorded.Properties)
		if !ok {
			continue
		}
		was, found := known[class+"."+name]
		if !found {
			tally.Differ("removed", path, "the history has no %s.%s", class, name)
			continue
		}
		delete(known, class+"."+name)
		gone := p.RenamedIn + p.RemovedIn
		if got, want := fmt.Sprint(was.first, was.last, was.gone), fmt.Sprint(p.First, *p.Last, gone); got != want {
			tally.Differ("removed", path, "got %s, want %s", got, want)
			continue
		}
		if got, want := was.now, newName(path, recorded.Properties); got != want {
			tally.Differ("removed", path, "new name: got %q, want %q", got, want)
			continue
		}
		tally.Agree("removed")
	}
	for name := range known {
		tally.Differ("removed", name, "no release had it")
	}
	tally.Report(t)
}

// parents are the classes of the objects that lost members, by the last step
// of their paths.
var parents = map[string]string{
	"": "", "Aggregates": "AggregateRoute", "Routes": "Route", "GlobalConfiguration": "GlobalConfiguration",
	"RouteKeysConfig": "AggregateRouteConfig", "AuthenticationOptions": "AuthenticationOptions",
	"MetadataOptions": "MetadataOptions", "ServiceDiscoveryProvider": "ServiceDiscoveryProvider",
}

// memberOfClass returns the class and name of a path that was removed by
// itself: what went with its parent, or was renamed with it, is not ok.
func memberOfClass(path string, all map[string]recordedProperty) (class, name string, ok bool) {
	steps := strings.Split(strings.ReplaceAll(today(path), "[]", ""), ".")
	name = steps[len(steps)-1]
	if len(steps) > 1 {
		class = steps[len(steps)-2]
	}
	class, ok = parents[class]
	if current, exists := all[today(path)]; exists && current.Last == nil {
		return "", "", false
	}
	if _, list := all[path+"[]"]; list {
		return "", "", false // a text that became a list keeps its name
	}
	return class, name, ok
}

// today writes the parents in a path by their names of today.
func today(path string) string {
	steps := strings.Split(path, ".")
	for i := range len(steps) - 1 {
		steps[i] = strings.NewReplacer("DynamicReRoutes[]", "DynamicRoutes[]", "ReRoutes[]", "Routes[]",
			"ReRouteKeysConfig[]", "RouteKeysConfig[]").Replace(steps[i])
	}
	return strings.Join(steps, ".")
}

// newName follows renames to the name of today; "" where it is not a member of
// the same object.
func newName(path string, all map[string]recordedProperty) string {
	parent := func(path string) string { return today(path)[:strings.LastIndex("."+today(path), ".")] }
	at := path
	for all[at].Last != nil && all[at].RenamedTo != "" {
		at = all[at].RenamedTo
	}
	if all[at].Last != nil || parent(at) != parent(path) {
		return ""
	}
	steps := strings.Split(strings.ReplaceAll(at, "[]", ""), ".")
	return steps[len(steps)-1]
}

func TestRemovalsSayWhatToDo(t *testing.T) {
	for _, was := range removals {
		if (was.now == "") == (was.help == "") {
			t.Errorf("%s.%s: new name %q, help %q, want one of them", was.class, was.name, was.now, was.help)
		}
		if was.now != "" && was.class != "" && !slices.Contains(shapes().classes[was.class].names, was.now) {
			t.Errorf("%s.%s: the schema has no %q", was.class, was.name, was.now)
		}
	}
}
