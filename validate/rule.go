// Package validate runs rules over a configuration and what it resolves to.
//
// It takes the results of the earlier stages and a list of rules, and returns
// findings in a fixed order, without those that a comment in the file silences.
// Rules are values: package validate/rules holds them, one file each.
package validate

import "github.com/margay-dev/margay/schema/diag"

// Category is what a rule protects.
type Category uint8

// The categories, in the order in which they are listed.
const (
	// Reading is whether Ocelot reads the file at all, and as it is meant.
	Reading Category = iota
	// Files is how several files become one configuration.
	Files
	// QoS is what the values of QoSOptions do.
	QoS
	// Groups is which routes a global section reaches.
	Groups
	// Timeouts is how long a caller waits.
	Timeouts
	// Routes is which requests reach which route.
	Routes
	// Security is who may call what.
	Security
	// Resilience is ResilienceOptions.
	Resilience
	// Running is whether margay itself can run the gateway.
	Running
	// Housekeeping is about margay's own comments in the file.
	Housekeeping
)

// String returns the category's heading.
func (c Category) String() string {
	return [...]string{"Reading", "Several files", "QoS values", "Groups and keys", "Timeouts", "Routes", "Security", "ResilienceOptions", "Running with margay", "Housekeeping"}[c]
}

// Rule is one thing that can be wrong with a configuration.
type Rule struct {
	// Name is its stable ID: a noun phrase in kebab-case that names the
	// defect. It is never renamed and never used again for something else.
	Name string
	// Summary is one sentence with a full stop.
	Summary string
	// Doc is the rule's page in Markdown.
	Doc string
	// Severity is what its findings have unless a setting says otherwise.
	Severity diag.Severity
	Category Category
	// CWE is the number of the weakness that it finds in the Common Weakness
	// Enumeration; 0 if it is about none.
	CWE int
	// Fixable says that some of its findings carry a safe edit.
	Fixable bool
	// Unsilenceable marks rules about files that cannot be read as meant: no
	// comment silences them.
	Unsilenceable bool
	// Dear marks rules that hold all routes against each other. They start
	// first, so that the others fill the second core.
	Dear bool
	// Late marks rules whose findings are made after all others, with a plan.
	Late bool
	// Check looks for the defect. It has no other input than the Pass and
	// keeps no state. Rules that an earlier stage reports have none.
	Check func(*Pass)
	// CheckRoutes looks for the defect in routes that have nothing to do with
	// each other: those that Resolved, Routes and StaticRoutes of the Pass
	// yield. It is called for one block of routes after another, and for
	// several at the same time. A rule that has both is asked to Check
	// afterwards, what is not a route and what CheckRoutes has marked. May be
	// nil.
	CheckRoutes func(*Pass)
}
