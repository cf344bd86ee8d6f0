package breaker

// halfOpen waits for the result of one call, the probe. The gate is the end of
// its lease, or zero when its place is free.
type halfOpen struct{}

func (halfOpen) admit(b *Breaker, now int64) (Permit, error) {
	if now < b.gate.Load() {
		return Permit{}, &b.refusal
	}
	// A period of its own, so that the result of the probe before is dropped.
	b.publish(newStamp(HalfOpen, b.current().generation()+1))
	return b.probe(now), nil
}

func (halfOpen) report(b *Breaker, now int64, o Outcome) {
	if now >= b.gate.Load() {
		return // the lease is over, or the probe was ignored
	}
	switch o.Result {
	case Success:
		b.close(now, automatic)
	case Failure:
		b.trip(now)
	default:
		b.gate.Store(0)
		b.retryAt.Store(0)
	}
}

// probe admits the probe of the present period. While it is in flight, others
// are told to come back after another break duration, as Polly does
// (`polly-ratio-13`), or when the lease is over if that is sooner.
func (b *Breaker) probe(now int64) Permit {
	lease := int64(never)
	if b.options.probeLease > 0 {
		lease = after(now, int64(b.options.probeLease))
	}
	b.gate.Store(lease)
	b.retryAt.Store(min(lease, after(now, int64(b.options.breakDuration))))
	return b.grant()
}
