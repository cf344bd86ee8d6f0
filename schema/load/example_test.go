package load_test

import (
	"fmt"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/load"
)

// A folder is merged as Ocelot's AddOcelot(folder) does, then the file of the
// environment lies over the result key by key.
func ExampleRun() {
	files := fstest.MapFS{
		"ocelot.a.json":          {Data: []byte(`{"Routes": [{"Key": "a", "Timeout": 5}]}`)},
		"ocelot.b.json":          {Data: []byte(`{"Routes": [{"Key": "b"}]}`)},
		"ocelot.Production.json": {Data: []byte(`{"Routes": [{"Timeout": 30}]}`)},
	}
	result, err := load.Run(load.Folder{FS: files}, []load.Provider{
		load.Merge{Environment: "Production"},
		load.File{Name: "ocelot.Production.json"},
	}, load.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, key := range []string{"Routes:0:Key", "Routes:0:Timeout", "Routes:1:Key"} {
		id := load.Find(result.Tree, result.Root, key)
		fmt.Printf("%s = %s from %s\n", key, result.Tree.Text(id), result.Tree.Span(id).File.Name)
	}
	// Output:
	// Routes:0:Key = a from ocelot.a.json
	// Routes:0:Timeout = 30 from ocelot.Production.json
	// Routes:1:Key = b from ocelot.b.json
}
