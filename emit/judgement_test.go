package emit

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/route"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// judgements is the written judgement of every rule that fires in real files. The
// numbers in it are held here, and so is every finding that can be judged by
// something else than the rule: the matcher of requests, the properties of all
// releases, the resolved values.
const judgements = "../testdata/rules/JUDGEMENT.md"

// judgedRow is a line of the table: rule, findings, files, how, false alarms.
var judgedRow = regexp.MustCompile(`(?m)^\| ([a-z-]+) \| (\d+) \| (\d+) \| (.+?) \| (\d+) \|$`)

func TestCorpusJudgement(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	findings, in := map[string]int{}, map[string]int{}
	j := judge{names: readNames(t), rand: rand.New(rand.NewPCG(1, 2))}
	judged := map[string]int{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		j.enter(t, compileText(t, raw))
		seen := map[string]bool{}
		for _, d := range j.result.Findings {
			findings[d.Rule]++
			if !seen[d.Rule] {
				in[d.Rule]++
				seen[d.Rule] = true
			}
			check := judges()[d.Rule]
			if check == nil {
				continue
			}
			judged[d.Rule]++
			if objection := check(&j, d); objection != "" {
				t.Errorf("%s:%d: a false alarm of %s: %s: %s", filepath.Base(file), d.Span.Position().Line, d.Rule, d.Message, objection)
			}
		}
	}
	for rule := range judges() {
		if judged[rule] == 0 {
			t.Errorf("no finding of %s was judged", rule)
		}
	}
	holdTable(t, findings, in)
}

// holdTable compares the numbers of the table; UPDATE writes them.
func holdTable(t *testing.T, findings, files map[string]int) {
	t.Helper()
	text, err := os.ReadFile(judgements)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	want := judgedRow.ReplaceAllStringFunc(string(text), func(line string) string {
		m := judgedRow.FindStringSubmatch(line)
		listed[m[1]] = true
		if m[5] != "0" {
			t.Errorf("%s has false alarms", m[1])
		}
		return fmt.Sprintf("| %s | %d | %d | %s | %s |", m[1], findings[m[1]], files[m[1]], m[4], m[5])
	})
	for rule := range findings {
		if !listed[rule] {
			t.Errorf("nobody has judged the %d findings of %s: read them, then give %s a line", findings[rule], rule, judgements)
		}
	}
	for rule := range listed {
		if findings[rule] == 0 {
			t.Errorf("%s finds nothing in real files any more, and has a line in %s", rule, judgements)
		}
	}
	if want == string(text) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Errorf("the numbers of %s have changed: read what is new, then UPDATE=1", judgements)
		return
	}
	if err := os.WriteFile(judgements, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// judge has what findings are judged by.
type judge struct {
	names  properties
	rand   *rand.Rand
	result *Result
	table  *route.Table
	routes []*normalize.Route
}

func (j *judge) enter(t *testing.T, r *Result) {
	t.Helper()
	j.result, j.table, j.routes = r, nil, nil
	plan, _ := Plan(r)
	if plan == nil {
		return
	}
	table, err := route.New(plan)
	if err != nil {
		t.Fatal(err)
	}
	j.table = table
	j.routes, _ = PlanSources(r)
}

// judges are the checks, each returning what speaks against a finding.
func judges() map[string]func(*judge, diag.Diagnostic) string {
	return map[string]func(*judge, diag.Diagnostic) string{
		"unknown-name": func(j *judge, d diag.Diagnostic) string {
			return objectIf(j.names.current[keyOf(d)], "25.0 has a property of that name")
		},
		"invented-resilience": func(j *judge, d diag.Diagnostic) string {
			return objectIf(j.names.ever[keyOf(d)], "a release had a property of that name")
		},
		"removed-name": func(j *judge, d diag.Diagnostic) string {
			return objectIf(!j.names.ever[keyOf(d)], "no release had a property of that name")
		},
		"misplaced-name": func(j *judge, d diag.Diagnostic) string {
			return objectIf(!j.names.current[keyOf(d)], "25.0 has no property of that name")
		},
		"deprecated-option": func(j *judge, d diag.Diagnostic) string {
			_, rest, _ := strings.Cut(d.Help, `"`)
			instead, _, _ := strings.Cut(rest, `"`)
			return objectIf(!j.names.current[strings.ToLower(instead)], "25.0 has no property "+instead)
		},
		"shadowed-route":     (*judge).neverTaken,
		"open-by-drop":       (*judge).takenByAnother,
		"prefix-escape":      (*judge).dotsArrive,
		"query-rewritten":    (*judge).queryChanges,
		"value-out-of-range": (*judge).anotherCounts,
		"cookies-shared": func(_ *judge, d diag.Diagnostic) string {
			return objectIf(!strings.EqualFold(d.Span.Text(), "true"), "it is not true")
		},
		"colon-in-key": func(_ *judge, d diag.Diagnostic) string {
			return objectIf(!strings.Contains(d.Span.Text(), ":"), "there is no colon")
		},
		"invalid-encoding": func(_ *judge, d diag.Diagnostic) string {
			return objectIf(len(d.Span.File.Invalid) == 0, "the file has no invalid bytes")
		},
	}
}

func objectIf(wrong bool, objection string) string {
	if wrong {
		return objection
	}
	return ""
}

func keyOf(d diag.Diagnostic) string { return strings.ToLower(strings.Trim(d.Span.Text(), `"`)) }

// at returns the route of the plan whose template stands at a place.
func (j *judge) at(d diag.Diagnostic) (int, string) {
	for i, r := range j.routes {
		if r.Static == nil {
			continue
		}
		for _, template := range []string{r.Static.UpstreamPathTemplate.V, r.Static.DownstreamPathTemplate.V} {
			origin := r.Static.UpstreamPathTemplate.Origin
			if template == r.Static.DownstreamPathTemplate.V && j.result.span(origin).Start != d.Span.Start {
				origin = r.Static.DownstreamPathTemplate.Origin
			}
			if span := j.result.span(origin); span.File == d.Span.File && span.Start <= d.Span.Start && d.Span.Start < span.End {
				return i, r.Static.UpstreamPathTemplate.V
			}
		}
	}
	return -1, ""
}

var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// request makes a request for a template, with the same value for every
// placeholder or, where that is "", with values by chance.
func (j *judge) request(r *normalize.Route, value, query string) (*route.Request, error) {
	path, _, _ := strings.Cut(r.Static.UpstreamPathTemplate.V, "?")
	path = placeholder.ReplaceAllStringFunc(path, func(string) string {
		if value != "" {
			return value
		}
		return []string{"7", "a/b", "x.y", "me-too", "1/2/3"}[j.rand.IntN(5)]
	})
	target, err := route.ParseTarget(path + query)
	method := "GET"
	if verbs := slices.Collect(verbsOf(r)); len(verbs) > 0 {
		method = strings.ToUpper(verbs[j.rand.IntN(len(verbs))])
	}
	return &route.Request{Method: method, Host: r.Static.UpstreamHost.V, Target: target}, err
}

func verbsOf(r *normalize.Route) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, verb := range r.Static.UpstreamHttpMethod.All() {
			if !yield(verb.V) {
				return
			}
		}
	}
}

