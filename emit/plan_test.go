package emit_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestPlansOfRealFiles makes a plan of every real gateway that starts, holds
// it against the schema of plans and reads it back.
func TestPlansOfRealFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files, %v", len(files), err)
	}
	schema := jsonschema.MustCompileString("plan.schema.json", string(plan.Schema()))
	made := 0
	for _, file := range files {
		r := compile(t, filepath.Base(file), corpusText(t, filepath.Base(file)), emit.Options{})
		p, found := emit.Plan(r)
		if p == nil {
			if found.Len() == 0 {
				t.Errorf("%s: neither a plan nor a reason", file)
			}
			if r.Starts() {
				t.Logf("%s: %s", filepath.Base(file), found.Sorted()[0].Message)
			}
			continue
		}
		made++
		checkPlan(t, schema, p)
	}
	t.Logf("made %d plans of %d files", made, len(files))
	if made < len(files)/2 {
		t.Errorf("got %d plans of %d files", made, len(files))
	}
}

func checkPlan(t *testing.T, schema *jsonschema.Schema, p *plan.Plan) {
	t.Helper()
	var out bytes.Buffer
	if err := p.Encode(&out); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("the plan does not fit its schema: %v", err)
	}
	back, err := plan.Decode(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := back.Encode(&again); err != nil || !bytes.Equal(again.Bytes(), out.Bytes()) {
		t.Errorf("the plan reads back as something else, %v:\n%s", err, out.String())
	}
}

const twoOfOneTemplate = `{
  "Routes": [
    {"UpstreamPathTemplate": "/a/{x}", "UpstreamHttpMethod": ["post", "Get"], "UpstreamHost": "a.example",
     "UpstreamHeaderTemplates": {"X-Tenant": "{header:t}"}, "DownstreamPathTemplate": "/{x}", "DownstreamScheme": "http",
     "DownstreamHostAndPorts": [{"Host": "b", "Port": 80}], "QoSOptions": {"MinimumThroughput": 3}},
    {"UpstreamPathTemplate": "/a/{x}", "UpstreamHttpMethod": ["GET", "POST"], "UpstreamHost": "a.example",
     "UpstreamHeaderTemplates": {"X-Tenant": "{header:t}"}, "DownstreamPathTemplate": "/{x}", "DownstreamScheme": "http",
     "DownstreamHostAndPorts": [{"Host": "b", "Port": 80}], "QoSOptions": {"MinimumThroughput": 5}},
    {"UpstreamPathTemplate": "/{all}", "Priority": 9, "DownstreamPathTemplate": "/{all}", "DownstreamScheme": "http",
     "DownstreamHostAndPorts": [{"Host": "b", "Port": 80}]}
  ]
}`

func TestPlanIDs(t *testing.T) {
	p, found := emit.Plan(compile(t, "dir/ocelot.json", []byte(twoOfOneTemplate), emit.Options{}))
	if p == nil {
		t.Fatal(found.Sorted())
	}
	id := "GET,POST /a/{x} host=a.example header=X-Tenant:{header:t}"
	for i, want := range []string{id, id + " #2", "/{all}"} {
		if got := p.Routes[i].ID; got != want {
			t.Errorf("route %d: got ID %q, want %q", i, got, want)
		}
	}
	if got := p.Routes[2].Match.Priority; got != 0 {
		t.Errorf("got priority %d of a catch-all, want 0", got)
	}
	want := plan.Origin{Field: "breaker.minimumThroughput", At: "dir/ocelot.json:5:97"}
	if got := p.Routes[0].Origins[1]; got != want {
		t.Errorf("got origin %v, want %v", got, want)
	}
}

// With Polly, routes of one load-balancing key have one circuit, and the first
// one's options count for all (claim-D29).
func TestPlanSharesPollyCircuits(t *testing.T) {
	text := strings.ReplaceAll(twoOfOneTemplate, `["post", "Get"]`, `["GET", "POST"]`)
	for _, version := range []string{"", "25.0"} {
		prof := profile.Profile{Provider: profile.Polly, Version: version}
		p, found := emit.Plan(compile(t, "ocelot.json", []byte(text), emit.Options{Profile: prof}))
		if p == nil {
			t.Fatal(found.Sorted())
		}
		first, second := &p.Routes[0], &p.Routes[1]
		if first.Circuit == "" || first.Circuit != second.Circuit || !first.SameBreaker(second) {
			t.Errorf("got circuits %q %+v and %q %+v, want one", first.Circuit, first.Breaker, second.Circuit, second.Breaker)
		}
		wantErrors := map[string]plan.Verdict{"": plan.Failure, "25.0": plan.Success}[version]
		if got := first.Failures.TransportErrors; got != wantErrors {
			t.Errorf("profile %s: got transport errors as %q, want %q", prof, got, wantErrors)
		}
	}
}

// Which releases count their own timeouts (verlive-timeout-race-1 to -4); the
// expression breaker is margay's own, and counts them everywhere.
func TestPlanSaysWhatTimeoutsAre(t *testing.T) {
	const qos = `"QoSOptions":{"ExceptionsAllowedBeforeBreaking":3,"DurationOfBreak":1000,"TimeoutValue":5000}`
	const own = qos + `,"ResilienceOptions":{"CircuitBreaker":{"Expression":"NetworkErrorRatio() > 0.5"}}`
	for version, want := range map[string]plan.Verdict{"22.0": "", "23.2": plan.Success, "23.4": plan.Success, "24.0": plan.Success, "24.1": "", "25.0": "", "": ""} {
		for section, want := range map[string]plan.Verdict{qos: want, own: ""} {
			p, found := emit.Plan(compileAs(t, routeWith(section, ""), profile.Profile{Version: version, Provider: profile.Polly}))
			if p == nil {
				t.Fatal(found.Sorted())
			}
			if got := p.Routes[0].Failures.Timeouts; got != want {
				t.Errorf("%q: got %q, want %q for %s", version, got, want, section)
			}
		}
	}
}

func TestPlanRefusesWhatCannotRun(t *testing.T) {
	text := strings.Replace(twoOfOneTemplate, `"Host": "b"`, `"Host": "http://b/"`, 1)
	p, found := emit.Plan(compile(t, "ocelot.json", []byte(text), emit.Options{}))
	if p != nil || found.Len() != 1 {
		t.Fatalf("got plan %v and %d findings, want one finding", p != nil, found.Len())
	}
	d := found.Sorted()[0]
	want := `backend.hosts[0].host: got "http://b/", expected a host name or an address`
	if d.Message != want || d.Span.Position().Line != 5 {
		t.Errorf("got line %d: %s\nwant line 5: %s", d.Span.Position().Line, d.Message, want)
	}
}
