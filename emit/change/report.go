package change

import "github.com/margay-dev/margay/normalize"

// Version is the version of the report's JSON form. Within a version members
// are added and never changed.
const Version = 1

// Report is what differs between two gateways. Its JSON form is an interface,
// which Schema describes.
type Report struct {
	Version int `json:"version"`
	// Old and New are the two sides.
	Old Gateway `json:"old"`
	New Gateway `json:"new"`
	// Changed says whether anything that requests can notice differs.
	Changed bool `json:"changed"`
	// LessProtected counts the entries of Routes and Requests by which more
	// callers get in than before.
	LessProtected int `json:"lessProtected"`
	// Summary is one sentence.
	Summary string `json:"summary"`
	// Settings are changes that belong to no route.
	Settings []Change `json:"settings"`
	// Routes are those that change, less protected ones first.
	Routes []Route `json:"routes"`
	// Requests are examples of requests that another route takes, although both
	// routes are there before and after.
	Requests []Request `json:"requests"`
}

// Gateway is one side of a report.
type Gateway struct {
	// Path is how the user calls it, with slashes.
	Path string `json:"path"`
	// Kind is "configuration" or "plan".
	Kind string `json:"kind"`
	// Ocelot is the release whose behaviour is followed; null is the
	// documentation.
	Ocelot *string `json:"ocelot"`
	// Provider is the QoS provider.
	Provider string `json:"provider"`
	// Profile is the same in words.
	Profile string `json:"profile"`
	// Assumption says what was taken for granted when a folder was read.
	Assumption string `json:"assumption,omitzero"`
	// Readable is false where a text is not JSON: then routes are not compared.
	Readable bool `json:"readable"`
	// Starts says whether Ocelot starts with it; a plan always does.
	Starts bool `json:"starts"`
	// Errors are what keeps it from starting.
	Errors []StartError `json:"errors"`
	// Files is the number of files that people wrote.
	Files int `json:"files"`
	// Routes is the number of routes and aggregates.
	Routes int `json:"routes"`
}

// StartError is a reason why Ocelot does not start.
type StartError struct {
	Message string `json:"message"`
	Ocelot  string `json:"ocelot"`
	At      *Place `json:"at"`
}

// Kind is what happens to a route.
type Kind string

// The kinds of changes.
const (
	Changed Kind = "changed"
	Renamed Kind = "renamed" // the same route under another ID
	Added   Kind = "added"
	Removed Kind = "removed"
	Dropped Kind = "dropped" // it is written, and Ocelot drops it
)

// Route is a route that changes.
type Route struct {
	Kind Kind `json:"kind"`
	// ID is the stable ID of plans: the new one, or the old one of a route that
	// is gone.
	ID string `json:"id"`
	// OldID is the former ID of a renamed route; null otherwise.
	OldID *string `json:"oldId"`
	// LessProtected says that one of the changes lets more callers in.
	LessProtected bool `json:"lessProtected"`
	// At is where the route is written; null if it is unknown.
	At *Place `json:"at"`
	// Changes are at least one.
	Changes []Change `json:"changes"`

	old, new *normalize.Route
}

// Sources returns the resolved routes of both sides; nil for a side that has it
// not, or that is a plan.
func (r *Route) Sources() (old, new *normalize.Route) { return r.old, r.new }

// Change is one thing that changes.
type Change struct {
	// Aspect is the part of a route that changes: "breaker", "access", ….
	Aspect string `json:"aspect"`
	// Text says it in plain words.
	Text string `json:"text"`
	// Detail is what follows from it; "" is nothing worth a line.
	Detail string `json:"detail,omitzero"`
	// LessProtected says that it lets more callers in.
	LessProtected bool `json:"lessProtected"`
	// At is the line that causes it; null if it is unknown.
	At *Place `json:"at"`
	// Fields are the members of the plan that differ.
	Fields []Field `json:"fields"`
}

// Field is a member of a route's plan that differs. The values are as the plan
// has them, null where it has none.
type Field struct {
	Name string `json:"name"`
	Old  any    `json:"old"`
	New  any    `json:"new"`
}

// Place is a place in one of the sides. In the old side it is a line that is
// gone.
type Place struct {
	Side   string `json:"side"` // "old" or "new"
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Request is an example of what another route takes now.
type Request struct {
	// Request is such as "GET /a/b".
	Request string `json:"request"`
	// Old and New are the IDs of the routes; null for 404.
	Old *string `json:"old"`
	New *string `json:"new"`
	// LessProtected says that the new route lets more callers in.
	LessProtected bool   `json:"lessProtected"`
	At            *Place `json:"at"`
}
