package syntax_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// sound is a file as people write it.
const sound = `{
  // gateway
  "Routes": [
    {
      "Key": "a",
      "UpstreamPathTemplate": "/a/{id}",
      "UpstreamHttpMethod": [ "Get", "Post" ],
      "DownstreamHostAndPorts": [
        { "Host": "a", "Port": 80 }
      ],
      "QoSOptions": {
        "Timeout": 5000,
        "BreakDuration": 1000
      }
    },
    {
      "Key": "b",
      "Priority": 1
    }
  ],
  "GlobalConfiguration": {
    "BaseUrl": "http://x",
    "Timeout": 90
  }
}
`

// slips are replacements in sound that people make by mistake.
var slips = [][2]string{
	{"\"Timeout\": 5000,\n", "\"Timeout\": 5000\n"},
	{"        \"BreakDuration\": 1000\n      }\n", "        \"BreakDuration\": 1000\n"},
	{"      }\n    },\n    {", "      }\n    {"},
	{"    },\n    {\n      \"Key\": \"b\"", "    \n    {\n      \"Key\": \"b\""},
	{"      ],\n      \"QoS", "      \n      \"QoS"},
	{"      ],\n      \"QoS", "      },\n      \"QoS"},
	{"  ],\n  \"Glob", "  \n  \"Glob"},
	{"  ],\n  \"Glob", "  ]\n  },\n  \"Glob"},
	{"  ],\n  \"Glob", "  ]\n  \"Glob"},
	{"\"/a/{id}\",", "\"/a/{id},"},
	{"\"/a/{id}\",", "/a/{id}\","},
	{"\"Key\": \"a\"", "Key: \"a\""},
	{"\"Key\": \"a\"", "Key\": \"a\""},
	{"\"Key\": \"a\"", "\"Key: \"a\""},
	{"\"Key\": \"a\"", "\"Key\" \"a\""},
	{"\"Key\": \"a\"", "\"Key\": a"},
	{"  \"GlobalConfiguration\": {", "  \"GlobalConfiguration\":"},
	{"  \"GlobalConfiguration\": {", "  \"GlobalConfiguration\": [{"},
	{"[ \"Get\", \"Post\" ]", "\"Get\", \"Post\""},
	{"[ \"Get\", \"Post\" ]", "[ \"Get\" \"Post\" ]"},
	{"[ \"Get\", \"Post\" ]", "[ Get, Post ]"},
	{"[ \"Get\", \"Post\" ]", "{ \"Get\", \"Post\" }"},
	{"[ \"Get\", \"Post\" ]", "[ \"Get\", \"Post\" "},
	{"  // gateway", "  # gateway"},
	{"  // gateway", "  /* gateway"},
	{"\"Timeout\": 90\n  }\n}", "\"Timeout\": 90\n  }\n"},
	{"\"Timeout\": 90\n  }\n}", "\"Timeout\": 90\n"},
	{"\"Timeout\": 90\n  }\n}", "\"Timeout\": 90\n  }\n}\n}"},
	{"\"Timeout\": 90\n  }\n}", "\"Timeout\": 90\n  },\n}, \"a\": 1\n}"},
	{"{\n  // gateway", "{\n  {\n // gateway"},
	{"{\n  // gateway\n", "\n"},
	{"    {\n      \"Key\": \"b\"", "    \n      \"Key\": \"b\""},
	{"\"Priority\": 1", "\"Priority\": 1,,"},
	{"\"Timeout\": 90", "\"Timeout\": 90s"},
	{"\"Timeout\": 90", "\"Timeout\": 1.000.000"},
	{"\"Timeout\": 90", "\"Timeout\": \"90"},
	{"\"Timeout\": 90", "\"Timeout\" = 90"},
	{"\"Timeout\": 90", "\"Timeout\": 90 // x\n \"x\": ${PORT}"},
	{"\"Timeout\": 90", "\"Timeout\": 9 0"},
	{"\"Timeout\": 90", "\"Timeout\": #{Timeout}#"},
	{"\"Timeout\": 90", "\"Timeout\": <timeout>"},
	{"\"Timeout\": 90", "\"Timeout\": \"a\\:b\""},
	{"\"Timeout\": 90", "\"Timeout\": (90)"},
	{"\"Timeout\": 90", "\"Timeout\": 90 / 2"},
	{"\"Timeout\": 90", "..."},
	{"\"Timeout\": 90", "// ...\n    ..."},
}

// TestSlips shows what a person sees after a slip in an ordinary file. There
// should be one finding for one slip, at the place where it happened.
func TestSlips(t *testing.T) {
	var got bytes.Buffer
	for _, slip := range slips {
		if strings.Count(sound, slip[0]) != 1 {
			t.Fatalf("%q stands %d times in the file, want once", slip[0], strings.Count(sound, slip[0]))
		}
		file := source.NewFile("ocelot.json", []byte(strings.Replace(sound, slip[0], slip[1], 1)))
		doc := syntax.Parse(&syntax.Tree{}, file)
		var list diag.List
		for _, d := range doc.Defects {
			list.Add(diag.Diagnostic{
				Rule: "syntax-error", Severity: diag.Error, Message: d.Message, Help: d.Help, Related: d.Related, Fix: d.Fix,
				Span: source.Span{File: file, Start: d.Start, End: d.End}, Ocelot: d.Net,
			})
		}
		fmt.Fprintf(&got, "==== %q becomes %q\n", slip[0], slip[1])
		if err := report.Text(report.Options{}).Print(&got, list.Sorted()); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&got)
	}
	golden := filepath.Join("testdata", "slips.txt")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	gotParts, wantParts := strings.Split(got.String(), "===="), strings.Split(string(want), "====")
	for i := range max(len(gotParts), len(wantParts)) {
		if i >= len(gotParts) || i >= len(wantParts) || gotParts[i] != wantParts[i] {
			t.Fatalf("%s differs (UPDATE=1 rewrites it):\n got %s\nwant %s", golden, strings.Join(gotParts[i:min(i+1, len(gotParts))], ""), strings.Join(wantParts[i:min(i+1, len(wantParts))], ""))
		}
	}
}
