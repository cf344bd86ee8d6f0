package plan

import (
	"cmp"
	"slices"
)

// day is the longest window, break and delay that Polly takes.
const day = Millis(86_400_000)

func (r *Route) checkStrategies(c *checker, at *place, profile Profile) {
	if r.Fallback != nil {
		r.Fallback.check(c, at.member("fallback"))
	}
	if r.Limiter != nil {
		r.Limiter.check(c, at.member("concurrencyLimiter"))
	}
	if r.OuterTimeout != nil {
		checkOuterTimeout(c, at.member("outerTimeout"), *r.OuterTimeout, profile)
	}
	if r.Retry != nil {
		r.Retry.check(c, at.member("retry"))
	}
	r.Failures.check(c, at.member("failures"))
	if r.PassiveHealth != nil {
		r.checkPassiveHealth(c, at.member("passiveHealth"))
	}
	if r.Breaker != nil {
		r.Breaker.check(c, at.member("breaker"))
	}
	inRange(c, at.member("attemptTimeout"), r.AttemptTimeout, 0, MaxMillis)
	if r.Chaos != nil {
		r.Chaos.check(c, at.member("chaos"))
	}
}

// checkPassiveHealth refuses what could have no effect: an expression is about
// all hosts together, and who always takes the first host passes none over.
func (r *Route) checkPassiveHealth(c *checker, at *place) {
	if r.PassiveHealth.Kind == Expression {
		c.report(at.member("kind"), "got %q, expected %q, %q or %q", Expression, Consecutive, Ratio, PollyRatio)
		return
	}
	r.PassiveHealth.check(c, at)
	if !r.LoadBalancer.Chooses() {
		c.report(at, "has no effect with the load balancer %q", cmp.Or(r.LoadBalancer.Type, "NoLoadBalancer"))
	}
}

// checkOuterTimeout lets only a plan that imitates a release carry the outcome
// of that release's arithmetic.
func checkOuterTimeout(c *checker, at *place, outer Millis, profile Profile) {
	if profile.Ocelot == "" {
		inRange(c, at, outer, 1, MaxMillis)
		return
	}
	inRange(c, at, outer, -MaxMillis, MaxMillis)
}

func (f *Failures) check(c *checker, at *place) {
	checkStatuses(c, at.member("statusCodes"), f.StatusCodes)
	oneOf(c, at.member("transportErrors"), f.TransportErrors, Failure, Success)
	if f.Timeouts != "" {
		oneOf(c, at.member("timeouts"), f.Timeouts, Failure, Success)
	}
}

func checkStatuses(c *checker, at *place, list []StatusRange) {
	for i, r := range list {
		inRange(c, at.element(i), r.First, 100, 999)
		inRange(c, at.element(i), r.Last, r.First, 999)
	}
}

func (b *Breaker) check(c *checker, at *place) {
	oneOf(c, at.member("kind"), b.Kind, Consecutive, Ratio, PollyRatio, Expression)
	switch b.Kind {
	case Consecutive:
		inRange(c, at.member("minimumThroughput"), b.MinimumThroughput, 1, maxCount)
		inRange(c, at.member("breakDuration"), b.BreakDuration, 1, MaxMillis)
		c.foreign(at, b.Kind, b.ratioMembers(), b.expressionMembers())
	case Ratio, PollyRatio:
		b.checkRatio(c, at)
		c.foreign(at, b.Kind, b.expressionMembers())
	case Expression:
		required(c, at.member("expression"), b.Expression)
		inRange(c, at.member("checkPeriod"), b.CheckPeriod, 1, MaxMillis)
		inRange(c, at.member("fallbackDuration"), b.FallbackDuration, 1, MaxMillis)
		inRange(c, at.member("recoveryDuration"), b.RecoveryDuration, 1, MaxMillis)
		inRange(c, at.member("responseCode"), b.ResponseCode, 200, 599)
		c.foreign(at, b.Kind, b.countMembers(), b.ratioMembers())
	}
}

// maxCount is the largest count that the configuration can state.
const maxCount = 1<<31 - 1

func (b *Breaker) checkRatio(c *checker, at *place) {
	low, shortest, longest := 1, Millis(1), MaxMillis
	if b.Kind == PollyRatio {
		low, shortest, longest = 2, 500, day
	}
	inRange(c, at.member("minimumThroughput"), b.MinimumThroughput, low, maxCount)
	if !(b.FailureRatio > 0 && b.FailureRatio <= 1) {
		c.report(at.member("failureRatio"), "got %v, expected more than 0 and at most 1", b.FailureRatio)
	}
	inRange(c, at.member("samplingDuration"), b.SamplingDuration, shortest, longest)
	inRange(c, at.member("breakDuration"), b.BreakDuration, shortest, longest)
}

