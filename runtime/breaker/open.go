package breaker

// open rejects calls until the break is over. It ends by the first call that
// comes then, never by itself.
type open struct{}

func (open) admit(b *Breaker, now int64) (Permit, error) {
	if now < b.gate.Load() {
		return Permit{}, &b.refusal
	}
	if r, ok := b.kind.(ramp); ok {
		b.recover(now, r)
		return recovering{}.admit(b, now)
	}
	b.enter(HalfOpen, now, 0, automatic)
	return b.probe(now), nil
}

// report has nothing to take: this state admits nobody.
func (open) report(*Breaker, int64, Outcome) {}

// trip opens the circuit for the break duration.
func (b *Breaker) trip(now int64) {
	b.enter(Open, now, after(now, int64(b.options.breakDuration)), automatic)
}
