package load_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/load/loadtest"
	"github.com/margay-dev/margay/schema/load/ordinal"
)

func checkMerge(rec *recording, result *load.Result) string {
	if rec.Expect.Merged == nil && rec.Expect.MergedText == nil {
		return ""
	}
	if len(result.Merges) == 0 {
		return "no merge took place"
	}
	got := string(result.Merges[len(result.Merges)-1].Text())
	if want := rec.Expect.MergedText; want != nil && got != *want {
		return fmt.Sprintf("merged text:\n got %s\nwant %s", got, *want)
	}
	if string(rec.Expect.Merged) == "null" && json.Valid([]byte(got)) {
		return fmt.Sprintf("merged text is JSON, want none: %s", got)
	}
	if rec.Expect.Merged != nil && string(rec.Expect.Merged) != "null" {
		return compareJSON("merged", []byte(got), rec.Expect.Merged)
	}
	return ""
}

func checkWritten(rec *recording, result *load.Result) string {
	want := rec.Expect.WrittenTo
	if want == nil {
		return ""
	}
	if len(result.Merges) == 0 || result.Merges[0].WrittenTo != *want {
		return fmt.Sprintf("written to %+v, want %s", result.Merges, *want)
	}
	return ""
}

func compareJSON(what string, got, want []byte) string {
	g, err := canonical(got)
	if err != nil {
		return fmt.Sprintf("%s: %v in %s", what, err, got)
	}
	w, err := canonical(want)
	if err != nil {
		return fmt.Sprintf("%s: recorded: %v", what, err)
	}
	if g != w {
		return fmt.Sprintf("%s:\n got %s\nwant %s", what, g, w)
	}
	return ""
}

// canonical writes JSON with sorted members and untouched numbers.
func canonical(text []byte) (string, error) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	out, err := json.Marshal(v)
	return string(out), err
}

func checkFlat(rec *recording, result *load.Result) string {
	if rec.Expect.Flat == nil || string(rec.Expect.Flat) == "null" {
		return ""
	}
	var layers []map[string]*string
	if err := json.Unmarshal(rec.Expect.Flat, &layers); err != nil {
		var one map[string]*string
		if err := json.Unmarshal(rec.Expect.Flat, &one); err != nil {
			return err.Error()
		}
		layers = []map[string]*string{one}
	}
	if len(layers) != len(result.Layers) {
		return fmt.Sprintf("%d layers, want %d", len(result.Layers), len(layers))
	}
	for i, want := range layers {
		got := map[string]*string{}
		for e := range load.Entries(result.Tree, result.Layers[i].Root, "") {
			if !e.Branch {
				got[upper(e.Key)] = stored(e)
			}
		}
		if d := difference(got, upperKeys(want)); d != "" {
			return "flat: " + d
		}
	}
	return ""
}

// upperKeys folds keys: the provider stores every leaf under its own spelling
// of the names above it, of which only the first is ever seen again.
func upperKeys(keys map[string]*string) map[string]*string {
	out := map[string]*string{}
	for key, value := range keys {
		out[upper(key)] = value
	}
	return out
}

func upper(key string) string { return strings.Map(ordinal.Upper, key) }

func stored(e load.Entry) *string {
	if e.Null {
		return nil
	}
	return &e.Value
}

// difference says in which keys two sets of configuration keys differ.
func difference(got, want map[string]*string) string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(want)) {
		g, ok := got[key]
		if !ok {
			out = append(out, fmt.Sprintf("%q is missing, want %s", key, show(want[key])))
		} else if show(g) != show(want[key]) {
			out = append(out, fmt.Sprintf("%q = %s, want %s", key, show(g), show(want[key])))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[key]; !ok {
			out = append(out, fmt.Sprintf("%q = %s, want no such key", key, show(got[key])))
		}
	}
	return strings.Join(out, "\n")
}

func show(s *string) string {
	if s == nil {
		return "null"
	}
	return fmt.Sprintf("%q", *s)
}

