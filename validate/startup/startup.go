// Package startup says what Ocelot's own start-up makes of a configuration:
// the failures that its validator reports, in its order and its words, and the
// exceptions that are thrown while routes are compiled.
//
// It takes a configuration that loaded and bound, and looks at nothing else.
// The validator is FileConfigurationFluentValidator of Ocelot 25.0, with what is
// recorded of older releases; numbers such as V07 are this project's names for
// its rules. Loading and binding have failures of their own, which the stages
// before this one report.
package startup

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// Report is the outcome of a start.
type Report struct {
	// Failures are the validator's lines, in Ocelot's order.
	Failures []Failure
	// Exception is what ends the start instead of, or after, validation; nil
	// if nothing does. An exception of the validator hides its Failures from
	// Ocelot's log, yet they are true.
	Exception *Exception
}

// OK says whether the gateway starts.
func (r Report) OK() bool { return len(r.Failures) == 0 && r.Exception == nil }

// Failure is one line of "Unable to start Ocelot, errors are:".
type Failure struct {
	// Check is the rule of the validator: "V01" to "V23".
	Check string
	// Rule is the linter's rule that reports it.
	Rule string
	// Message is Ocelot's text, word for word.
	Message string
	// At is the text to blame: a value, or the element that lacks one.
	At config.Origin
	// Others are the places that At collides with.
	Others []config.Origin
}

// Stage is the part of the start that an exception ends.
type Stage uint8

// The stages.
const (
	// Validate is the run of the validator.
	Validate Stage = iota
	// Create is the compilation of routes after a successful validation.
	Create
)

// Exception is a .NET exception that ends the start.
type Exception struct {
	Stage Stage
	// Type is the exception's full name, such as
	// "System.ArgumentNullException".
	Type string
	// Thrower is the class and method that Ocelot's stack trace shows.
	Thrower string
	// Reason says in plain words what brings it about, Remedy what to write
	// instead, both as clauses.
	Reason, Remedy string
	// At is the text to blame.
	At config.Origin
}

// Check runs the validator and, when it is content, the compilation of routes.
// The facts that a file cannot tell, such as registered schemes, come from p.
func Check(cfg *config.Configuration, p profile.Profile) Report {
	v := validator{cfg: cfg, profile: p, facts: p.Facts()}
	created := newCreation(cfg.Global)
	v.run(&created)
	r := Report{Failures: v.failures, Exception: v.exception}
	if r.OK() {
		r.Exception = created.end(cfg)
	}
	return r
}

// validator collects failures in the order of the rules of
// FileConfigurationFluentValidator (groups "validation" of load.jsonl).
type validator struct {
	cfg       *config.Configuration
	profile   profile.Profile
	facts     *profile.Facts
	failures  []Failure
	exception *Exception
}

// run looks at each route once, for all checks of single routes and their
// creation: fetching the texts from memory is what takes the time.
func (v *validator) run(created *creation) {
	upstream, downstream := validator{}, validator{}
	alike := newAlike(len(v.cfg.Routes))
	for i := range v.cfg.Routes {
		r := &v.cfg.Routes[i]
		v.route(r)
		upstream.repeatedPlaceholder("UpstreamPathTemplate", r.UpstreamPathTemplate, r.Origin)
		downstream.repeatedPlaceholder("DownstreamPathTemplate", r.DownstreamPathTemplate, r.Origin)
		created.route(r)
		alike.add(r.UpstreamPathTemplate.V)
	}
	v.global(v.cfg.Global)
	v.duplicateRoutes(alike.of(v.cfg.Routes))
	v.discoveryOfRoutes()
	v.append(&upstream)
	v.append(&downstream)
	v.discoveryOfGlobal()
	v.aggregates()
}

// append takes over what another validator has found.
func (v *validator) append(other *validator) {
	v.failures = append(v.failures, other.failures...)
	if other.exception != nil {
		v.throw(*other.exception)
	}
}

func (v *validator) fail(check, rule, message string, at config.Origin, others ...config.Origin) {
	v.failures = append(v.failures, Failure{Check: check, Rule: rule, Message: message, At: at, Others: others})
}

// throw records the first exception; a later one is never reached.
func (v *validator) throw(e Exception) {
	if v.exception == nil {
		v.exception = &e
	}
}
