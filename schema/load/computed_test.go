package load_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/load"
)

// TestKeyToPath: SwaggerForOcelot writes a key as WebUtility.UrlEncode does, which
// keeps ! * ( ) and not ~.
func TestKeyToPath(t *testing.T) {
	for key, want := range map[string]string{
		"a": "a", "svc b": "svc+b", "a-b_c.d!e*f(g)": "a-b_c.d!e*f(g)", "a~b": "a%7Eb", "é/+&%'": "%C3%A9%2F%2B%26%25%27", "": "",
	} {
		files := fstest.MapFS{"ocelot.SwaggerEndPoints.json": {Data: []byte(`{"SwaggerEndPoints":[{"Key":"` + key + `"}]}`)}}
		result, err := load.Run(load.Folder{FS: files}, []load.Provider{load.Swagger{}}, load.Options{})
		if err != nil || result.Failure != nil {
			t.Fatalf("%q: %v %v", key, err, result.Failure)
		}
		if got := string(result.Merges[0].Text()); !strings.Contains(got, `"KeyToPath":"`+want+`"`) {
			t.Errorf("%q: want %q in %s", key, want, got)
		}
	}
}
