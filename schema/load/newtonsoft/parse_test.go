package newtonsoft_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/load/newtonsoft"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// rewrite reads a text and writes it again.
func rewrite(text string) (string, *newtonsoft.Error) {
	var tree syntax.Tree
	doc, err := newtonsoft.Parse(&tree, source.NewFile("part.json", []byte(text)))
	if err != nil {
		return "", err
	}
	if doc.Root == 0 {
		return "nothing", nil
	}
	return string(newtonsoft.WriteCompact(&tree, doc.Root)), nil
}

func TestRewrite(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                     `{}`,
		`{"a":[1,{"b":null}]}`:                   `{"a":[1,{"b":null}]}`,
		"\ufeff{}":                               `{}`,
		`{'a':'it\'s'}`:                          `{"a":"it's"}`,
		`{a: true, $b_1: false,}`:                `{"a":true,"$b_1":false}`,
		`[1,2,]`:                                 `[1,2]`,
		`[1,,2]`:                                 `[1,undefined,2]`,
		`new Date(1)`:                            `new Date(1)`,
		`/* c */ {"a":1}`:                        `nothing`,
		`{"a":1 /* c */, // d` + "\n" + `"b":2}`: `{"a":1,"b":2}`,
		`{"a":1,"b":2,"a":3}`:                    `{"a":3,"b":2}`,
		`{"a":1,"a":2}`:                          `{"a":2}`,
		`{"a":1,"A":2}`:                          `{"a":1,"A":2}`,

		`010`:                  `8`,
		`0x1F`:                 `31`,
		`0xFFFFFFFFFFFFFFFF`:   `-1`,
		`-0`:                   `0`,
		`-07`:                  `-7`,
		`9223372036854775808`:  `9223372036854775808`,
		`1.10`:                 `1.1`,
		`5e3`:                  `5000.0`,
		`.5`:                   `0.5`,
		`5.`:                   `5.0`,
		`-0.0`:                 `-0.0`,
		`1e16`:                 `10000000000000000.0`,
		`1e17`:                 `1E+17`,
		`1e22`:                 `1E+22`,
		`0.0001`:               `0.0001`,
		`0.00001`:              `1E-05`,
		`1e400`:                `"Infinity"`,
		`NaN`:                  `"NaN"`,
		`-Infinity`:            `"-Infinity"`,
		`"A\ud83d\ude00"`:      `"A😀"`,
		`"\ud83d"`:             "\"\ufffd\"",
		`"\ud83d\ud83d\ude00"`: "\"\ufffd😀\"",
		"\"tab\tand\nline\"":   `"tab\tand\nline"`,
		"\"\u2028\"":           `"\u2028"`,
		`"\/"`:                 `"/"`,

		`"2020-01-02T03:04:05Z"`:           `"2020-01-02T03:04:05Z"`,
		`"2020-01-02T03:04:05z"`:           `"2020-01-02T03:04:05Z"`,
		`"2020-01-02T03:04:05.1200"`:       `"2020-01-02T03:04:05.12"`,
		`"2020-01-02T03:04:05+02:00"`:      `"2020-01-02T01:04:05+00:00"`,
		`"2020-01-02T24:00:00"`:            `"2020-01-03T00:00:00"`,
		`"2020-02-30T00:00:00"`:            `"2020-02-30T00:00:00"`,
		`"2020-01-02T03:04:05.12345678"`:   `"2020-01-02T03:04:05.12345678"`,
		`"2020-01-02T03:04:05.1234567890"`: `"2020-01-02T03:04:05.1234567890"`,
		`"2020-01-02 03:04:05"`:            `"2020-01-02 03:04:05"`,
		`"/Date(0)/"`:                      `"1970-01-01T00:00:00Z"`,
		`"/Date(0+0200)/"`:                 `"1970-01-01T00:00:00+00:00"`,
		`"/Dated(0)/"`:                     `"/Dated(0)/"`,
	} {
		got, err := rewrite(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		``:               "Error reading JToken from JsonReader. Path '', line 0, position 0.",
		`{`:              "Error reading JObject from JsonReader. Path '', line 1, position 1.",
		`{"a":{`:         "Unexpected end of content while loading JObject. Path 'a', line 1, position 6.",
		`[1`:             "Unexpected end of content while loading JArray. Path '[0]', line 1, position 2.",
		`{"a" 1}`:        "Invalid character after parsing property name. Expected ':' but got: 1. Path '', line 1, position 5.",
		`{"a":1 "b"}`:    `After parsing a value an unexpected character was encountered: ". Path 'a', line 1, position 7.`,
		`{"a b":x}`:      "Unexpected character encountered while parsing value: x. Path '['a b']', line 1, position 7.",
		"{\r\n\"a\":\n}": "Unexpected character encountered while parsing value: }. Path 'a', line 3, position 0.",
		`{} {}`:          "Additional text encountered after finished reading JSON content: {. Path '', line 1, position 3.",
		`{]`:             "Invalid property identifier character: ]. Path '', line 1, position 1.",
		`{"a":[1}`:       "JsonToken EndObject is not valid for closing JsonType Array. Path 'a', line 1, position 8.",
		`"\x"`:           `Bad JSON escape sequence: \x. Path '', line 1, position 3.`,
		`"\u00zz"`:       `Invalid Unicode escape sequence: \u00zz. Path '', line 1, position 3.`,
		`"abc`:           `Unterminated string. Expected delimiter: ". Path '', line 1, position 4.`,
		`tru`:            "Unexpected end when reading JSON. Path '', line 1, position 3.",
		`tr€`:            "Unexpected end when reading JSON. Path '', line 1, position 3.",
		`"\u00€€"`:       "Invalid Unicode escape sequence: \\u00€€. Path '', line 1, position 3.",
		`truex`:          "Error parsing boolean value. Path '', line 1, position 4.",
		`+1`:             "Unexpected character encountered while parsing value: +. Path '', line 0, position 0.",
		`019`:            "Input string '019' is not a valid number. Path '', line 1, position 3.",
		`"é😀" x`:         "Additional text encountered after finished reading JSON content: x. Path '', line 1, position 6.",
	} {
		_, err := rewrite(text)
		if err == nil {
			t.Errorf("%q is read, want %s", text, want)
		} else if err.Message != want {
			t.Errorf("%q:\n got %s\nwant %s", text, err.Message, want)
		}
	}
}

