package load_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/load"
)

var noteNames = map[load.NoteKind]string{
	load.DuplicateKey: "duplicate-key", load.DuplicateOverwritten: "duplicate-overwritten", load.ColonInKey: "colon-in-key",
	load.CommentBeforeRoot: "comment-before-root", load.DateRewritten: "date-rewritten", load.NumberRewritten: "number-rewritten",
	load.RepeatedMember: "repeated-member", load.GlobalOutsideGlobalFile: "global-outside", load.SectionIgnored: "section-ignored",
	load.PartIgnored: "part-ignored", load.OverwrittenPrimary: "overwritten-primary", load.EnvironmentSkipped: "environment-skipped",
	load.OtherEnvironment: "other-environment", load.ReplacedSection: "replaced-section", load.Sorted: "sorted",
	load.IndexOverlay: "index-overlay", load.InvalidEncoding: "invalid-encoding", load.Missing: "missing",
}

// describe writes notes as "kind: place ← related (text)", one a line.
func describe(notes []load.Note) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "%s:", noteNames[n.Kind])
		if !n.At.IsZero() {
			fmt.Fprintf(&b, " %s", n.At.Text())
		}
		for _, r := range n.Related {
			fmt.Fprintf(&b, " ← %s", r.Text())
		}
		if n.Text != "" {
			fmt.Fprintf(&b, " (%s)", n.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestMergeNotes(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"nothing odd", map[string]string{"ocelot.a.json": `{"Routes":[{}]}`}, ""},
		{"global elsewhere", map[string]string{"ocelot.a.json": `{"GlobalConfiguration":{}, "x":1}`},
			"global-outside: \"GlobalConfiguration\"\nsection-ignored: \"x\" (x)\n"},
		{"global file", map[string]string{"ocelot.global.json": `{"GlobalConfiguration":{"Timeout":1}}`}, ""},
		{"comment first", map[string]string{"ocelot.a.json": "// mine\n{}"}, "comment-before-root: // mine\n"},
		{"no object", map[string]string{"ocelot.a.json": `[1]`}, "part-ignored: [1]\n"},
		{"primary and environment", map[string]string{"ocelot.json": `{}`, "ocelot.Production.json": `{}`, "ocelot.Staging.json": `{}`},
			"overwritten-primary: (ocelot.json)\nenvironment-skipped: (ocelot.Production.json)\nother-environment: (ocelot.Staging.json)\n"},
		{"rewritten", map[string]string{"ocelot.a.json": `{"Routes":[{"a":"2020-01-01T00:00:00+01:00","b":0x10,"c":NaN}]}`},
			"date-rewritten: \"2020-01-01T00:00:00+01:00\" (2019-12-31T23:00:00+00:00)\nnumber-rewritten: 0x10 (16)\nnumber-rewritten: NaN (NaN)\n"},
		{"repeated", map[string]string{"ocelot.a.json": `{"Routes":[{"a":1,"a":2}]}`}, "repeated-member: \"a\":1 (a)\n"},
		{"replaced", map[string]string{"ocelot.a.json": `{"Routes":[{}]}`, "ocelot.b.json": `{"Routes":{"0":{}}}`},
			"replaced-section: \"Routes\" ← \"Routes\" (Routes)\nsorted: \"Routes\" ← \"Routes\" (Routes)\n"},
		{"two parts", map[string]string{"ocelot.a.json": `{"Routes":[{}]}`, "ocelot.b.json": `{"routes":[{}]}`},
			"sorted: \"routes\" ← \"Routes\" (Routes)\n"},
		{"duplicate", map[string]string{"ocelot.a.json": `{"Routes":[{"a":1,"A":2,"b":3,"B":{}}]}`},
			"duplicate-key: \"A\":2 ← \"a\":1 (Routes:0:A)\nduplicate-overwritten: \"B\":{} ← \"b\":3 (Routes:0:B)\n"},
		{"colon", map[string]string{"ocelot.a.json": `{"Routes":[{"a:b":1}]}`}, "colon-in-key: \"a:b\" (a:b)\n"},
		{"encoding", map[string]string{"ocelot.a.json": "{\"Routes\":[{\"a\":\"\xff\"}]}"}, "invalid-encoding: \ufffd (UTF-8)\n"},
	} {
		files := fstest.MapFS{}
		for name, text := range test.files {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		result, err := load.Run(load.Folder{FS: files}, []load.Provider{load.Merge{Environment: "Production"}}, load.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := describe(result.Notes); got != test.want {
			t.Errorf("%s:\n got\n%s want\n%s", test.name, got, test.want)
		}
	}
}
