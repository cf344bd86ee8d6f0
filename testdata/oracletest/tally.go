package oracletest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Tally counts the recordings of one file by group and remembers the first
// that disagree. The zero value is not usable; see NewTally.
type Tally struct {
	name   string
	groups map[string]*count
	failed []string
}

type count struct{ agreed, excused, total int }

// shown is how many disagreements are printed in full; the rest is counted.
const shown = 10

// NewTally returns a tally for the recordings called name.
func NewTally(name string) *Tally {
	return &Tally{name: name, groups: map[string]*count{}}
}

// Agree counts a recording that gives the recorded answer.
func (y *Tally) Agree(group string) { c := y.group(group); c.agreed++; c.total++ }

// Excuse counts a recording whose answer differs on purpose. The caller has
// checked that the answer is the one which the difference promises.
func (y *Tally) Excuse(group string) { c := y.group(group); c.excused++; c.total++ }

// Differ counts a recording that gives another answer, with a readable
// difference.
func (y *Tally) Differ(group, id, format string, args ...any) {
	y.group(group).total++
	y.failed = append(y.failed, id+": "+fmt.Sprintf(format, args...))
}

// Report prints "agreed A of N" per group and fails the test with the first
// disagreements, in the order of the file.
func (y *Tally) Report(t testing.TB) {
	t.Helper()
	var sum count
	names := make([]string, 0, len(y.groups))
	for name, c := range y.groups {
		names = append(names, name)
		sum.agreed, sum.excused, sum.total = sum.agreed+c.agreed, sum.excused+c.excused, sum.total+c.total
	}
	slices.Sort(names)
	t.Logf("%s: %s", y.name, sum)
	if len(names) > 1 {
		for _, name := range names {
			t.Logf("%s/%s: %s", y.name, name, *y.groups[name])
		}
	}
	if sum.total == 0 {
		Lacking(t, "%s: no recording was replayed", y.name)
	}
	if len(y.failed) == 0 {
		return
	}
	t.Errorf("%s: %d of %d recordings differ; the first:\n%s", y.name, len(y.failed), sum.total,
		strings.Join(y.failed[:min(shown, len(y.failed))], "\n"))
}

func (c count) String() string {
	s := fmt.Sprintf("agreed %d of %d", c.agreed, c.total)
	if c.excused > 0 {
		s += fmt.Sprintf(", %d differ on purpose", c.excused)
	}
	return s
}

func (y *Tally) group(name string) *count {
	c := y.groups[name]
	if c == nil {
		c = &count{}
		y.groups[name] = c
	}
	return c
}
