package upgrade_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit/upgrade"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// shown is a surprise, the recorded case that shows it, and how the case is
// changed so that it does not.
type shown struct {
	number, id, from, to string
	// old is replaced by new.
	old, new string
}

var surprises = []shown{
	{"U01", "ver-shape-0006", "24.0.1", "24.1.0", `"TimeoutValue":2500`, `"TimeoutValue":0`},
	{"U01", "ver-part-0005", "24.0.1", "24.1.0", `"GlobalConfiguration"`, `"Elsewhere"`},
	{"U02", "ver-part-0005", "24.0.1", "24.1.0", `"DurationOfBreak":1}`, `"Other":1}`},
	{"U03", "ver-one-0034", "24.0.1", "24.1.0", `"ExceptionsAllowedBeforeBreaking":2`, `"ExceptionsAllowedBeforeBreaking":1`},
	{"U04", "ver-one-0034", "24.0.1", "24.1.0", `"ExceptionsAllowedBeforeBreaking":2`, `"ExceptionsAllowedBeforeBreaking":1`},
	{"U05", "ver-one-0034", "24.0.1", "24.1.0", `"ExceptionsAllowedBeforeBreaking":2`, `"ExceptionsAllowedBeforeBreaking":1`},
	{"U06", "ver-old-0033", "24.0.1", "24.1.0", `"ExceptionsAllowedBeforeBreaking":1`, `"ExceptionsAllowedBeforeBreaking":2`},
	{"U07", "ver-one-0093", "24.0.1", "24.1.0", `"TimeoutValue":11`, `"TimeoutValue":0`},
	{"U08", "ver-type-0018", "24.0.1", "24.1.0", `"Timeout":"5s"`, `"Comment":"5s"`},
	{"U08", "ver-type-0080", "24.0.1", "24.1.0", `"Timeout":"abc"`, `"Timeout":5000`},
	{"U08", "ver-type-0084", "24.0.1", "24.1.0", `"BreakDuration":"5s"`, `"BreakDuration":5000`},
	{"U09", "ver-type-0087", "24.0.1", "24.1.0", `"Timeout":"abc"`, `"Timeout":90`},
	{"U09", "ver-type-0091", "24.0.1", "24.1.0", `"Timeout":1.5`, `"Timeout":90`},
	{"U11", "ver-time-0121", "24.0.1", "24.1.0", `"Timeout":2147484`, `"Timeout":90`},
	{"U12", "ver-time-0043", "24.0.1", "24.1.0", `"Timeout":0`, `"Timeout":90`},
	{"U12", "ver-time-0058", "24.0.1", "24.1.0", `"Timeout":-1`, `"Timeout":90`},
	{"U13", "ver-time-0138", "24.0.1", "24.1.0", `"TimeoutValue":10`, `"TimeoutValue":11`},
	{"U13", "ver-old-0092", "24.0.1", "24.1.0", `"TimeoutValue":10`, `"TimeoutValue":11`},
	{"U14", "ver-time-0136", "24.0.1", "24.1.0", `"TimeoutValue":1`, `"TimeoutValue":11`},
	{"U15", "ver-one-0100", "24.0.1", "24.1.0", `86400000`, `86399999`},
	{"U16", "ver-one-0101", "24.0.1", "24.1.0", `2147483647`, `2147`},
	{"U17", "ver-old-0089", "24.0.1", "24.1.0", `"TimeoutValue":-1`, `"TimeoutValue":1000`},
	{"U20", "ver-many-0001", "24.0.1", "24.1.0", `"/a"`, `"/{x}"`},
	{"U20", "ver-many-0002", "24.0.1", "24.1.0", `"UpstreamHost"`, `"Elsewhere"`},
	{"U21", "ver-many-0011", "24.0.1", "24.1.0", `"cookie-1"`, `"cookie-2"`},
	{"U22", "ver-many-0013", "24.0.1", "24.1.0", `cookiestickysessions`, `RoundRobin`},
	{"U23", "ver-old-0049", "24.0.1", "24.1.0", `"TimeoutValue":5000`, `"TimeoutValue":0`},
	{"U24", "ver-dyn-0013", "24.0.1", "24.1.0", `"TimeoutValue":4000`, `"TimeoutValue":0`},
	{"U25", "ver-dyn-0006", "24.0.1", "24.1.0", `"RouteKeys"`, `"Elsewhere"`},
	{"U26", "ver-dyn-0013", "24.0.1", "24.1.0", `"Port":8500`, `"Port":0`},
	{"U27", "ver-dynt-0002", "24.0.1", "24.1.0", `"Timeout":0`, `"Timeout":90`},
	{"U27", "ver-dynt-0003", "24.0.1", "24.1.0", `"Timeout":-1`, `"Timeout":90`},
	{"U28", "ver-mix-0095", "24.0.1", "24.1.0", `"Timeout":2222`, `"Other":2222`},
	{"U29", "ver-many-0001", "24.0.1", "24.1.0", `QoSOptions`, `Elsewhere`},
	{"U30", "ver-one-0063", "24.1.0", "25.0", `FailureRatio`, `Elsewhere`},
	{"U30", "ver-one-0063", "24.1.0", "25.0-builtin", `FailureRatio`, `Elsewhere`},
	{"U32", "ver-one-0034", "24.1.0", "25.0-builtin", `QoSOptions`, `Elsewhere`},
	{"U32", "ver-shape-0006", "24.1.0", "25.0-builtin", `"TimeoutValue":2500`, `"TimeoutValue":0`},
	{"U33", "ver-old-0049", "24.1.0", "25.0", `QoSOptions`, `Elsewhere`},
	{"U33", "ver-mix-0095", "24.1.0", "25.0", `"TimeoutValue":3333`, `"Timeout":3333`},
	{"U34", "ver-shape-0050", "23.2.0", "23.4.3", `"TimeoutValue":5000`, `"DurationOfBreak":5000`},
	{"U35", "ver-old-0033", "23.2.0", "23.4.3", `"ExceptionsAllowedBeforeBreaking":1`, `"ExceptionsAllowedBeforeBreaking":2`},
	{"U36", "ver-old-0049", "23.2.0", "23.4.3", ``, ``},
	{"U37", "ver-many-0005", "23.2.0", "23.4.3", `"ServiceName":"svc-x"`, `"Elsewhere":1`},
	{"U38", "ver-many-0001", "22.0.1", "23.2.0", `QoSOptions`, `Elsewhere`},
	{"U39", "ver-shape-0050", "22.0.1", "23.2.0", `"TimeoutValue":5000`, `"TimeoutValue":5000,"DurationOfBreak":5000`},
	{"U40", "ver-old-0088", "22.0.1", "23.2.0", `"TimeoutValue":0`, `"TimeoutValue":5000`},
	{"U41", "ver-old-0049", "22.0.1", "23.2.0", `"ExceptionsAllowedBeforeBreaking":3`, `"ExceptionsAllowedBeforeBreaking":0`},
	{"U42", "ver-many-0001", "22.0.1", "23.2.0", `QoSOptions`, `Elsewhere`},
}

