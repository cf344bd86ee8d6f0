package loadtest_test

import (
	"testing"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/load/loadtest"
)

func TestRunLoadsWhatIsWrittenAtTheStartBefore(t *testing.T) {
	r := &loadtest.Recording{
		Mode:   "swagger",
		Files:  map[string]string{"ocelot.a.json": `{"Routes":[{"Key":"a"}]}`},
		Expect: []byte(`{}`),
		Opts:   loadtest.Options{Primary: []byte(`"ocelot.merged.json"`), Repeat: 3},
	}
	result, err := loadtest.Run(r)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range result.Tree.Children(load.Find(result.Tree, result.Root, "Routes")) {
		n++
	}
	if n != 3 {
		t.Errorf("%d routes, want 3: each start merges what the one before has written", n)
	}
}
