package plan_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

func TestDecodeIsTheInverseOfEncode(t *testing.T) {
	want := full()
	got, err := plan.Decode(bytes.NewReader(encode(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", encode(t, got), encode(t, want))
	}
}

// problems returns what Decode has against text, one problem a line.
func problems(t *testing.T, text string) string {
	t.Helper()
	_, err := plan.Decode(strings.NewReader(text))
	if err == nil {
		return ""
	}
	bad, ok := errors.AsType[*plan.InvalidError](err)
	if !ok {
		t.Fatalf("got %T %v, want an *InvalidError", err, err)
	}
	lines := make([]string, len(bad.Problems))
	for i, p := range bad.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

func TestDecodeReasons(t *testing.T) {
	const head = `{"version":"1.0","profile":{"provider":"builtin"},`
	tests := []struct{ name, in, want string }{
		{"empty input", "", "not JSON at line 1, column 1: unexpected end of JSON input"},
		{"syntax", "{\n \"version\": 1,,}", "not JSON at line 2, column 15: invalid character ',' looking for beginning of object key string"},
		{"trailing text", `{"version":"1.0"} x`, "not JSON at line 1, column 19: invalid character 'x' after top-level value"},
		{"array", "[]", "got a JSON array, expected an object"},
		{"no version", "{}", `version: missing, expected "1.0"`},
		{"number as version", `{"version":1}`, "version: got a JSON number, expected a string"},
		{"odd version", `{"version":"1"}`, `version: got "1", expected two numbers such as "1.0"`},
		{"newer major", `{"version":"2.0","what":"ever"}`, `version: got "2.0", but this program reads versions 1.x only`},
		{"older major", `{"version":"0.9"}`, `version: got "0.9", but this program reads versions 1.x only`},
		{"unknown member", head + `"routs":[]}`, "routs: unknown member in version 1.0"},
		{"nameless member", head + `"":[{"a":"\\"}]}`, `"": unknown member in version 1.0`},
		{"escaped name", head + `"\u0072outes":[]}`, ""},
		{"case", head + `"Routes":[]}`, `Routes: unknown member, did you mean "routes"?`},
		{"twice", head + `"routes":[],"routes":[]}`, "routes: occurs twice"},
		{"object for array", head + `"routes":{"a":[1,{}]}}`, "routes: got an object, expected an array"},
		{"array for text", head + `"baseUrl":[[],{}]}`, "baseUrl: got an array, expected a string"},
		{"text for array", head + `"routes":"x"}`, `routes: got the string "x", expected an array`},
		{"fraction", head + `"discovery":{"type":"x","port":1.5}}`, "discovery.port: got 1.5, expected an integer"},
		{"text for number", head + `"discovery":{"type":"x","port":"1"}}`, `discovery.port: got the string "1", expected an integer`},
		{"range", head + `"discovery":{"type":"x","port":65536}}`, "discovery.port: got 65536, expected 0 to 65535"},
		{"huge integer", head + `"discovery":{"type":"x","port":99999999999999999999}}`, "discovery.port: got 99999999999999999999, expected an integer"},
		{"provider", `{"version":"1.0","profile":{"provider":"x"},"routes":[]}`, `profile.provider: got "x", expected "builtin", "polly" or "none"`},
		{"null is unset", head + `"routes":null,"discovery":null}`, ""},
		{"newer minor passes unknown members over", `{"version":"1.7","profile":{"provider":"none"},"routes":[],"new":{"a":[1]}}`, ""},
		{"newer minor knows its names", `{"version":"1.7","profile":{"provider":"none"},"ROUTES":[]}`, `ROUTES: unknown member, did you mean "routes"?`},
		{"all at once", head + `"x":1,"digest":"y","discovery":{"port":-1}}`, "x: unknown member in version 1.0\n" +
			`digest: got "y", expected "sha256:" and 64 lower-case hexadecimal digits` + "\n" +
			"discovery.type: missing\ndiscovery.port: got -1, expected 0 to 65535"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := problems(t, test.in); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestDecodeRefusesWithoutBound(t *testing.T) {
	_, err := plan.Decode(endless{})
	if err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("got %v, want the size named", err)
	}
}

// endless is a file without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestDecodeReportsReadErrors(t *testing.T) {
	broken := errors.New("cable cut")
	if _, err := plan.Decode(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v inside", err, broken)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestInvalidErrorStaysShort(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"version":"1.0","profile":{"provider":"none"},"routes":[]`)
	for i := range 5000 {
		fmt.Fprintf(&b, `,"x%d":0`, i)
	}
	b.WriteString("}")
	_, err := plan.Decode(strings.NewReader(b.String()))
	if err == nil {
		t.Fatal("got no error")
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 22 || !strings.HasSuffix(lines[21], "and 980 more") {
		t.Errorf("got %d lines ending in %q, want 22 ending in how many more", len(lines), lines[len(lines)-1])
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, full()))
	f.Add([]byte(`{"version":"1.9","profile":{"provider":"none"},"routes":null,"x":[{}]}`))
	f.Add([]byte(`{"version":"1.0","profile":[],"routes":{"a":[1,{}]},"routes":1e9}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := plan.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		again, err := plan.Decode(bytes.NewReader(encode(t, p)))
		if err != nil {
			t.Fatalf("Decode of what Encode wrote: %v", err)
		}
		if !reflect.DeepEqual(p, again) {
			t.Fatalf("got\n%s\nwant\n%s", encode(t, again), encode(t, p))
		}
	})
}
