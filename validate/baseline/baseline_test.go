package baseline_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate/baseline"
)

func finding(rule, route, option string) diag.Diagnostic {
	return diag.Diagnostic{Rule: rule, Severity: diag.Warning, Message: "m", Subject: diag.Subject{Route: route, Option: option}}
}

func plain(text string) string { return text }

func never(diag.Diagnostic) bool { return false }

// read reads what a baseline writes.
func read(t interface {
	Helper()
	Fatalf(string, ...any)
}, b *baseline.Baseline) *baseline.Baseline {
	t.Helper()
	again, found := baseline.Read(source.NewFile("baseline.json", b.Bytes()))
	if len(found) > 0 {
		t.Fatalf("cannot read back: %v in\n%s", found, b.Bytes())
	}
	return again
}

func TestWhatIsKnownIsHeldBack(t *testing.T) {
	a, b, c := finding("r", "GET /a", "Timeout"), finding("r", "GET /b", "Timeout"), finding("s", "", "")
	known := read(t, (&baseline.Baseline{}).With("gate.json", []diag.Diagnostic{a, a, c}, plain))
	a.Message = "better words"
	s := known.Split("gate.json", []diag.Diagnostic{a, b, a, a}, never)
	if len(s.Held) != 2 || len(s.Fresh) != 2 || s.Fresh[0].Subject != b.Subject || s.Fresh[1].Subject != a.Subject {
		t.Errorf("got fresh %v and held %v, want /b and the third /a fresh", s.Fresh, s.Held)
	}
	if len(s.Gone) != 1 || s.Gone[0].Rule != "s" {
		t.Errorf("got gone %v, want s", s.Gone)
	}
	if s := known.Split("other.json", []diag.Diagnostic{a}, never); len(s.Fresh) != 1 || len(s.Gone) != 0 {
		t.Errorf("another gateway: got %+v, want the finding fresh", s)
	}
	if s := known.Split("gate.json", []diag.Diagnostic{a}, func(diag.Diagnostic) bool { return true }); len(s.Fresh) != 1 {
		t.Errorf("lasting: got %+v, want the finding fresh", s)
	}
}

func TestOtherGatewaysStay(t *testing.T) {
	a := finding("r", "GET /a", "")
	b := (&baseline.Baseline{}).With("one", []diag.Diagnostic{a}, plain).With("two", []diag.Diagnostic{a, a}, plain)
	next := b.With("one", nil, plain)
	if b.Total() != 3 || next.Total() != 2 || next.Len("two") != 2 {
		t.Errorf("got %d, then %d with %d in two; want 3, 2, 2", b.Total(), next.Total(), next.Len("two"))
	}
}

func TestTheFile(t *testing.T) {
	b := (&baseline.Baseline{}).With("b/ocelot.json", []diag.Diagnostic{finding("s", "", ""), finding("r", "GET /secret", "Timeout"), finding("r", "GET /secret", "Timeout")},
		func(text string) string { return strings.ReplaceAll(text, "secret", "***") }).With("a", []diag.Diagnostic{finding("r", "", "")}, plain)
	const want = `{
  "version": 1,
  "gateways": {
    "a": [
      {"rule":"r","fingerprint":"e0f9ac2f92b1d7d7f3e64fb7e0b2a4ab"}
    ],
    "b/ocelot.json": [
      {"rule":"r","route":"GET /***","option":"Timeout","fingerprint":"F","count":2},
      {"rule":"s","fingerprint":"F"}
    ]
  }
}
`
	if got := shorten(string(b.Bytes())); got != shorten(want) {
		t.Errorf("got\n%s\nwant\n%s", got, shorten(want))
	}
	if got := string((&baseline.Baseline{}).Bytes()); got != "{\n  \"version\": 1,\n  \"gateways\": {\n  }\n}\n" {
		t.Errorf("got %q for nothing", got)
	}
}