// neverTaken sends requests that the route is written for.
func (j *judge) neverTaken(d diag.Diagnostic) string {
	i, _ := j.at(d)
	if i < 0 {
		return "its route is not found"
	}
	for range 40 {
		req, err := j.request(j.routes[i], "", "")
		if err != nil {
			continue
		}
		if m, err := j.table.Match(req); err == nil && m.Index() == i {
			return req.Method + " reaches it"
		}
	}
	return ""
}

// takenByAnother sends the request that the message names.
func (j *judge) takenByAnother(d diag.Diagnostic) string {
	request, _, _ := strings.Cut(d.Message, ",")
	method, path, _ := strings.Cut(request, " ")
	target, err := route.ParseTarget(path)
	if err != nil {
		return err.Error()
	}
	m, err := j.table.Match(&route.Request{Method: method, Target: target})
	if err != nil {
		return err.Error()
	}
	taker := j.routes[m.Index()]
	if i, _ := j.at(d); m.Index() == i {
		return "the route takes it itself"
	}
	return objectIf(taker.Static.AuthenticationOptions != nil && len(taker.Static.AuthenticationOptions.AuthenticationProviderKey.V) > 0, "who takes it asks for authentication, too")
}

// dotsArrive sends two dots, encoded twice. margay's own runtime refuses what
// Ocelot passes on, and says why.
func (j *judge) dotsArrive(d diag.Diagnostic) string {
	i, _ := j.at(d)
	if i < 0 {
		return "its route is not found"
	}
	req, err := j.request(j.routes[i], "%252e%252e", "")
	if err != nil {
		return err.Error()
	}
	m, err := j.table.Match(req)
	if err != nil {
		return err.Error()
	}
	out, err := m.BackendTarget(req.Target)
	return objectIf(err == nil || !strings.Contains(err.Error(), "leaves its place"), fmt.Sprint("the backend is asked for ", out, err))
}

// queryChanges sends a query with a plus in it.
func (j *judge) queryChanges(d diag.Diagnostic) string {
	i, _ := j.at(d)
	if i < 0 {
		return "its route is not found"
	}
	const query = "?q=a+b&c"
	req, err := j.request(j.routes[i], "7", query)
	if err != nil {
		return err.Error()
	}
	m, err := j.table.Match(req)
	if err != nil || m.Index() != i {
		return "" // another route takes it: nothing to see
	}
	out, err := m.BackendTarget(req.Target)
	if err != nil {
		return err.Error()
	}
	return objectIf(strings.HasSuffix(out, query), "the backend is asked for "+out)
}

// anotherCounts compares what is written with what the routes get.
func (j *judge) anotherCounts(d diag.Diagnostic) string {
	written, err := strconv.ParseInt(d.Span.Text(), 10, 32)
	if err != nil {
		return err.Error()
	}
	replaced := 0
	for i := range j.result.Gateway.Routes {
		r := &j.result.Gateway.Routes[i]
		for _, s := range r.Substitutions() {
			if j.result.span(s.Written.Origin) != d.Span {
				continue
			}
			replaced++
			if s.Option == normalize.BreakDuration && int64(r.Breaker.BreakDuration.V) == written {
				return "it counts as it is written"
			}
		}
	}
	return objectIf(replaced == 0, "no route has it")
}

// properties are the names of properties, in lower case: those of 25.0 and those of
// all releases, as they were recorded.
type properties struct{ current, ever map[string]bool }

func readNames(t *testing.T) properties {
	t.Helper()
	file, err := os.Open(filepath.Join(oracletest.Dir(t), "properties.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Properties map[string]struct {
			Last *string `json:"last"`
		} `json:"properties"`
	}
	if err := json.NewDecoder(unpacked).Decode(&recorded); err != nil {
		t.Fatal(err)
	}
	n := properties{map[string]bool{}, map[string]bool{}}
	for path, property := range recorded.Properties {
		name := strings.ToLower(strings.TrimSuffix(path[strings.LastIndexByte(path, '.')+1:], "[]"))
		n.ever[name] = true
		if property.Last == nil {
			n.current[name] = true
		}
	}
	return n
}
