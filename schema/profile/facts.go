package profile

import "math"

// Facts are what a program does with the options of a route, as far as
// releases differ.
type Facts struct {
	// Inherits says that the options of QoSOptions have their new names, that
	// the global section fills what a route leaves out, and that dynamic
	// routes have options of their own. Without it the global section is for
	// services alone, whether listed or not.
	Inherits bool
	// RatioActivates says that a FailureRatio above 0 switches QoS on.
	RatioActivates bool
	// RouteTimeouts says that Timeout of a route and of GlobalConfiguration
	// is the outer timer. Without it that timer is TimeoutValue as written,
	// or 90 s where that is 0.
	RouteTimeouts bool
	// ClientTimer says that the outer timer is HttpClient.Timeout, not a
	// handler of Ocelot.
	ClientTimer bool
	// Defaults are what an option is that is written nowhere.
	Defaults Defaults

	// Builtin and Polly are what the providers accept.
	Builtin, Polly Limits
	// Logs says that Polly's provider logs what it replaces or leaves out,
	// at the first request.
	Logs bool
	// TimeoutOutside says that the timeout strategy lies around the breaker,
	// not within.
	TimeoutOutside bool
	// Timeouts is what an attempt timeout is to Polly's breaker.
	Timeouts Counting

	// Key is the form of load-balancing keys.
	Key KeyForm
	// Circuit is what Polly's pipelines are kept by.
	Circuit CircuitForm
	// Pattern is the form of the expressions that templates become.
	Pattern PatternForm
	// Namespaces says that the first path segment of a request for a service
	// may name its namespace: "namespace.service".
	Namespaces bool

	// UsesProxy is what HttpHandlerOptions.UseProxy is where it is written
	// nowhere.
	UsesProxy bool

	// LimitsAsked says that a route has a rate limit only where its own
	// section says EnableRateLimiting true; else the section is enough.
	LimitsAsked bool
	// ClientHeader is the header that tells clients of a rate limit apart,
	// where it is written nowhere.
	ClientHeader string

	// Start is what the start refuses.
	Start Start
}

// Defaults are numbers of options that are written nowhere; the zero value is
// for programs in which such an option is not set.
type Defaults struct {
	// Set says that an option is never unset.
	Set bool
	// BreakDuration is in milliseconds. MinimumThroughput and Timeout are 0.
	BreakDuration int32
}

// Counting is what an event is to a breaker.
type Counting uint8

// The ways of counting.
const (
	// Counted: it is a failure.
	Counted Counting = iota
	// Uncounted: the breaker never sees it.
	Uncounted
	// Raced: a timer of the same length around the breaker may come first, and
	// then the breaker sees a cancellation instead.
	Raced
)

// KeyForm is a form of load-balancing keys.
type KeyForm uint8

// The forms of load-balancing keys.
const (
	// KeyOf24_1: methods, template, host, hosts, service, balancer; services
	// by name.
	KeyOf24_1 KeyForm = iota
	// KeyOf23: the same parts; "no-lb-type" in place of "NoLoadBalancer",
	// sticky sessions by their exact name and with a Key only; services by
	// path and method.
	KeyOf23
	// KeyOf22: template, methods, hosts.
	KeyOf22
)

// CircuitForm is what Polly's pipelines are kept by for as long as the process
// lives.
type CircuitForm uint8

// The forms of circuit keys.
const (
	// CircuitByBalancer: the load-balancing key.
	CircuitByBalancer CircuitForm = iota
	// CircuitByRouteName: namespace, service and pattern.
	CircuitByRouteName
	// CircuitByService: the service, or the pattern where there is none.
	CircuitByService
)

// PatternForm is the way in which an upstream template becomes a regular
// expression.
type PatternForm uint8

// The forms of patterns; they differ for templates with placeholders or a
// query.
const (
	PatternOf24 PatternForm = iota
	PatternOf23
	PatternOf22
)

// Start is what a start refuses, as far as releases differ.
type Start struct {
	// BothOptions says that only a section with a breaker and a timeout needs
	// a provider; else any active one does.
	BothOptions bool
	// NoProvider is the validator's text.
	NoProvider string
	// NoUnit is the validator's text about a Period of RateLimitOptions.
	NoUnit string
	// SamePlaceholders says that templates of a route must have the same
	// placeholders on both sides; see Profile.SamePlaceholders.
	SamePlaceholders bool
	// AggregateKeys says that an aggregate without RouteKeys ends the start.
	AggregateKeys bool
}

// noTimeout is the TimeoutValue that some programs take for "no timeout".
const noTimeout = math.MaxInt32

// Texts of the validator.
const (
	noUnitOf24_1 = "RateLimitOptions.Period does not contain integer then ms (millisecond), s (second), m (minute), h (hour), d (day) " +
		"e.g. 1m for 1 minute period"
	noUnitOf22 = "RateLimitOptions.Period does not contain integer then s (second), m (minute), h (hour), d (day) " +
		"e.g. 1m for 1 minute period"
	noProviderOf25 = "Unable to start Ocelot because either a Route or GlobalConfiguration is using QoSOptions, " +
		"but no QosDelegatingHandlerDelegate has been registered in the dependency injection container. " +
		"Are you missing an external package like Ocelot.QualityOfService.Polly (and calling AddPolly()), " +
		"or the built-in QoS support (via AddQualityOfService())?"
	noProviderOf22 = "Unable to start Ocelot because either a Route or GlobalConfiguration are using QoSOptions " +
		"but no QosDelegatingHandlerDelegate has been registered in dependency injection container. " +
		"Are you missing a package like Ocelot.Provider.Polly and services.AddPolly()?"
)
