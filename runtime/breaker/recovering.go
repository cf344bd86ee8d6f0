package breaker

// recovering admits a growing share of the calls and lets the kind judge their
// results as it does while Closed. It exists for kinds with a ramp instead of
// a probe.
type recovering struct{}

// ramp is a kind that recovers without a probe. The lock is held.
type ramp interface {
	kind
	// begin starts the recovery at now.
	begin(now int64)
	// over reports whether the recovery has ended by now.
	over(now int64) bool
	// pass decides on one call of the recovery, and counts it.
	pass(now int64) bool
}

func (recovering) admit(b *Breaker, now int64) (Permit, error) {
	r := b.kind.(ramp)
	if r.over(now) {
		b.enter(Closed, now, 0, automatic)
		return b.grant(), nil
	}
	if !r.pass(now) {
		return Permit{}, &b.refusal
	}
	return b.grant(), nil
}

func (recovering) report(b *Breaker, now int64, o Outcome) {
	if b.kind.record(now, o) {
		b.trip(now)
	}
}

// recover enters Recovering. Rejected callers are told nothing: any of the
// next calls may pass.
func (b *Breaker) recover(now int64, r ramp) {
	r.begin(now)
	b.enter(Recovering, now, 0, automatic)
}