// TestOracleSurprises looks for every surprise in the report on its recorded
// case, and for none in that on the same case without what brings it about.
func TestOracleSurprises(t *testing.T) {
	configs := map[string][]byte{}
	oracletest.Each(t, "versions.jsonl.gz", func(rec recording) {
		if rec.File != "" {
			return
		}
		var b bytes.Buffer
		if err := json.Compact(&b, rec.Config); err != nil {
			t.Fatal(err)
		}
		configs[rec.ID] = b.Bytes()
	})
	tally := oracletest.NewTally("surprises")
	for _, s := range surprises {
		text, ok := configs[s.id]
		if !ok {
			t.Logf("%s: %s is kept apart", s.number, s.id)
			continue
		}
		if s.number == "U36" {
			text = bytes.Replace(text, []byte(`"DurationOfBreak":1000`), []byte(`"DurationOfBreak":500`), 1)
			s.old, s.new = `"DurationOfBreak":500`, `"DurationOfBreak":501`
		}
		from, to := profileOf(t, s.from), profileOf(t, s.to)
		with := compare(t, text, from, to)
		changed := bytes.ReplaceAll(text, []byte(s.old), []byte(s.new))
		if s.id == "ver-many-0001" && s.number == "U20" || s.number == "U21" { // in one of two routes
			changed = bytes.Replace(text, []byte(s.old), []byte(s.new), 1)
		}
		without := compare(t, changed, from, to)
		switch {
		case bytes.Equal(changed, text):
			t.Errorf("%s: %s has no %s: %s", s.number, s.id, s.old, text)
		case !slices.Contains(numbersOf(with), s.number):
			tally.Differ(s.number, s.id, "is not reported of %s\n%s", text, textOf(t, with))
		case slices.Contains(numbersOf(without), s.number):
			tally.Differ(s.number, s.id, "is reported without it, of %s\n%s", changed, textOf(t, without))
		default:
			tally.Agree(s.number)
		}
		if same := compare(t, text, to, to); same.Changed || len(same.Steps) > 0 {
			t.Errorf("%s: an upgrade to the same release changes something: %s", s.id, textOf(t, same))
		}
	}
	tally.Report(t)
}

