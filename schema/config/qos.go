package config

// QoSOptions is FileQoSOptions. Durations are milliseconds. The three names
// that Ocelot deprecated in 24.1 are read and win over the new ones.
type QoSOptions struct {
	Section
	DurationOfBreak                 Value[int32]
	BreakDuration                   Value[int32]
	ExceptionsAllowedBeforeBreaking Value[int32]
	MinimumThroughput               Value[int32]
	FailureRatio                    Value[float64]
	SamplingDuration                Value[int32]
	TimeoutValue                    Value[int32]
	Timeout                         Value[int32]
}

// GlobalQoSOptions is FileGlobalQoSOptions: QoSOptions for a group of routes.
type GlobalQoSOptions struct {
	RouteKeys *List[string]
	QoSOptions
}