func checkEffective(rec *recording, result *load.Result) string {
	if rec.Expect.RawEffect == nil {
		return ""
	}
	var want map[string]*string
	if err := json.Unmarshal(rec.Expect.RawEffect, &want); err != nil {
		return err.Error()
	}
	got := map[string]*string{}
	for e := range load.Entries(result.Tree, result.Root, "") {
		if ocelots(rec, e.Key, want) {
			got[e.Key] = stored(e)
		}
	}
	d := difference(got, want)
	if d != "" && respelledVariables(rec) {
		return replayOrders(rec)
	}
	if d != "" {
		return "effective: " + d
	}
	return ""
}

// respelledVariables says whether the recorded variables spell a name in two
// ways. Which one is seen then hangs on the order of a hash table with a random
// seed, so the recording is right for one of the orders.
func respelledVariables(rec *recording) bool {
	spelling := map[string]string{}
	for _, pair := range rec.Opts.EnvVars {
		root, _, _ := strings.Cut(pair[0], "__")
		if known, ok := spelling[upper(root)]; ok && known != root {
			return true
		}
		spelling[upper(root)] = root
	}
	return false
}

// replayOrders replays with every order of the variables.
func replayOrders(rec *recording) string {
	if rec.permuted {
		return "effective: this order of the variables does not give the recorded spelling"
	}
	last := ""
	for order := range permutations(rec.Opts.EnvVars) {
		program := *rec.Recording
		program.Opts.EnvVars = order
		again := recording{Recording: &program, Expect: rec.Expect, permuted: true}
		if last = replay(&again); last == "" {
			return ""
		}
	}
	return last
}

// permutations yields the orders of a few pairs.
func permutations(pairs loadtest.Variables) iter.Seq[loadtest.Variables] {
	return func(yield func(loadtest.Variables) bool) {
		permute(slices.Clone(pairs), 0, yield)
	}
}

func permute(pairs loadtest.Variables, fixed int, yield func(loadtest.Variables) bool) bool {
	if fixed == len(pairs) {
		return yield(slices.Clone(pairs))
	}
	for i := fixed; i < len(pairs); i++ {
		pairs[fixed], pairs[i] = pairs[i], pairs[fixed]
		if !permute(pairs, fixed+1, yield) {
			return false
		}
		pairs[fixed], pairs[i] = pairs[i], pairs[fixed]
	}
	return true
}

// ocelots says whether the recording has kept a key: it holds Ocelot's sections
// and the one that is bound, not what a host has besides.
func ocelots(rec *recording, key string, want map[string]*string) bool {
	root, _, _ := strings.Cut(key, ":")
	bound, _, _ := strings.Cut(rec.Section(), ":")
	for _, name := range []string{"Routes", "DynamicRoutes", "Aggregates", "GlobalConfiguration", bound} {
		if ordinal.Equal(root, name) {
			return true
		}
	}
	_, kept := want[root]
	return kept
}

func checkBaseURL(rec *recording, result *load.Result) string {
	if want := rec.Expect.BaseURL; want != nil && result.BaseURL != *want {
		return fmt.Sprintf("base URL %q, want %q", result.BaseURL, *want)
	}
	return ""
}

// checkSwagger compares what SwaggerForOcelot finds in the configuration.
func checkSwagger(rec *recording, result *load.Result) string {
	want := rec.Expect.Swagger
	if want == nil {
		return ""
	}
	for section, values := range map[string]any{"SwaggerEndPoints": want.Endpoints, "Routes": want.Routes} {
		if d := covers(result.Tree, load.Find(result.Tree, result.Bound, section), values, section); d != "" {
			return "swagger: " + d
		}
	}
	return ""
}

func checkCounts(rec *recording, result *load.Result) string {
	for section, want := range rec.Expect.Counts {
		got := 0
		if id := load.Find(result.Tree, result.Root, section); id != 0 {
			for range result.Tree.Children(id) {
				got++
			}
		}
		if got != want[0] {
			return fmt.Sprintf("%s has %d children, want %d", section, got, want[0])
		}
	}
	return ""
}
