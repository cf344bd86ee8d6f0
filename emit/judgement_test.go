package emit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
	"github.com/margay-dev/margay/validate/rules"
)

// judgements is the written judgement of every rule that fires in real files. The
// numbers in it are held here, and so is every finding that can be judged by
// something else than the rule: the matcher of requests, the properties of all
// releases, the resolved values.
const judgements = "../testdata/rules/JUDGEMENT.md"

// judgedRow is a line of a table: rule, findings, files, how, false alarms.
var judgedRow = regexp.MustCompile(`(?m)^\| ([a-z-]+) \| (\d+) \| (\d+) \| (.+?) \| (\d+) \|$`)

func TestCorpusJudgement(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	names, judged := readNames(t), map[string]int{}
	for _, part := range []struct{ heading, ocelot string }{
		{"By the documentation of Ocelot 25.0", ""},
		{"As Ocelot 24.0 with Polly runs it", "24.0"},
		{"Asked about Ocelot 16.0", "16.0"},
	} {
		findings, in := map[string]int{}, map[string]int{}
		j := judge{names: names, rand: rand.New(rand.NewPCG(1, 2))}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			j.enter(t, compileRelease(t, raw, part.ocelot))
			for rule, n := range j.judgeAll(t, part.heading+": "+filepath.Base(file), judged) {
				findings[rule] += n
				in[rule]++
			}
		}
		holdTable(t, part.heading, findings, in)
	}
	for rule := range judges() {
		if judged[rule] == 0 {
			t.Errorf("no finding of %s was judged", rule)
		}
	}
}

// compileRelease compiles a file as a release runs it; "" is the documentation.
func compileRelease(t *testing.T, raw []byte, ocelot string) *Result {
	t.Helper()
	if ocelot == "" {
		return compileText(t, raw)
	}
	p, ok := profile.Find(ocelot)
	if !ok {
		t.Fatalf("there is no release %s", ocelot)
	}
	r, err := Compile(t.Context(), load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", raw)}, Options{Profile: p, Rules: rules.All()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// judgeAll judges the findings about a file, and counts them by rule.
func (j *judge) judgeAll(t *testing.T, name string, judged map[string]int) map[string]int {
	t.Helper()
	count := map[string]int{}
	for _, d := range j.result.Findings {
		count[d.Rule]++
		check := judges()[d.Rule]
		if check == nil {
			continue
		}
		judged[d.Rule]++
		if objection := check(j, d); objection != "" {
			t.Errorf("%s:%d: a false alarm of %s: %s: %s", name, d.Span.Position().Line, d.Rule, d.Message, objection)
		}
	}
	return count
}

// holdTable compares the numbers of the table below a heading; UPDATE writes them.
func holdTable(t *testing.T, heading string, findings, files map[string]int) {
	t.Helper()
	text, err := os.ReadFile(judgements)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), "## "+heading+"\n")
	if !ok {
		t.Fatalf("%s has no part %q", judgements, heading)
	}
	table, after, more := strings.Cut(rest, "\n## ")
	listed := map[string]bool{}
	want := judgedRow.ReplaceAllStringFunc(table, func(line string) string {
		m := judgedRow.FindStringSubmatch(line)
		listed[m[1]] = true
		if m[5] != "0" {
			t.Errorf("%s: %s has false alarms", heading, m[1])
		}
		return fmt.Sprintf("| %s | %d | %d | %s | %s |", m[1], findings[m[1]], files[m[1]], m[4], m[5])
	})
	for rule := range findings {
		if !listed[rule] {
			t.Errorf("%s: nobody has judged the %d findings of %s: read them, then give %s a line", heading, findings[rule], rule, judgements)
		}
	}
	for rule := range listed {
		if findings[rule] == 0 {
			t.Errorf("%s: %s finds nothing in real files any more, and has a line in %s", heading, rule, judgements)
		}
	}
	if want == table {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Errorf("%s: the numbers of %s have changed: read what is new, then UPDATE=1", heading, judgements)
		return
	}
	whole := before + "## " + heading + "\n" + want
	if more {
		whole += "\n## " + after
	}
	if err := os.WriteFile(judgements, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
}
