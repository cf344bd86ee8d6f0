package load_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/syntax"
)

// checkChanges changes the files of a running program and compares what it
// then has. The recording holds the bound objects: every scalar in them must
// be what the configuration says, and every route must be there.
func checkChanges(rec *recording, _ *load.Result) string {
	if rec.Expect.AfterChange == nil {
		return ""
	}
	files := rec.FS()
	folder := load.Folder{FS: maps.Clone(files), Name: "<dir>"}
	program, err := load.Start(folder, rec.Providers(), load.Options{Section: rec.Section(), Host: rec.Host()})
	if err != nil {
		return err.Error()
	}
	for i, step := range rec.Opts.Change {
		for name, text := range step {
			delete(files, name)
			if text != nil {
				files[name] = &fstest.MapFile{Data: []byte(*text)}
			}
		}
		if err := program.Reload(load.Folder{FS: files, Name: "<dir>"}); err != nil {
			return err.Error()
		}
		var want any
		if err := json.Unmarshal(rec.Expect.AfterChange[i].Bound, &want); err != nil {
			return err.Error()
		}
		if difference := covers(program.Result.Tree, program.Result.Bound, want, ""); difference != "" {
			return fmt.Sprintf("after change %d: %s", i+1, difference)
		}
	}
	return ""
}

// covers says where a configuration lacks a bound value.
func covers(tree *syntax.Tree, id syntax.ID, want any, path string) string {
	switch want := want.(type) {
	case nil:
		if id != 0 && tree.Node(id).Kind != syntax.Null {
			return path + " is not null"
		}
		return ""
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if name == "Metadata" || name == "MetadataOptions" {
				continue // empty, or defaults that binding adds
			}
			if d := covers(tree, load.Find(tree, id, name), want[name], path+":"+name); d != "" {
				return d
			}
		}
		return routesBeyond(tree, id, want)
	case []any:
		for i, element := range want {
			position := strconv.Itoa(i)
			if d := covers(tree, load.Find(tree, id, position), element, path+":"+position); d != "" {
				return d
			}
		}
		return ""
	}
	if got, want := tree.Text(id), fmt.Sprint(want); id == 0 || !ordinal.Equal(got, want) {
		return fmt.Sprintf("%s is %q, want %q", strings.TrimPrefix(path, ":"), got, want)
	}
	return ""
}

// routesBeyond says whether there are more routes than were bound.
func routesBeyond(tree *syntax.Tree, root syntax.ID, want map[string]any) string {
	routes, ok := want["Routes"].([]any)
	if !ok {
		return ""
	}
	n := 0
	for range tree.Children(load.Find(tree, root, "Routes")) {
		n++
	}
	if n != len(routes) {
		return fmt.Sprintf("%d routes, want %d", n, len(routes))
	}
	return ""
}
