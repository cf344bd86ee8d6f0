package load_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/load"
)

// folderOf is a folder with empty objects under the given names.
func folderOf(names string) load.Folder {
	files := fstest.MapFS{}
	for name := range strings.FieldsSeq(names) {
		files[name] = &fstest.MapFile{Data: []byte("{}")}
	}
	return load.Folder{FS: files, Name: "gw"}
}

func TestDetect(t *testing.T) {
	for _, test := range []struct {
		files  string
		choice load.Choice
		want   []load.Provider
	}{
		{"ocelot.json", load.Choice{}, []load.Provider{load.File{Name: "ocelot.json"}}},
		{"Ocelot.json readme.md", load.Choice{}, []load.Provider{load.File{Name: "Ocelot.json"}}},
		{"ocelot.a.json ocelot.global.json", load.Choice{}, []load.Provider{load.Merge{Environment: "Production"}}},
		{"ocelot.a.json", load.Choice{Environment: "Test"}, []load.Provider{load.Merge{Environment: "Test"}}},
		{"ocelot.json ocelot.Development.json", load.Choice{}, []load.Provider{
			load.File{Name: "ocelot.json"}, load.File{Name: "ocelot.Production.json", Optional: true}}},
		{"ocelot.json ocelot.docker.json", load.Choice{Environment: "Docker"}, []load.Provider{
			load.File{Name: "ocelot.json"}, load.File{Name: "ocelot.docker.json", Optional: true}}},
		{"ocelot.json ocelot.a.json", load.Choice{Way: "merge"}, []load.Provider{load.Merge{Environment: "Production"}}},
		{"ocelot.json ocelot.a.json", load.Choice{Way: "layer"}, []load.Provider{
			load.File{Name: "ocelot.json"}, load.File{Name: "ocelot.Production.json", Optional: true}}},
		{"ocelot.a.json", load.Choice{Way: "swagger"}, []load.Provider{load.Swagger{}}},
		{"appsettings.json ocelot.json", load.Choice{Way: "appsettings.json, ocelot.json,ocelot.{env}.json,x.json?"}, []load.Provider{
			load.File{Name: "appsettings.json"}, load.File{Name: "ocelot.json"},
			load.File{Name: "ocelot.Production.json", Optional: true}, load.File{Name: "x.json", Optional: true}}},
	} {
		plan, err := load.Detect(folderOf(test.files), test.choice)
		if err != nil {
			t.Errorf("%s %+v: %v", test.files, test.choice, err)
			continue
		}
		if !sameProviders(plan.Providers, test.want) {
			t.Errorf("%s %+v:\n got %+v\nwant %+v", test.files, test.choice, plan.Providers, test.want)
		}
	}
}

func sameProviders(a, b []load.Provider) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestDetectStatesItsAssumption(t *testing.T) {
	for files, want := range map[string]string{
		"ocelot.a.json ocelot.production.json ocelot.Staging.json": "2 parts of gw merged as AddOcelot(folder) does in the environment Production (--load merge)",
		"ocelot.a.json ocelot.b.json":                              "2 parts of gw merged as AddOcelot(folder) does in the environment Production (--load merge)",
		"ocelot.json ocelot.Production.json":                       "ocelot.Production.json over ocelot.json of gw, key by key, in the environment Production (--load layer)",
		"ocelot.json ocelot.Development.json":                      "ocelot.json of gw alone: no file for the environment Production (--load layer)",
		"ocelot.json":                                              "",
	} {
		plan, err := load.Detect(folderOf(files), load.Choice{})
		if err != nil || plan.Assumption != want {
			t.Errorf("%s:\n got %q, %v\nwant %q", files, plan.Assumption, err, want)
		}
	}
}

func TestDetectRefuses(t *testing.T) {
	for _, test := range []struct {
		files  string
		choice load.Choice
		want   string
	}{
		{"readme.md", load.Choice{}, "read folder gw: it holds neither ocelot.json nor parts named ocelot.*.json"},
		{"ocelot.json", load.Choice{Way: "merge"}, "read folder gw: it holds no parts named ocelot.*.json"},
		{"ocelot.a.json", load.Choice{Way: "layer"}, "read gw/ocelot.json: file does not exist"},
		{"ocelot.json ocelot.a.json", load.Choice{}, "folder gw can be read in 3 ways; say which: " +
			"--load merge (the 1 part becomes ocelot.json, which is not read), or " +
			"--load layer (ocelot.Production.json over ocelot.json), or --load ocelot.json (that file alone)"},
	} {
		_, err := load.Detect(folderOf(test.files), test.choice)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s %+v:\n got %v\nwant %s", test.files, test.choice, err, test.want)
		}
	}
	_, err := load.Detect(folderOf("ocelot.json ocelot.a.json"), load.Choice{})
	if _, ok := errors.AsType[*load.AmbiguousError](err); !ok {
		t.Errorf("error is %T, want *AmbiguousError", err)
	}
}
