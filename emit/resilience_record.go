package emit

import (
	"strconv"

	"github.com/margay-dev/margay/schema/config"
)

// resilienceJSON is the merged ResilienceOptions with defaults filled in, under
// the names with which they are written. Strategies that are off are null.
type resilienceJSON struct {
	TotalTimeout       *int32
	Retry              *retryJSON
	CircuitBreaker     *expressionJSON
	FailureStatusCodes []string
	ConcurrencyLimiter *limiterJSON
	Fallback           *fallbackJSON
	ProblemDetails     *bool
	Chaos              *chaosJSON
}

type retryJSON struct {
	MaxRetryAttempts, Delay, MaxDelay *int32
	BackoffType                       *string
	UseJitter, ShouldRetryAfterHeader *bool
	MaxRetryAfter                     *int32
	StatusCodes, Methods              []string
	MaxBufferedBody                   *int32
	RetryBudget                       *budgetJSON
}

type budgetJSON struct {
	RetryRatio                          *number
	MinimumThroughput, SamplingDuration *int32
	Scope                               *string
}

type expressionJSON struct {
	Expression                                                    *string
	CheckPeriod, FallbackDuration, RecoveryDuration, ResponseCode *int32
}

type limiterJSON struct{ PermitLimit, QueueLimit *int32 }

type fallbackJSON struct {
	StaleIfError, StatusCode *int32
	ContentType, Body        *string
}

type chaosJSON struct {
	Latency *chaosLatencyJSON
	Outcome *chaosOutcomeJSON
	Fault   *chaosFaultJSON
}

type chaosLatencyJSON struct {
	InjectionRate *number
	Latency       *int32
}

type chaosOutcomeJSON struct {
	InjectionRate *number
	StatusCode    *int32
}

type chaosFaultJSON struct{ InjectionRate *number }

func resilienceOf(o *config.Resilience) *resilienceJSON {
	if o == nil {
		return nil
	}
	j := &resilienceJSON{
		TotalTimeout:       pointer(o.TotalTimeout),
		Retry:              retryOf(o.Retry),
		FailureStatusCodes: codesOf(o.FailureStatusCodes),
		ProblemDetails:     pointer(o.ProblemDetails),
		Chaos:              chaosOf(o.Chaos),
	}
	if b := o.CircuitBreaker; b != nil {
		j.CircuitBreaker = &expressionJSON{pointer(b.Expression), pointer(b.CheckPeriod),
			pointer(b.FallbackDuration), pointer(b.RecoveryDuration), pointer(b.ResponseCode)}
	}
	if l := o.ConcurrencyLimiter; l != nil {
		j.ConcurrencyLimiter = &limiterJSON{pointer(l.PermitLimit), pointer(l.QueueLimit)}
	}
	if f := o.Fallback; f != nil {
		j.Fallback = &fallbackJSON{pointer(f.StaleIfError), pointer(f.StatusCode), pointer(f.ContentType), pointer(f.Body)}
	}
	return j
}

func retryOf(o *config.Retry) *retryJSON {
	if o == nil {
		return nil
	}
	j := &retryJSON{
		MaxRetryAttempts: pointer(o.MaxRetryAttempts), Delay: pointer(o.Delay), MaxDelay: pointer(o.MaxDelay),
		BackoffType: pointer(o.BackoffType), UseJitter: pointer(o.UseJitter),
		ShouldRetryAfterHeader: pointer(o.ShouldRetryAfterHeader), MaxRetryAfter: pointer(o.MaxRetryAfter),
		StatusCodes: codesOf(o.StatusCodes), Methods: textsOf(o.Methods), MaxBufferedBody: pointer(o.MaxBufferedBody),
	}
	if b := o.RetryBudget; b != nil {
		j.RetryBudget = &budgetJSON{ratioPointer(b.RetryRatio), pointer(b.MinimumThroughput), pointer(b.SamplingDuration), pointer(b.Scope)}
	}
	return j
}

func chaosOf(o *config.Chaos) *chaosJSON {
	if o == nil {
		return nil
	}
	j := &chaosJSON{}
	if l := o.Latency; l != nil {
		j.Latency = &chaosLatencyJSON{ratioPointer(l.InjectionRate), pointer(l.Latency)}
	}
	if c := o.Outcome; c != nil {
		j.Outcome = &chaosOutcomeJSON{ratioPointer(c.InjectionRate), pointer(c.StatusCode)}
	}
	if f := o.Fault; f != nil {
		j.Fault = &chaosFaultJSON{ratioPointer(f.InjectionRate)}
	}
	return j
}

// codesOf returns status codes as "503" or "500-599"; nil for a nil list.
func codesOf(list *config.List[config.StatusCodes]) []string {
	if list == nil {
		return nil
	}
	texts := make([]string, 0, list.Len())
	for _, c := range list.All() {
		text := strconv.Itoa(int(c.V.First))
		if c.V.Last != c.V.First {
			text += "-" + strconv.Itoa(int(c.V.Last))
		}
		texts = append(texts, text)
	}
	return texts
}

func textsOf(list *config.List[string]) []string {
	if list == nil {
		return nil
	}
	texts := make([]string, 0, list.Len())
	for _, t := range list.All() {
		texts = append(texts, t.V)
	}
	return texts
}
