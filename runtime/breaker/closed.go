package breaker

// closed lets every call pass and leaves the judgement to the kind.
type closed struct{}

func (closed) admit(b *Breaker, _ int64) (Permit, error) { return b.grant(), nil }

func (closed) report(b *Breaker, now int64, o Outcome) {
	if b.kind.record(now, o) {
		b.trip(now)
		return
	}
	b.publish(b.current())
}

// close enters Closed with an empty memory.
func (b *Breaker) close(now int64, cause cause) {
	b.kind.reset(now)
	b.enter(Closed, now, 0, cause)
}
