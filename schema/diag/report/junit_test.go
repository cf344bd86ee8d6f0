package report_test

import (
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
)

// element is what the schemas of Jenkins' xUnit plugin (junit-4.xsd and
// junit-10.xsd) both say of an element of their format: which attributes it must
// and may have, which elements stand in it, and whether text does.
type element struct {
	must, may, children []string
	text                bool
}

func junitSchema() map[string]element {
	outcome := element{may: []string{"type", "message"}, text: true}
	return map[string]element{
		"testsuites": {may: []string{"name", "time", "tests", "failures", "errors"}, children: []string{"testsuite"}},
		"testsuite": {
			must:     []string{"name", "tests", "failures", "errors"},
			may:      []string{"time", "skipped", "timestamp", "hostname", "id", "package"},
			children: []string{"properties", "testcase", "system-out", "system-err"},
		},
		"testcase": {
			must: []string{"name"}, may: []string{"time", "classname"},
			children: []string{"skipped", "error", "failure", "system-out", "system-err"},
		},
		"failure": outcome, "error": outcome, "skipped": {text: true},
	}
}

// node is any element of XML.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []node     `xml:",any"`
}

func (n *node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// check holds an element and all in it against the schema.
func (n *node) check(t *testing.T, schema map[string]element) {
	t.Helper()
	rule, known := schema[n.XMLName.Local]
	if !known {
		t.Fatalf("no element %s in the schema", n.XMLName.Local)
	}
	left := slices.Clone(rule.must)
	for _, a := range n.Attrs {
		if !slices.Contains(rule.must, a.Name.Local) && !slices.Contains(rule.may, a.Name.Local) {
			t.Errorf("%s has no attribute %s", n.XMLName.Local, a.Name.Local)
		}
		left = slices.DeleteFunc(left, func(s string) bool { return s == a.Name.Local })
	}
	if len(left) > 0 {
		t.Errorf("%s lacks %v", n.XMLName.Local, left)
	}
	if !rule.text && strings.TrimSpace(n.Text) != "" {
		t.Errorf("text in %s: %q", n.XMLName.Local, n.Text)
	}
	for i := range n.Children {
		if !slices.Contains(rule.children, n.Children[i].XMLName.Local) {
			t.Errorf("%s in %s", n.Children[i].XMLName.Local, n.XMLName.Local)
		}
		n.Children[i].check(t, schema)
	}
}

// count returns how many elements of a name are in an element at any depth.
func (n *node) count(name string) (total int) {
	for i := range n.Children {
		if n.Children[i].XMLName.Local == name {
			total++
		}
		total += n.Children[i].count(name)
	}
	return total
}

func junit(t *testing.T, text string) node {
	t.Helper()
	var root node
	if err := xml.Unmarshal([]byte(text), &root); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return root
}

func TestJUnitIsValid(t *testing.T) {
	ds, secrets := findings()
	for _, list := range [][]diag.Diagnostic{nil, ds} {
		for _, opts := range []report.Options{{}, {Rules: rules(), Secrets: secrets, Least: diag.Info}} {
			root := junit(t, output(t, "junit", opts, list))
			root.check(t, junitSchema())
			if root.count("testcase") == 0 {
				t.Error("got no test case, which servers take for a broken report")
			}
			for i := range root.Children {
				counts(t, &root.Children[i])
			}
			counts(t, &root)
		}
	}
}

// counts holds the numbers of a suite against what is in it.
func counts(t *testing.T, n *node) {
	t.Helper()
	for attr, name := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"} {
		if attr == "skipped" && n.XMLName.Local == "testsuites" {
			continue
		}
		if got, want := n.attr(attr), strconv.Itoa(n.count(name)); got != want {
			t.Errorf("%s %q: got %s=%s, want %s", n.XMLName.Local, n.attr("name"), attr, got, want)
		}
	}
}

// A case keeps its name from run to run, and no two have the same.
func TestJUnitNames(t *testing.T) {
	a, b, c := about("r", "GET /a", "Timeout"), about("r", "GET /a", "Timeout"), about("r", "", "")
	c.Severity = diag.Info
	root := junit(t, output(t, "junit", report.Options{Least: diag.Info, Rules: rules()[3:]}, []diag.Diagnostic{a, b, c}))
	var got []string
	for _, suite := range root.Children {
		for _, test := range suite.Children {
			outcome := "passed"
			if len(test.Children) > 0 {
				outcome = test.Children[0].XMLName.Local
			}
			got = append(got, test.attr("classname")+": "+test.attr("name")+": "+outcome)
		}
	}
	want := []string{"r: GET /a Timeout: failure", "r: GET /a Timeout (2): failure", "r: r: skipped", "auth-inactive: auth-inactive: passed", "bare: bare: passed"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
