package route

// Difference is a place where margay's proxy answers otherwise than Ocelot 25.0
// on purpose, for security, for data that would be lost, or because of a plain
// bug.
type Difference struct {
	// ID names the difference in tests and on the page that lists them.
	ID string
	// Ocelot and Margay say what each of them does.
	Ocelot, Margay string
}

// Differences returns the differences of routing. The tests that replay
// recordings excuse an answer only by an ID of this list, and only if it is the
// one that Margay promises.
func Differences() []Difference {
	return []Difference{
		{
			ID:     "prefix-escape",
			Ocelot: "encoded dots in a captured value leave the prefix of the backend's path, a question mark cuts its rest off",
			Margay: "answers 400: a captured value never changes the segments outside of its place",
		},
		{
			ID:     "literal-placeholder",
			Ocelot: "sends {x} as it is written when its second pattern finds no value",
			Margay: "takes the value from the pattern that matched",
		},
		{
			ID:     "ampersand-cut",
			Ocelot: "cuts a value off at an ampersand of the path",
			Margay: "keeps the whole value, with the ampersand encoded where it becomes part of a query",
		},
		{
			ID:     "regex-clock",
			Ocelot: "gives up after 100 ms by the clock when it compares a path with a template",
			Margay: "compares in linear time, and refuses templates for which it cannot",
		},
		{
			ID:     "frozen-dynamic",
			Ocelot: "keeps the path and the options of the first request for a service",
			Margay: "asks for the path of each request",
		},
	}
}
