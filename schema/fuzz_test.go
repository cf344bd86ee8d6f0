package schema_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

// FuzzCheck: no text makes Check panic, every finding is complete, stands in
// the file and comes out the same again.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		`{"Routes":[{"UpstreamPathTemplate":"/a","QoSOptions":{"Timeout":"5s"},"RetryOptions":{}}]}`,
		`{"ReRoutes":[],"GlobalConfiguration ":{"ServiceDiscoveryProvider":{"Token":"abcdefgh"}}}`,
		`{"Routes":[{"RouteClaimsRequirement":{"http://x/y":"z"},"Priority":null,"UpstreamHttpMethod":"Get"}]}`,
		`{"Routes":{"0":[],"a":{}},"Aggregates":[{"RouteKeysConfig":[{}]}],"GlobalConfiguration":[{}]}`,
		`{"Routes":[{"ResilienceOptions":{"Retry":{"BackoffType":5}}}],"x":"http://a:b@c"}`,
		"{\"Routes\":[{\"Key\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		first := findings(t, text)
		if second := findings(t, text); first != second {
			t.Errorf("%s\ngot\n%s\nand then\n%s", text, first, second)
		}
	})
}

func findings(t *testing.T, text []byte) string {
	t.Helper()
	file := source.NewFile("fuzz.json", text)
	res := load.Single(file, load.Options{})
	cfg := schema.Decode(res.Tree, res.Bound, schema.DecodeOptions{})
	list, secrets := schema.Check(res, cfg, schema.CheckOptions{})
	var out strings.Builder
	for _, d := range list.Sorted() {
		if d.Rule == "" || d.Severity == 0 || d.Message == "" || strings.HasSuffix(d.Message, ".") {
			t.Errorf("%s\nincomplete finding %+v", text, d)
		}
		if d.Span.File != file || d.Span.Start < 0 || d.Span.End > len(file.Text) || d.Span.Start > d.Span.End {
			t.Errorf("%s\nfinding outside of the file: %+v", text, d)
		}
		if d.Fix != nil {
			apply(string(file.Text), d.Fix)
		}
		out.WriteString(describe(string(file.Text), d) + "\n")
	}
	for _, secret := range secrets {
		if secret.Span.Text() == "" {
			t.Errorf("%s\nempty secret %+v", text, secret)
		}
	}
	return out.String()
}
