package upgrade_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/upgrade"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/testdata/gatewaygen"
)

// TestOracleReportsFitTheirForms writes the report on every recorded
// configuration in every form: JSON fits its schema, lines fit 80 columns, and
// every change has a line of the file, or none for the gateway as a whole.
func TestOracleReportsFitTheirForms(t *testing.T) {
	schema, err := jsonschema.CompileString("upgrade.schema.json", string(upgrade.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	reports := 0
	eachRecording(t, func(rec recording) {
		reports++
		r := compare(t, rec.Config, profileOf(t, "22.0.1"), profileOf(t, "25.0"))
		first := forms(t, r)
		if again := forms(t, compare(t, rec.Config, profileOf(t, "22.0.1"), profileOf(t, "25.0"))); again != first {
			t.Fatalf("%s: got\n%s\nthe first time, then\n%s", rec.ID, first, again)
		}
		var v any
		if err := json.Unmarshal([]byte(jsonOf(t, r)), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", rec.ID, err)
		}
		for line := range strings.Lines(textOf(t, r)) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
				t.Errorf("%s: a line has %d columns: %s", rec.ID, n, line)
			}
		}
		for _, route := range r.Routes {
			for _, item := range route.Changes {
				if item.At == nil || item.Text == "" {
					t.Errorf("%s: %s: no place or no words: %+v", rec.ID, route.ID, item)
				}
			}
		}
	})
	if reports == 0 {
		t.Fatal("nothing was replayed")
	}
}

func forms(t testing.TB, r *upgrade.Report) string {
	t.Helper()
	var b strings.Builder
	if err := upgrade.Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	return textOf(t, r) + b.String() + jsonOf(t, r)
}

func jsonOf(t testing.TB, r *upgrade.Report) string {
	t.Helper()
	var b strings.Builder
	if err := upgrade.JSON(&b, []*upgrade.Report{r}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFindings holds the findings of a report against their places.
func TestFindings(t *testing.T) {
	text := strings.Replace(liveConfig, "REST", ",\n  \"QoSOptions\": {\n    \"TimeoutValue\": 2147483647 }", 1)
	from, to := compile(t, []byte(text), profileOf(t, "24.0.1")), compile(t, []byte(text), profileOf(t, "24.1.0"))
	found := upgrade.Findings(upgrade.Compare(from, to), to)
	var lines []string
	for _, d := range found {
		lines = append(lines, fmt.Sprintf("%d %s %s %q", d.Span.Position().Line, d.Severity, d.Rule, d.Span.Text()))
	}
	got := strings.Join(lines, "\n")
	if want := `4 error U16 "2147483647 "`; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant %s", got, want)
	}
	printer, _ := report.New("sarif", report.Options{Rules: upgrade.Rules()})
	var b strings.Builder
	if err := printer.Print(&b, found); err != nil || !strings.Contains(b.String(), `"ruleId":"U16"`) {
		t.Errorf("got %v %s", err, b.String())
	}
}

// BenchmarkUpgrade compares a gateway of old names under two releases, from bytes
// to the report.
func BenchmarkUpgrade(b *testing.B) {
	for _, routes := range []int{10, 1_000, 10_000} {
		text := []byte(strings.NewReplacer(`"MinimumThroughput"`, `"ExceptionsAllowedBeforeBreaking"`, `"BreakDuration"`, `"DurationOfBreak"`,
			"\"Timeout\": ", "\"TimeoutValue\": ").Replace(string(gatewaygen.Bytes(routes, 1))))
		from, to := profileOf(b, "24.0.1"), profileOf(b, "25.0")
		b.Run(fmt.Sprint(routes), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var sides [2]*emit.Result
				var group sync.WaitGroup
				group.Go(func() { sides[0] = compile(b, text, from) })
				sides[1] = compile(b, text, to)
				group.Wait()
				upgrade.Compare(sides[0], sides[1])
			}
		})
	}
}

// TestSecretsStayHidden plants secrets and looks for them in every form.
func TestSecretsStayHidden(t *testing.T) {
	const planted = "s3cr3t-abcdefgh"
	text := strings.Replace(liveConfig, "REST", `,
  "Metadata": { "apikey": "`+planted+`" }, "CacheOptions": { "TtlSeconds": 5, "Header": "x" },
  "UpstreamHeaderTransform": { "Authorization": "Bearer `+planted+`" }, "QoSOptions": { "Timeout": "5s" }`, 1)
	from, to := compile(t, []byte(text), profileOf(t, "23.2.0")), compile(t, []byte(text), profileOf(t, "25.0"))
	r := upgrade.Compare(from, to)
	if !r.Changed {
		t.Fatal("nothing changes")
	}
	k, err := upgrade.Keep(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := upgrade.KeptText(&b, k, r, upgrade.View{}); err != nil {
		t.Fatal(err)
	}
	for _, d := range upgrade.Findings(r, to) {
		b.WriteString(d.Message + d.Effect)
	}
	if all := forms(t, r) + b.String(); strings.Contains(all, planted) {
		t.Errorf("a secret gets through:\n%s", all)
	}
}
