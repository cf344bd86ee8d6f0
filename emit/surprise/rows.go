package surprise

import "github.com/margay-dev/margay/schema/profile"

// rows are the surprises in the order of their numbers.
var rows = [...]Surprise{
	{
		ID: "U01", From: "24.0", To: "24.1", Danger: TimeLimits, Title: "the global timeout reaches every route",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-shape-0006", "verlive-global-qos"},
	},
	{
		ID: "U02", From: "24.0", To: "24.1", Danger: OpensOtherwise, Title: "half a breaker here and half there become one",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-part-0005"},
	},
	{
		ID: "U03", From: "24.0", To: "24.1", Danger: OpensOtherwise, Title: "a breaker opens at 10 % instead of 80 %",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-one-0034"},
	},
	{
		ID: "U04", From: "24.0", To: "24.1", Danger: OpensOtherwise, Title: "a service that fails every other time is cut off",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"verlive-mixed"},
	},
	{
		ID: "U05", From: "24.0", To: "24.1", Danger: OpensOtherwise, Title: "one failure after many good calls opens the circuit",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"verlive-ratio-window"},
	},
	{
		ID: "U06", From: "24.0", To: "24.1", Danger: OpensOtherwise, Title: "the number 1 becomes a breaker of 100 calls",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-old-0033"},
	},
	{
		ID: "U07", From: "24.0", To: "24.1", Danger: TimeLimits, Title: "TimeoutValue no longer bounds the whole request",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-one-0093"},
	},
	{
		ID: "U08", From: "24.0", To: "24.1", Danger: RequestsFail, Title: "a wrong type under a new name drops the route",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-type-0018", "ver-type-0080", "ver-type-0084"},
	},
	{
		ID: "U09", From: "24.0", To: "24.1", Danger: StopsStart, Title: "a wrong type in the global Timeout stops the start",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-type-0087", "ver-type-0091"},
	},
	{
		ID: "U10", From: "24.0", To: "24.1", Danger: TimeLimits, Title: "the Timeout of a route begins to work",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"verlive-route-timeout"},
	},
	{
		ID: "U11", From: "24.0", To: "24.1", Danger: TimeLimits, Title: "a Timeout in milliseconds becomes minutes",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-time-0121"},
	},
	{
		ID: "U12", From: "24.0", To: "24.1", Danger: TimeLimits, Title: "a zero on the route hides the global Timeout",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Unchanged: true, Cases: []string{"ver-time-0043", "ver-time-0058"},
	},
	{
		ID: "U13", From: "24.0", To: "24.1", Danger: TimeLimits, Title: "a timeout of 10 ms becomes 30 s",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-time-0138", "ver-old-0092"},
	},
	{
		ID: "U14", From: "24.0", To: "24.1", Danger: Milder, Title: "a timeout that failed every request becomes 30 s",
		Providers: Pair{profile.Polly, profile.Polly}, After: Explicit, Cases: []string{"ver-time-0136", "verlive-tiny"},
	},
	{
		ID: "U15", From: "24.0", To: "24.1", Danger: TimeLimits, Title: "a timeout of a day becomes 30 s",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-one-0100"},
	},
	{
		ID: "U16", From: "24.0", To: "24.1", Danger: RequestsFail, Title: "the largest number fails every request",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-one-0101"},
	},
	{
		ID: "U17", From: "24.0", To: "24.1", Danger: TimeLimits, Title: "-1 no longer means no limit",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-old-0089"},
	},
	{
		ID: "U18", From: "24.0", To: "24.1", Danger: StopsStart, Title: "a timeout without a QoS provider stops the start",
		Providers: Pair{profile.None, profile.None}, After: Keeps, Cases: []string{"verlive-no-provider-timeout"},
	},
	{
		ID: "U19", From: "24.0", To: "24.1", Danger: StopsStart, Title: "a breaker without a QoS provider stops the start",
		Providers: Pair{profile.None, profile.None}, After: Keeps, Cases: []string{"verlive-no-provider-breaker"},
	},
	{
		ID: "U20", From: "24.0", To: "24.1", Danger: Circuits, Title: "methods of one path no longer share a circuit",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Cases: []string{"ver-many-0001", "ver-many-0002", "verlive-shared-methods"},
	},
	{
		ID: "U21", From: "24.0", To: "24.1", Danger: Circuits, Title: "routes with one session cookie share a circuit",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-many-0011", "ver-many-0012"},
	},
	{
		ID: "U22", From: "24.0", To: "24.1", Danger: Circuits, Title: "sticky sessions are known in any case of letters",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-many-0013"},
	},
	{
		ID: "U23", From: "24.0", To: "24.1", Danger: OpensOtherwise, Title: "timeouts begin to open the circuit",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"verlive-timeout-race-1"},
	},
	{
		ID: "U24", From: "24.0", To: "24.1", Danger: TimeLimits, Title: "options of listed dynamic routes begin to work",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-dyn-0013"},
	},
	{
		ID: "U25", From: "24.0", To: "24.1", Danger: ProtectionLost, Title: "RouteKeys keep the global options from listed services",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-dyn-0006"},
	},
	{
		ID: "U26", From: "24.0", To: "24.1", Danger: RequestsFail, Title: "the first path of a service is used for all others",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Hidden: "it takes two requests to see",
	},
	{
		ID: "U27", From: "24.0", To: "24.1", Danger: RequestsFail, Title: "a global Timeout of zero ends every request of a service",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-dynt-0002", "ver-dynt-0003"},
	},
	{
		ID: "U28", From: "24.0", To: "24.1", Danger: TimeLimits, Title: "a global old name beats the new name of a route",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-mix-0095"},
	},
	{
		ID: "U29", From: "24.0", To: "24.1", Danger: Names, Title: "routes and circuits have other names in the log",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Cases: []string{"ver-many-0001"},
	},
	{
		ID: "U30", From: "24.1", To: "25.0", Danger: Milder, Title: "FailureRatio alone makes QoS active",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-one-0063"},
	},
	{
		ID: "U31", From: "24.1", To: "25.0", Danger: Steps, Title: "the package of Polly has another name",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Hidden: "it is about packages",
	},
	{
		ID: "U32", From: "24.1", To: "25.0", Danger: OpensOtherwise, Title: "the built-in provider counts failures in a row",
		Providers: Pair{profile.Polly, profile.Builtin}, After: Partly, Cases: []string{"ver-one-0034", "verlive-refused"},
	},
	{
		ID: "U33", From: "24.1", To: "25.0", Danger: Names, Title: "the old names still count in 25.0",
		Providers: Pair{profile.Polly, profile.Polly}, After: Explicit, Unchanged: true, Cases: []string{"ver-old-0049", "ver-mix-0095"},
	},
	{
		ID: "U34", From: "23.2", To: "23.3", Danger: Milder, Title: "a missing break time no longer fails every request",
		Providers: Pair{profile.Polly, profile.Polly}, After: Explicit, Cases: []string{"ver-shape-0050", "verlive-no-duration"},
	},
	{
		ID: "U35", From: "23.2", To: "23.3", Danger: ProtectionLost, Title: "the number 1 stops failing requests, and protects nothing",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-old-0033", "verlive-one"},
	},
	{
		ID: "U36", From: "23.2", To: "23.3", Danger: OpensOtherwise, Title: "a break of 500 ms becomes 5 s",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly,
	},
	{
		ID: "U37", From: "23.2", To: "23.4", Danger: Circuits, Title: "paths of one service no longer share a circuit",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Cases: []string{"ver-many-0005"},
	},
	{
		ID: "U38", From: "22.0", To: "23.2", Danger: OpensOtherwise, Title: "failures in a row become a share of the calls",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Cases: []string{"verlive-ratio-window"},
	},
	{
		ID: "U39", From: "22.0", To: "23.2", Danger: RequestsFail, Title: "a breaker without a break time fails every request",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-shape-0050", "verlive-no-duration-500"},
	},
	{
		ID: "U40", From: "22.0", To: "23.2", Danger: Milder, Title: "a breaker without a timeout begins to work",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-old-0088", "verlive-no-timeout"},
	},
	{
		ID: "U41", From: "22.0", To: "23.2", Danger: ProtectionLost, Title: "timeouts stop opening the circuit",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Cases: []string{"verlive-timeout-race-1"},
	},
	{
		ID: "U42", From: "22.0", To: "23.2", Danger: Names, Title: "load-balancing keys have another form",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Cases: []string{"ver-many-0001"},
	},
	{
		ID: "U43", From: "22.0", To: "23.2", Danger: Names, Title: "a timeout without a provider is 503 instead of 499",
		Providers: Pair{profile.None, profile.None}, After: Nothing, Cases: []string{"verlive-no-provider-timeout"},
	},
	{
		ID: "U44", From: "21.0", To: "22.0.0", Danger: TimeLimits, Title: "22.0.0 alone has no limit of 90 s",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Hidden: "nothing is recorded of 22.0.0",
	},
	{
		ID: "U45", From: "21.0", To: "22.0", Danger: OpensOtherwise, Title: "statuses open the circuit, refused connections do not",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Hidden: "nothing is recorded of 21.0", Cases: []string{"verlive-refused"},
	},
	{
		ID: "U46", From: "20.0", To: "21.0", Danger: Steps, Title: "Polly 8 comes in, used as before",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Hidden: "it is about packages",
	},
	{
		ID: "U47", From: "15.0", To: "16.0", Danger: RequestsFail, Title: "ReRoutes is an unknown name",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-name-0012"},
	},
	{
		ID: "U48", From: "23.4", To: "24.0", Danger: Names, Title: "errors at the start have another form",
		Providers: Pair{profile.Polly, profile.Polly}, After: Nothing, Hidden: "it is about the text of errors",
	},
	{
		ID: "U49", From: "23.1", To: "23.2.0", Danger: StopsStart, Title: "different placeholders stop the start of 23.2.0",
		Providers: Pair{profile.Polly, profile.Polly}, After: Keeps, Cases: []string{"ver-corpus-072", "ver-corpus-120"},
	},
	{
		ID: "U50", From: "23.2", To: "23.4", Danger: Milder, Title: "an aggregate without RouteKeys no longer stops the start",
		Providers: Pair{profile.Polly, profile.Polly}, After: Partly, Cases: []string{"ver-corpus-165", "ver-corpus-166"},
	},
}