// shorten replaces fingerprints by F.
func shorten(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if i := strings.Index(line, `"fingerprint":"`); i >= 0 {
			i += len(`"fingerprint":"`)
			line = line[:i] + "F" + line[i+strings.IndexByte(line[i:], '"'):]
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestBrokenFiles(t *testing.T) {
	entry := func(text string) string { return `{"version":1,"gateways":{"g":[` + text + `]}}` }
	for _, tt := range []struct{ name, text, want string }{
		{"empty", ``, `1:1 the file is empty: a baseline is the object that --update-baseline writes`},
		{"comments", `// none yet`, `1:1 the file holds nothing but comments: a baseline is the object that --update-baseline writes`},
		{"conflict", "{\n<<<<<<< HEAD\n\"version\": 1\n=======\n\"version\": 2\n>>>>>>> x\n}", `2:1 *`},
		{"cut off", `{"version":1,"gateways":{`, `1:25 *`},
		{"list", `[]`, `1:1 the file is an array; expected the object that --update-baseline writes`},
		{"another file", `{"Routes":[]}`, `1:1 the file has no "version", so it is no baseline`},
		{"newer", `{"version":2,"gateways":{}}`, `1:12 the baseline is of version 2; this program reads version 1`},
		{"no gateways", `{"version":1}`, `1:1 "gateways" is missing or no object`},
		{"gateway", `{"version":1,"gateways":{"g":5}}`, `1:30 the findings of "g" are a number; expected an array`},
		{"gateway twice", `{"version":1,"gateways":{"g":[],"g":[]}}`, `1:33 the gateway "g" stands here twice`},
		{"finding", entry(`5`), `1:31 a finding is a number; expected an object`},
		{"no rule", entry(`{"fingerprint":"f"}`), `1:31 a finding needs "rule" and "fingerprint"`},
		{"text", entry(`{"rule":"r","route":1,"fingerprint":"f"}`), `1:51 "route" is a number; expected a text`},
		{"count", entry(`{"rule":"r","fingerprint":"f","count":0}`), `1:69 "count" is 0; expected a whole number from 1 on`},
		{"half", entry(`{"rule":"r","fingerprint":"f","count":1.5}`), `1:69 "count" is 1.5; expected a whole number from 1 on`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, found := baseline.Read(source.NewFile("baseline.json", []byte(tt.text)))
			if b != nil || len(found) == 0 {
				t.Fatalf("got %v, %v; want findings only", b, found)
			}
			at := found[0].Span.Position()
			got := fmt.Sprintf("%d:%d %s", at.Line, at.Column, found[0].Message)
			if start, ok := strings.CutSuffix(tt.want, "*"); got != tt.want && !(ok && strings.HasPrefix(got, start)) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if found[0].Help == "" || found[0].Rule != baseline.Rule {
				t.Errorf("got help %q and rule %q", found[0].Help, found[0].Rule)
			}
		})
	}
}

// Whatever is found and in whatever order: what is written reads back to the
// same bytes, and holds back exactly what was found.
func TestProperty(t *testing.T) {
	texts := rapid.SampledFrom([]string{"", "a", "b", "GET /a b", "<&>\"\u2028\\", "é"})
	findings := rapid.SliceOf(rapid.Custom(func(t *rapid.T) diag.Diagnostic {
		return finding(rapid.SampledFrom([]string{"r", "s"}).Draw(t, "rule"), texts.Draw(t, "route"), texts.Draw(t, "option"))
	}))
	rapid.Check(t, func(t *rapid.T) {
		ds := findings.Draw(t, "findings")
		b := (&baseline.Baseline{}).With("g", ds, plain)
		again := read(t, b)
		if !bytes.Equal(again.Bytes(), b.Bytes()) {
			t.Fatalf("got\n%s\nwant\n%s", again.Bytes(), b.Bytes())
		}
		shuffled := rapid.Permutation(ds).Draw(t, "order")
		if s := again.Split("g", shuffled, never); len(s.Fresh)+len(s.Gone) > 0 || len(s.Held) != len(ds) {
			t.Fatalf("got %d fresh, %d held, %d gone of %d", len(s.Fresh), len(s.Held), len(s.Gone), len(ds))
		}
		more := findings.Draw(t, "more")
		s := again.Split("g", slices.Concat(more, shuffled), never)
		if len(s.Fresh) != len(more) || len(s.Gone) > 0 {
			t.Fatalf("got %d fresh of %d new ones, %d gone", len(s.Fresh), len(more), len(s.Gone))
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add((&baseline.Baseline{}).With("g", []diag.Diagnostic{finding("r", "a", "b")}, plain).Bytes())
	f.Add([]byte(`{"version":1,"gateways":{"g":[{"rule":"r","fingerprint":"f","count":3},{}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, found := baseline.Read(source.NewFile("baseline.json", text))
		if (b == nil) != (len(found) > 0) {
			t.Fatalf("got %v and %v", b, found)
		}
		if b != nil && !bytes.Equal(read(t, b).Bytes(), b.Bytes()) {
			t.Errorf("reads back differently:\n%s", b.Bytes())
		}
	})
}
