package rules_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/testdata/gatewaygen"
	"github.com/margay-dev/margay/validate/rules"
	"github.com/margay-dev/margay/validate/validatetest"
)

// plantsOfRule is how many defects of each kind are planted. MARGAY_MUTATIONS
// sets another number, MARGAY_SEED another seed.
const plantsOfRule = 24

// TestMutationFindsPlantedDefects takes clean generated gateways, plants one
// defect in each at a random place, and lints them: the defect has to be found
// by its rule, at the place where it was planted, and no error may come with it
// but the consequences that the plant names.
func TestMutationFindsPlantedDefects(t *testing.T) {
	count, seed := fromEnvironment(t, "MARGAY_MUTATIONS", plantsOfRule), fromEnvironment(t, "MARGAY_SEED", 1)
	if testing.Short() {
		count = 3
	}
	lint := validatetest.With(rules.All())
	planted, found := 0, 0
	for _, p := range plants {
		hits := 0
		for n := range count {
			m := newMutant(uint64(seed)*1_000_003+uint64(n), p)
			if m.check(t, lint) {
				hits++
			}
		}
		t.Logf("%s: found %d of %d", p.name(), hits, count)
		planted, found = planted+count, found+hits
	}
	t.Logf("found %d of %d planted defects of %d kinds", found, planted, len(plants))
	if found*100 < planted*99 {
		t.Errorf("found %d of %d planted defects, want 99 %%", found, planted)
	}
}

// TestMutationPlantsEveryRule demands a plant, or the reason why there is none,
// for each rule.
func TestMutationPlantsEveryRule(t *testing.T) {
	kinds := map[string]bool{}
	for _, p := range plants {
		kinds[p.rule] = true
	}
	for _, r := range rules.All() {
		switch why := unplanted[r.Name]; {
		case kinds[r.Name] && why != "":
			t.Errorf("%s is planted, and said to be not: %s", r.Name, why)
		case !kinds[r.Name] && why == "":
			t.Errorf("%s is not planted", r.Name)
		}
	}
	for name := range unplanted {
		if rules.ByName(name) == nil {
			t.Errorf("there is no rule %s", name)
		}
	}
}

func fromEnvironment(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// plant is a way to make one mistake.
type plant struct {
	rule string
	// kind tells several plants of one rule apart; may be empty.
	kind string
	// profile is whose answer is asked for, as in a comment of a case.
	profile string
	// way is how the files are loaded. With it, or with "merge", the gateway is
	// in several files.
	way string
	// errors are the rules whose errors the mistake brings about beside its own.
	errors []string
	// beside says that the finding stands elsewhere and points to the mistake.
	beside bool
	make   func(m *mutant)
}

func (p *plant) name() string { return strings.TrimSuffix(p.rule+" "+p.kind, " ") }

func newMutant(seed uint64, p plant) *mutant {
	m := &mutant{plant: p, rand: rand.New(rand.NewPCG(seed, 7)), seed: seed}
	m.routes = 16 + m.rand.IntN(24)
	m.open(gatewaygen.Bytes(m.routes, seed))
	m.clean = m.parts()
	p.make(m)
	return m
}

// check lints the gateway before and after and says whether the defect is found
// as it should.
func (m *mutant) check(t *testing.T, lint validatetest.Linter) bool {
	t.Helper()
	before := map[string]int{}
	for _, d := range lint(t, m.clean) {
		before[key(d)]++
	}
	found := false
	var strange []string
	var seen []string
	for _, d := range lint(t, m.parts()) {
		if before[key(d)]--; before[key(d)] >= 0 {
			continue
		}
		switch {
		case d.Rule == m.rule:
			found = found || m.isHere(d)
			seen = append(seen, fmt.Sprintf("%s at %s", d.Message, place(d)))
		case d.Severity == diag.Error && !slices.Contains(m.errors, d.Rule):
			strange = append(strange, fmt.Sprintf("%s: %s at %s", d.Rule, d.Message, place(d)))
		}
	}
	if !found {
		t.Errorf("%s, seed %d: not found where it was planted, %s; findings of the rule: %v", m.name(), m.seed, m.where(), seen)
	}
	if len(strange) > 0 {
		t.Errorf("%s, seed %d: errors that are no consequence of %s: %v", m.name(), m.seed, m.where(), strange)
	}
	return found && len(strange) == 0
}

// key identifies a finding of a gateway independent of its place.
func key(d diag.Diagnostic) string { return d.Rule + "\x00" + d.Subject.Route + "\x00" + d.Message }

func place(d diag.Diagnostic) string {
	if d.Span.File == nil {
		return "nowhere"
	}
	return fmt.Sprintf("%s:%d %q", d.Span.File.Name, d.Span.Position().Line, d.Span.Text())
}