// member is the name of a member and whether it is set.
type member struct {
	name string
	set  bool
}

func (b *Breaker) countMembers() []member {
	return []member{{"minimumThroughput", b.MinimumThroughput != 0}, {"breakDuration", b.BreakDuration != 0}}
}

func (b *Breaker) ratioMembers() []member {
	return []member{{"failureRatio", b.FailureRatio != 0}, {"samplingDuration", b.SamplingDuration != 0}}
}

func (b *Breaker) expressionMembers() []member {
	return []member{
		{"expression", b.Expression != ""}, {"checkPeriod", b.CheckPeriod != 0},
		{"fallbackDuration", b.FallbackDuration != 0}, {"recoveryDuration", b.RecoveryDuration != 0},
		{"responseCode", b.ResponseCode != 0},
	}
}

// foreign reports members that belong to another kind of breaker: whoever wrote
// them expects an effect that there would not be.
func (c *checker) foreign(at *place, kind BreakerKind, lists ...[]member) {
	for _, m := range slices.Concat(lists...) {
		if m.set {
			c.report(at.member(m.name), "has no effect in a breaker of kind %q", kind)
		}
	}
}

func (r *Retry) check(c *checker, at *place) {
	inRange(c, at.member("maxRetryAttempts"), r.MaxRetryAttempts, 1, maxCount)
	inRange(c, at.member("delay"), r.Delay, 0, day)
	inRange(c, at.member("maxDelay"), r.MaxDelay, 0, day)
	oneOf(c, at.member("backoff"), r.Backoff, Constant, Linear, Exponential)
	if r.MaxRetryAfter != nil {
		inRange(c, at.member("maxRetryAfter"), *r.MaxRetryAfter, 0, MaxMillis)
	}
	checkStatuses(c, at.member("statusCodes"), r.StatusCodes)
	checkMethods(c, at.member("methods"), r.Methods)
	if r.MaxBufferedBody < 0 {
		c.report(at.member("maxBufferedBody"), "got %d, expected 0 or more bytes", r.MaxBufferedBody)
	}
	if r.Budget != nil {
		r.Budget.check(c, at.member("budget"))
	}
}

func (b *Budget) check(c *checker, at *place) {
	inRange(c, at.member("retryRatio"), b.RetryRatio, 0, 1)
	inRange(c, at.member("minimumThroughput"), b.MinimumThroughput, 1, maxCount)
	inRange(c, at.member("samplingDuration"), b.SamplingDuration, 1000, day)
	oneOf(c, at.member("scope"), b.Scope, PerRoute, PerBackend)
	if (b.Scope == PerBackend) != (b.Share != "") {
		c.report(at.member("share"), "got %q with scope %q", b.Share, b.Scope)
	}
}

func (l *Limiter) check(c *checker, at *place) {
	inRange(c, at.member("permitLimit"), l.PermitLimit, 1, maxCount)
	inRange(c, at.member("queueLimit"), l.QueueLimit, 0, maxCount)
}

func (f *Fallback) check(c *checker, at *place) {
	inRange(c, at.member("staleIfError"), f.StaleIfError, 0, MaxMillis)
	if f.StatusCode != 0 {
		inRange(c, at.member("statusCode"), f.StatusCode, 200, 599)
	} else if f.Body != "" || f.ContentType != "" {
		c.report(at.member("statusCode"), "missing beside a body")
	}
	for _, ch := range f.ContentType {
		if isControl(ch) {
			c.report(at.member("contentType"), "got %q, expected no control characters", f.ContentType)
			return
		}
	}
}

func (x *Chaos) check(c *checker, at *place) {
	if l := x.Latency; l != nil {
		inRange(c, at.member("latency").member("injectionRate"), l.InjectionRate, 0, 1)
		inRange(c, at.member("latency").member("latency"), l.Latency, 0, MaxMillis)
	}
	if o := x.Outcome; o != nil {
		inRange(c, at.member("outcome").member("injectionRate"), o.InjectionRate, 0, 1)
		inRange(c, at.member("outcome").member("statusCode"), o.StatusCode, 200, 599)
	}
	if f := x.Fault; f != nil {
		inRange(c, at.member("fault").member("injectionRate"), f.InjectionRate, 0, 1)
	}
}
