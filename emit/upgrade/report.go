package upgrade

import "github.com/margay-dev/margay/emit/change"

// Version is the version of the report's JSON form. Within a version members
// are added and never changed.
const Version = 1

// Danger is how bad a change is, the worst first.
type Danger string

// The dangers.
const (
	Stops      Danger = "start"      // Ocelot does not start any more
	Fails      Danger = "fails"      // every request of the route fails, or misses it
	Protection Danger = "protection" // more callers get in, or a breaker is gone
	Opening    Danger = "opening"    // the circuit opens earlier or later, or for longer
	Time       Danger = "time"       // other time limits
	Sharing    Danger = "sharing"    // circuits are shared or split
	Other      Danger = "other"      // anything else that requests can notice
	Note       Danger = "note"       // worth knowing; nothing changes
)

// dangers are all of them, the worst first, with their headings.
var dangers = []struct {
	danger  Danger
	heading string
}{
	{Stops, "Ocelot does not start any more"}, {Fails, "every request fails, or misses its route"},
	{Protection, "protection is lost"}, {Opening, "circuits open earlier or later"}, {Time, "time limits"},
	{Sharing, "circuits shared or split"}, {Other, "other changes"}, {Note, "worth knowing"},
}

// rank returns a danger's place among all.
func (d Danger) rank() int {
	for i := range dangers {
		if dangers[i].danger == d {
			return i
		}
	}
	return len(dangers)
}

// Report is what an upgrade does to one gateway. Its JSON form is an interface,
// which Schema describes.
type Report struct {
	Version int `json:"version"`
	// Path is how the user calls the gateway, with slashes.
	Path string `json:"path"`
	// Assumption says what was taken for granted when a folder was read.
	Assumption string  `json:"assumption,omitzero"`
	From       Program `json:"from"`
	To         Program `json:"to"`
	// Changed says whether a request, or the start, can notice anything.
	Changed bool `json:"changed"`
	// Summary is one sentence.
	Summary string `json:"summary"`
	// Counts are the numbers of routes by their worst danger; gateway-wide
	// changes count as one route.
	Counts []Count `json:"counts"`
	// Gateway is what changes for all routes, or keeps Ocelot from starting.
	Gateway []Item `json:"gateway"`
	// Routes are those that change, the worst first.
	Routes []Route `json:"routes"`
	// Unchanged is the number of the others.
	Unchanged int `json:"unchanged"`
	// Steps are what has to be done outside of the file.
	Steps []Step `json:"steps"`
}

// Program is whose answer one side is.
type Program struct {
	Ocelot   string `json:"ocelot"`
	Provider string `json:"provider"`
	Profile  string `json:"profile"`
	// Starts says whether Ocelot starts.
	Starts bool `json:"starts"`
}

// Count is a number of routes.
type Count struct {
	Danger Danger `json:"danger"`
	Routes int    `json:"routes"`
}

// Route is a route that changes.
type Route struct {
	Kind change.Kind `json:"kind"`
	// ID is the stable ID of plans.
	ID string `json:"id"`
	// Danger is the worst of its changes.
	Danger Danger        `json:"danger"`
	At     *change.Place `json:"at"`
	// Changes come worst first.
	Changes []Item `json:"changes"`
}

// Item is one thing that changes.
type Item struct {
	Danger Danger `json:"danger"`
	Aspect string `json:"aspect"`
	// Text says it in plain words, Detail what follows from it.
	Text   string `json:"text"`
	Detail string `json:"detail,omitzero"`
	// Surprises are the numbers of the pages about it: "U03".
	Surprises []string       `json:"surprises"`
	At        *change.Place  `json:"at"`
	Fields    []change.Field `json:"fields"`
}

// Step is something to do outside of the file.
type Step struct {
	Text      string   `json:"text"`
	Surprises []string `json:"surprises"`
}
