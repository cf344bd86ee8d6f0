// Package surprise describes what changes for one and the same configuration
// between two versions of Ocelot and is not expected: a page for each, with what
// is written, what to write instead, and the recorded case.
//
// It holds texts and takes nothing. What a configuration becomes in a version is
// computed elsewhere; the pages quote it, and a test holds the quotations
// against the computation.
package surprise

import (
	"embed"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/profile"
)

//go:embed u*.md
var pages embed.FS

// Danger is what a surprise does to a gateway; the worst come first.
type Danger uint8

// The dangers.
const (
	// StopsStart: Ocelot does not start.
	StopsStart Danger = iota + 1
	// RequestsFail: every request of a route fails, or goes astray.
	RequestsFail
	// ProtectionLost: a breaker or a timeout is no longer there.
	ProtectionLost
	// OpensOtherwise: a circuit opens earlier or later.
	OpensOtherwise
	// TimeLimits: callers are cut off at another time.
	TimeLimits
	// Circuits: routes share a circuit, or no longer do.
	Circuits
	// Names: texts in logs and answers change.
	Names
	// Steps: packages or code have to change.
	Steps
	// Milder: what failed begins to work.
	Milder
)

// String returns the danger in plain words.
func (d Danger) String() string {
	return [...]string{
		"", "stops the start", "requests fail", "protection is lost", "the circuit opens otherwise", "other time limits",
		"circuits are shared or split", "other names and texts", "packages and code", "what failed begins to work",
	}[d]
}

// Keeping is what the second file of a page does.
type Keeping uint8

// The ways of keeping.
const (
	// Nothing: no file brings the old behaviour back.
	Nothing Keeping = iota
	// Keeps: in the new version it gives what the first gave in the old one.
	Keeps
	// Partly: it comes as near as the new version allows.
	Partly
	// Explicit: it writes down what the new version does.
	Explicit
)

// Pair are the providers before and behind an upgrade.
type Pair struct{ From, To profile.Provider }

// Surprise is one of them.
type Surprise struct {
	// ID is "U01" and so on; it never changes.
	ID string
	// From and To are releases as profile.Find takes them.
	From, To string
	// Providers are those with which it shows.
	Providers Pair
	Danger    Danger
	// Title is a clause without a full stop.
	Title string
	// After says what the second file of the page does.
	After Keeping
	// Unchanged says that the surprise is that nothing changes.
	Unchanged bool
	// Hidden says why no file can show it; "" where one does.
	Hidden string
	// Cases are the recordings in which it was seen.
	Cases []string
	// Page is Markdown, with the ID as its heading.
	Page string
}

// Surprises returns all of them in the order of their numbers.
func Surprises() []Surprise {
	all := slices.Clone(rows[:])
	for i := range all {
		text, err := pages.ReadFile(strings.ToLower(all[i].ID) + ".md")
		if err != nil {
			panic("surprise: " + err.Error()) // embedded: it is there or the build is broken
		}
		all[i].Page = string(text)
	}
	return all
}

// ByID returns the surprise with an ID, in any case of letters.
func ByID(id string) (Surprise, bool) {
	for _, s := range Surprises() {
		if strings.EqualFold(s.ID, id) {
			return s, true
		}
	}
	return Surprise{}, false
}

// Files returns the two files of the page, without the fences: what is written,
// and what to write instead; "" where there is no second one.
func (s Surprise) Files() (before, after string) {
	var found []string
	rest := s.Page
	for {
		_, behind, ok := strings.Cut(rest, "\n```")
		if !ok {
			break
		}
		_, text, _ := strings.Cut(behind, "\n")
		text, rest, _ = strings.Cut(text, "\n```")
		found = append(found, text+"\n")
	}
	found = append(found, "", "")
	return found[0], found[1]
}
