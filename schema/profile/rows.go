package profile

// What the recorded programs do, one row each (versions.jsonl).
var (
	factsOf25 = Facts{
		Inherits: true, RatioActivates: true, RouteTimeouts: true,
		Builtin: builtinOf25, Polly: pollyOf24_1, Logs: true,
		Namespaces: true, ClientHeader: "Oc-Client",
		Start: Start{NoProvider: noProviderOf25, NoUnit: noUnitOf24_1},
	}
	factsOf24_1 = Facts{
		Inherits: true, RouteTimeouts: true,
		Polly: pollyOf24_1, Logs: true,
		Namespaces: true, ClientHeader: "Oc-Client",
		Start: Start{NoProvider: noProviderOf22, NoUnit: noUnitOf24_1},
	}
	factsOf24_0 = Facts{
		Defaults: defaultsOf22,
		Polly:    pollyOf23_4, Timeouts: Uncounted,
		Key: KeyOf23, Circuit: CircuitByRouteName,
		LimitsAsked: true, ClientHeader: "ClientId",
		Start: Start{BothOptions: true, NoProvider: noProviderOf22, NoUnit: noUnitOf22},
	}
	factsOf23_4 = Facts{
		Defaults: defaultsOf22,
		Polly:    pollyOf23_4, Timeouts: Uncounted,
		Key: KeyOf23, Circuit: CircuitByRouteName, Pattern: PatternOf23,
		UsesProxy:   true,
		LimitsAsked: true, ClientHeader: "ClientId",
		Start: Start{BothOptions: true, NoProvider: noProviderOf22, NoUnit: noUnitOf22},
	}
	factsOf23_2 = Facts{
		Defaults: defaultsOf22,
		Polly:    pollyOf23_2, Timeouts: Uncounted, TimeoutOutside: true,
		Key: KeyOf23, Circuit: CircuitByService, Pattern: PatternOf23,
		UsesProxy:   true,
		LimitsAsked: true, ClientHeader: "ClientId",
		Start: Start{BothOptions: true, NoProvider: noProviderOf22, NoUnit: noUnitOf22, SamePlaceholders: true, AggregateKeys: true},
	}
	factsOf22_0 = Facts{
		Defaults: defaultsOf22,
		Polly:    pollyOf22, Timeouts: Raced, ClientTimer: true,
		Key: KeyOf22, Circuit: CircuitByService, Pattern: PatternOf22,
		UsesProxy:   true,
		LimitsAsked: true, ClientHeader: "ClientId",
		Start: Start{BothOptions: true, NoProvider: noProviderOf22, NoUnit: noUnitOf22, AggregateKeys: true},
	}

	defaultsOf22 = Defaults{Set: true, BreakDuration: 1}
)