// numbersOf returns the surprises of a report.
func numbersOf(r *upgrade.Report) []string {
	var all []string
	for _, item := range r.Gateway {
		all = append(all, item.Surprises...)
	}
	for _, route := range r.Routes {
		for _, item := range route.Changes {
			all = append(all, item.Surprises...)
		}
	}
	for _, step := range r.Steps {
		all = append(all, step.Surprises...)
	}
	return all
}

// liveConfig is a gateway of one route, which has REST.
const liveConfig = `{ "Routes": [ { "UpstreamPathTemplate": "/a", "DownstreamPathTemplate": "/a", "DownstreamScheme": "http",
  "DownstreamHostAndPorts": [ { "Host": "a", "Port": 80 } ] REST } ] }`

// TestSurprisesOfStarts looks at what keeps a gateway from starting, at packages,
// and at releases that were never run.
func TestSurprisesOfStarts(t *testing.T) {
	for _, c := range []struct {
		number, rest, from, to string
		provider               profile.Provider
		want                   bool
	}{
		{"U10", `, "Timeout": 1`, "24.0", "24.1", profile.Polly, true},
		{"U10", `, "Timeout": 1`, "24.1", "25.0", profile.Polly, false},
		{"U18", `, "QoSOptions": { "TimeoutValue": 2000 }`, "24.0", "24.1", profile.None, true},
		{"U18", `, "QoSOptions": { "ExceptionsAllowedBeforeBreaking": 2 }`, "24.0", "24.1", profile.None, false},
		{"U19", `, "QoSOptions": { "ExceptionsAllowedBeforeBreaking": 2 }`, "24.0", "24.1", profile.None, true},
		{"U19", ``, "24.0", "24.1", profile.None, false},
		{"U30", `, "QoSOptions": { "FailureRatio": 0.5 }`, "24.1", "25.0", profile.None, true},
		{"U31", ``, "24.1", "25.0", profile.Polly, true},
		{"U31", ``, "24.0", "24.1", profile.Polly, false},
		{"U43", `, "QoSOptions": { "TimeoutValue": 2000 }`, "22.0", "23.2", profile.None, true},
		{"U43", ``, "22.0", "23.2", profile.None, false},
		{"U44", ``, "22.0.0", "23.4", profile.Polly, true},
		{"U44", ``, "22.0.1", "23.4", profile.Polly, false},
		{"U45", ``, "21.0", "25.0", profile.Polly, true},
		{"U46", ``, "20.0", "25.0", profile.Polly, true},
		{"U46", ``, "21.0", "25.0", profile.Polly, false},
		{"U47", ``, "15.0.7", "25.0", profile.Polly, true},
		{"U47", ``, "16.0", "25.0", profile.Polly, false},
		{"U48", `, "DownstreamHttpVersion": "x"`, "23.4", "24.0", profile.Polly, true},
		{"U48", ``, "23.4", "24.0", profile.Polly, false},
		{"U49", `, "UpstreamHost": "h" }, { "UpstreamPathTemplate": "/b/{x}", "DownstreamPathTemplate": "/b/{y}", "DownstreamScheme": "http", "DownstreamHostAndPorts": [ { "Host": "a", "Port": 80 } ]`, "22.0", "23.2", profile.Polly, true},
		{"U49", ``, "22.0", "23.2", profile.Polly, false},
		{"U50", ` } ], "Aggregates": [ { "UpstreamPathTemplate": "/g"`, "23.2", "23.4", profile.Polly, true},
		{"U50", ``, "23.2", "23.4", profile.Polly, false},
	} {
		from, ok := profile.Find(c.from)
		to, ok2 := profile.Find(c.to)
		if !ok || !ok2 {
			t.Fatalf("%s: no profile", c.number)
		}
		from.Provider, to.Provider = c.provider, c.provider
		text := strings.Replace(liveConfig, "REST", c.rest, 1)
		r := compare(t, []byte(text), from, to)
		if got := slices.Contains(numbersOf(r), c.number); got != c.want {
			t.Errorf("%s from %s to %s of %q: got %v want %v\n%s", c.number, c.from, c.to, c.rest, got, c.want, textOf(t, r))
		}
	}
}
