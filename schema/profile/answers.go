package profile

import (
	"slices"
	"strings"
)

// Answer is what a client sees where Ocelot answers by itself.
type Answer struct {
	Status int
	// Reason is the reason phrase of HTTP/1.1.
	Reason string
	// Body is the text of the answer, in which %s stands for the route's name;
	// "" is an empty body.
	Body string
}

// Answers are those of one program with one provider
// (versions-live.jsonl: verlive-open-500, -timeout, -refused, -tiny,
// -no-provider-timeout). No answer carries a Retry-After header.
type Answers struct {
	// CircuitOpen stands for a request that the breaker does not let through.
	CircuitOpen Answer
	// AttemptTimeout is the QoS timeout, OuterTimeout the timer around all.
	AttemptTimeout, OuterTimeout Answer
	// NoConnection is a service that is not reached.
	NoConnection Answer
	// Thrown is an exception in place of an answer, such as an option that
	// Polly refuses at every request.
	Thrown Answer
}

// unavailable is how Polly's provider answers for all of its strategies.
var unavailable = Answer{Status: 503, Reason: "Service Unavailable"}

// answersOf are what clients see, by the exceptions to the usual: the last row
// that fits counts.
var answersOf = [...]struct {
	versions  string // of programs, with spaces around; "" is all
	providers []Provider
	Answers
}{
	{
		providers: []Provider{Polly, None},
		Answers: Answers{
			CircuitOpen: unavailable, AttemptTimeout: unavailable, OuterTimeout: unavailable,
			NoConnection: Answer{Status: 502, Reason: "Bad Gateway"},
			Thrown:       Answer{Status: 500, Reason: "Internal Server Error"},
		},
	},
	{
		providers: []Provider{Builtin},
		Answers: Answers{
			CircuitOpen:    Answer{Status: 503, Reason: "Circuit breaker is open", Body: "Circuit breaker is open for route -> %s"},
			AttemptTimeout: Answer{Status: 503, Reason: "Request timeout", Body: "Request timeout for route -> %s"},
			OuterTimeout:   unavailable,
			NoConnection:   Answer{Status: 502, Reason: "Bad Gateway"},
			Thrown:         Answer{Status: 500, Reason: "Internal Server Error"},
		},
	},
	{
		// HttpClient cancels, and only Polly's provider has an error for that.
		versions: " 22.0 ", providers: []Provider{None},
		Answers: Answers{
			CircuitOpen: unavailable, AttemptTimeout: unavailable,
			OuterTimeout: Answer{Status: 499, Reason: "Client Closed Request"},
			NoConnection: Answer{Status: 502, Reason: "Bad Gateway"},
			Thrown:       Answer{Status: 500, Reason: "Internal Server Error"},
		},
	},
}

// Answers returns what clients of the profile's program see. The documentation
// stands for 25.0.
func (p Profile) Answers() Answers {
	var found Answers
	for i := range answersOf {
		row := &answersOf[i]
		if slices.Contains(row.providers, p.Provider) && (row.versions == "" || strings.Contains(row.versions, " "+p.Version+" ")) {
			found = row.Answers
		}
	}
	return found
}