func TestDepth(t *testing.T) {
	for depth, ok := range map[int]bool{64: true, 65: false} {
		text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		_, err := rewrite(text)
		if (err == nil) != ok {
			t.Errorf("depth %d: error %v, want success %t", depth, err, ok)
		}
	}
}

func TestNodesPointIntoTheText(t *testing.T) {
	text := `{ 'a': [0x10, "2020-01-02T03:04:05+02:00"] }`
	var tree syntax.Tree
	doc, err := newtonsoft.Parse(&tree, source.NewFile("part.json", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	a := tree.Node(doc.Root).First
	if got, want := tree.KeySpan(a).Text(), `'a'`; got != want || tree.Key(a) != "a" {
		t.Errorf("the name is %q at %s, want a at %s", tree.Key(a), got, want)
	}
	number := tree.Node(a).First
	if got, want := tree.Span(number).Text(), "0x10"; got != want || tree.Text(number) != "16" {
		t.Errorf("the number is %s at %s, want 16 at %s", tree.Text(number), got, want)
	}
	if len(doc.Rewritten) != 2 {
		t.Errorf("%d scalars are rewritten, want 2", len(doc.Rewritten))
	}
}

// FuzzParse checks that every text is either refused with a message that says
// where, or written again as a text that says the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"Routes":[{"a":1.10,'b':0x1F,c:NaN,}],/*d*/"e":"2020-01-02T03:04:05+02:00"}`,
		`[1,,2]`, `new Date(1)`, "{}\r\n", "//\n{}", `{"a":"\ud83d\ude00\u0000"}`, `{"a":1,"A":2,"a":3}`, `{"a:b":-012}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var tree syntax.Tree
		doc, err := newtonsoft.Parse(&tree, source.NewFile("part.json", []byte(text)))
		if err != nil {
			if !strings.HasSuffix(err.Message, ".") && err.Type == "Newtonsoft.Json.JsonReaderException" {
				t.Errorf("%q: message %q", text, err.Message)
			}
			return
		}
		if doc.Root == 0 || doc.Script {
			return
		}
		written := string(newtonsoft.Write(&tree, doc.Root))
		again, failed := rewrite(written)
		if failed != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", text, written, failed)
		}
		if first, _ := rewrite(text); again != first {
			t.Errorf("%q becomes %q, then %q", text, first, again)
		}
	})
}
