package normalize_test

import (
	"math"
	"strconv"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
)

// recording is a line of resolve*.jsonl: a configuration and what the real
// Ocelot 25.0 resolved it to.
type recording struct {
	ID     string
	Group  string
	Config string
	File   string
	Paths  []string
	Expect struct {
		Error    *recordedError
		Routes   []recordedRoute
		Finder   string
		Unlisted *recordedRoute
		Lookups  []recordedRoute
	}
	// Ignoring is what the program resolves when its validation is skipped.
	Ignoring []recordedRoute `json:"routes_ignoring_validation"`
}

type recordedError struct {
	Kind, Stage string
	Messages    []string
	// FileMessages are those of the same text read from a file.
	FileMessages []string `json:"file_messages"`
}

type recordedRoute struct {
	Kind     string
	Index    int
	Name     string
	Key      *string
	Members  []int
	QoS      recordedOptions
	Active   bool
	Builtin  *recordedBuiltin
	Polly    *recordedPolly
	Shared   *int   `json:"polly_shared_with"`
	TimeoutS *int32 `json:"timeout_s"`
	OuterMS  int64  `json:"outer_ms"`
	Warning  string `json:"outer_warning"`
	Send     string `json:"outer_send"`
	LBK      string

	Path, Service, Namespace string
	DownstreamPath           string `json:"downstream_path"`
}

type recordedOptions struct {
	BreakDuration, MinimumThroughput, SamplingDuration, Timeout *int32
	FailureRatio                                                *ratio
}

type recordedBreaker struct {
	Mode       string
	Throughput int32  `json:"minimum_throughput"`
	Ratio      *ratio `json:"failure_ratio"`
	Sampling   *int32 `json:"sampling_ms"`
	Break      int32  `json:"break_ms"`
}

type recordedBuiltin struct {
	recordedBreaker
	Timeout *int32 `json:"timeout_ms"`
}

type recordedPolly struct {
	Breaker *recordedBreaker
	Timeout *int32 `json:"timeout_ms"`
	Logs    []recordedLog
}

type recordedLog struct{ Level, Message string }

// ratio is a number as recordings write it, compared by its bits: NaN is equal
// to itself and -0 is not 0.
type ratio uint64

func (r *ratio) UnmarshalJSON(b []byte) error {
	text := string(b)
	if b[0] == '"' {
		text, _ = strconv.Unquote(text)
	}
	f, err := strconv.ParseFloat(text, 64)
	*r = ratioOf(f)
	return err
}

func ratioOf(f float64) ratio { return ratio(math.Float64bits(f)) }

func options(r *normalize.Route) recordedOptions {
	o := &r.Options
	return recordedOptions{
		BreakDuration:     optional(o.BreakDuration.Value),
		MinimumThroughput: optional(o.MinimumThroughput.Value),
		FailureRatio:      optionalRatio(o.FailureRatio.Value),
		SamplingDuration:  optional(o.SamplingDuration.Value),
		Timeout:           optional(o.Timeout.Value),
	}
}

func builtinOf(r *normalize.Route) *recordedBuiltin {
	if !r.Active {
		return nil
	}
	return &recordedBuiltin{*breakerOf(r), optional(r.AttemptTimeout)}
}

func pollyOf(r *normalize.Route) *recordedPolly {
	if !r.Active {
		return nil
	}
	p := &recordedPolly{Breaker: breakerOf(r), Timeout: optional(r.AttemptTimeout), Logs: []recordedLog{}}
	for _, log := range r.PollyLogs() {
		p.Logs = append(p.Logs, recordedLog{log.Level, log.Text})
	}
	return p
}

func breakerOf(r *normalize.Route) *recordedBreaker {
	mode, ok := map[normalize.BreakerKind]string{
		normalize.Consecutive: "count", normalize.Ratio: "ratio", normalize.Polly: "",
	}[r.Breaker.Kind]
	if !ok {
		return nil
	}
	return &recordedBreaker{
		Mode:       mode,
		Throughput: r.Breaker.MinimumThroughput.V,
		Ratio:      optionalRatio(r.Breaker.FailureRatio),
		Sampling:   optional(r.Breaker.SamplingDuration),
		Break:      r.Breaker.BreakDuration.V,
	}
}

func optional[T any](v config.Value[T]) *T {
	if !v.IsSet() {
		return nil
	}
	return &v.V
}

func optionalRatio(v config.Value[float64]) *ratio {
	if !v.IsSet() {
		return nil
	}
	r := ratioOf(v.V)
	return &r
}
