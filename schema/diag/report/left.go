package report

import "fmt"

// Left are findings that are left out on purpose. Formats with a summary say so,
// so that a clean report is never taken for a clean gateway.
type Left struct {
	// Reason is a word for programs: LeftBaseline or LeftUnchanged.
	Reason string
	// Source is the file of the baseline, or the revision.
	Source string
	// Findings is how many are left out, and Stops how many of these keep
	// Ocelot from starting.
	Findings, Stops int
	// Gone is how many findings a baseline knows that are not there any more.
	Gone int
}

// The reasons.
const (
	// LeftBaseline: a baseline holds them back.
	LeftBaseline = "baseline"
	// LeftUnchanged: the changes since a revision have not brought them about.
	LeftUnchanged = "unchanged"
)

// Sentences returns what people have to know, a line each; none where nothing is
// left out and nothing is gone.
func (l Left) Sentences() []string {
	var lines []string
	if l.Findings > 0 {
		line := fmt.Sprintf("%s holds back %s", l.Source, plural(l.Findings, "finding"))
		if l.Reason == LeftUnchanged {
			line = fmt.Sprintf("%s older than the changes since %s left out", plural(l.Findings, "finding"), l.Source)
		}
		if l.Stops > 0 {
			line += fmt.Sprintf("; %d of them %s Ocelot from starting", l.Stops, map[bool]string{true: "keeps", false: "keep"}[l.Stops == 1])
		}
		lines = append(lines, line)
	}
	if l.Gone > 0 {
		lines = append(lines, fmt.Sprintf("%s knows %s that %s gone: --update-baseline takes %s out",
			l.Source, plural(l.Gone, "finding"), map[bool]string{true: "is", false: "are"}[l.Gone == 1], map[bool]string{true: "it", false: "them"}[l.Gone == 1]))
	}
	return lines
}

// left returns the sentences about all that is left out.
func (o Options) left() []string {
	var lines []string
	for _, l := range o.Left {
		lines = append(lines, l.Sentences()...)
	}
	return lines
}
