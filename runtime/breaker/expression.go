package breaker

import (
	"net/http"
	"time"
	"unsafe"

	"github.com/margay-dev/margay/runtime/expr"
	"github.com/margay-dev/margay/runtime/window"
)

// Expression opens the circuit when a condition over the last ten seconds (for
// latencies: the last minute) is true: Traefik's circuit breaker, the cbreaker
// package of vulcand/oxy v2. There is no probe. When FallbackDuration is over,
// the next call begins the recovery, in which a growing share of the calls
// passes, up to half; after RecoveryDuration the circuit is closed.
//
// The condition is looked at when a call that was admitted ends, whether well
// or badly, but not within CheckPeriod of the last look. One bad call is enough
// for NetworkErrorRatio() > 0.5; RequestThreshold() says how many there must
// be.
//
// It wants Outcomes with a Status and a Latency; Do gives the latter.
//
// Where oxy counts a call that was admitted before the circuit opened, and may
// open it again for it (`traefik-07`), the result is dropped here. Latencies
// from before a pause are forgotten (`traefik-16`). A panic is a failure, where
// oxy records nothing.
type Expression struct {
	// Condition opens the circuit; nil is never true. It comes from
	// expr.Parse.
	Condition *expr.Expr
	// CheckPeriod is the time that passes between two looks at the condition;
	// zero or less means 100 ms.
	CheckPeriod time.Duration
	// FallbackDuration is how long the circuit stays open; zero or less means
	// 10 s.
	FallbackDuration time.Duration
	// RecoveryDuration is how long the recovery takes; zero or less means 10 s.
	RecoveryDuration time.Duration
}

// The defaults of Traefik's middleware.
const (
	defaultCheckPeriod      = 100 * time.Millisecond
	defaultFallbackDuration = 10 * time.Second
	defaultRecoveryDuration = 10 * time.Second
)

// conditional is the memory of Expression.
type conditional struct {
	condition   *expr.Expr
	counters    window.Counters
	latencies   window.Latencies
	phase       int64 // of the breaker's time in a second of the wall clock
	checkPeriod int64
	asOf        int64 // the time of a look, while it lasts
	checked     bool  // there was a look at the condition
	next        int64 // no look until after this time, if so
	opened      int64 // when the circuit opened last
	slope       slope
}

func (c Expression) build() *Breaker {
	type object struct {
		b Breaker
		c conditional
	}
	o := &new(struct {
		object
		_ [cacheLine - unsafe.Sizeof(object{})%cacheLine]byte
	}).object
	k := &o.c
	k.condition = c.Condition
	k.checkPeriod = int64(orDefault(c.CheckPeriod, defaultCheckPeriod))
	k.slope.duration = int64(orDefault(c.RecoveryDuration, defaultRecoveryDuration))
	k.phase = int64(time.Now().Nanosecond())
	if k.condition != nil {
		k.counters.Init(codeRanges(k.condition)...)
		k.latencies.Init(k.condition.Bounds()...)
	}
	return o.b.of(k, orDefault(c.FallbackDuration, defaultFallbackDuration), traits{timed: true})
}

func codeRanges(e *expr.Expr) []window.CodeRange {
	ranges := make([]window.CodeRange, len(e.Ranges()))
	for i, r := range e.Ranges() {
		ranges[i] = window.CodeRange(r)
	}
	return ranges
}

func (k *conditional) record(now int64, o Outcome) bool {
	if k.condition == nil {
		return false
	}
	k.counters.Record(k.second(now), o.status())
	if len(k.condition.Bounds()) > 0 && o.Latency > 0 {
		k.latencies.Record(now, o.Latency)
	}
	if !k.due(now) || !k.holds(now) {
		return false
	}
	k.opened = now
	return true
}

// status returns the status that stands for an outcome without one, as the
// proxy in front of oxy would have written it.
func (o Outcome) status() int {
	switch {
	case o.Status != 0:
		return o.Status
	case o.Result == Success:
		return http.StatusOK
	default:
		return http.StatusBadGateway
	}
}

// due reports whether it is time to look at the condition, and if so sets the
// next time. The first result is always looked at; exactly CheckPeriod after a
// look is too early (`traefik-02`).
func (k *conditional) due(now int64) bool {
	if k.checked && now <= k.next {
		return false
	}
	k.checked, k.next = true, after(now, k.checkPeriod)
	return true
}

func (k *conditional) holds(now int64) bool {
	k.asOf = now
	return k.condition.Holds((*figures)(k))
}

// second returns the time for the counters, whose seconds are those of the
// wall clock, as it was when the breaker was made.
func (k *conditional) second(now int64) int64 { return now + k.phase }

func (k *conditional) quiet() bool { return false }

func (k *conditional) seal() {}

func (k *conditional) counts(now int64) window.Counts {
	second := k.second(now)
	return window.Counts{
		Total:    uint64(k.counters.Requests(second)),
		Failures: uint64(k.counters.NetworkErrors(second)),
	}
}

func (k *conditional) reset(now int64) {
	k.counters.Reset()
	k.latencies.Reset(now)
}

// begin starts the recovery and forgets what opened the circuit. oxy forgets
// when the circuit opens; nothing is counted in between, so it is the same,
// except that an open circuit can still tell why.
func (k *conditional) begin(now int64) {
	k.reset(k.opened)
	k.slope.begin(now)
}

func (k *conditional) over(now int64) bool { return k.slope.over(now) }
func (k *conditional) pass(now int64) bool { return k.slope.pass(now) }

// slope admits calls of a recovery: such a share as rises from none at its
// beginning to half at its end.
type slope struct {
	start    int64
	duration int64
	admitted int64
	rejected int64
}

func (s *slope) begin(now int64) { s.start, s.admitted, s.rejected = now, 0, 0 }

// over reports whether the recovery has ended; its last instant belongs to it
// (`traefik-19`).
func (s *slope) over(now int64) bool { return now-s.start > s.duration }

// pass admits a call if, with it, less than the share has been admitted. After
// exactly one rejection nothing passes: one of two is half.
func (s *slope) pass(now int64) bool {
	target := 0.5 / float64(s.duration) * float64(now-s.start)
	share := float64(s.admitted+1) / float64(s.admitted+1+s.rejected)
	if share < target {
		s.admitted++
		return true
	}
	s.rejected++
	return false
}

// figures are the metrics that the condition is about, at the time asOf.
type figures conditional

func (f *figures) second() int64 { return (*conditional)(f).second(f.asOf) }

func (f *figures) Requests() int64             { return f.counters.Requests(f.second()) }
func (f *figures) NetworkErrors() int64        { return f.counters.NetworkErrors(f.second()) }
func (f *figures) Responses(i int) int64       { return f.counters.Responses(f.second(), i) }
func (f *figures) Latencies() int64            { return f.latencies.Count(f.asOf) }
func (f *figures) LatenciesWithin(i int) int64 { return f.latencies.Within(f.asOf, i) }
