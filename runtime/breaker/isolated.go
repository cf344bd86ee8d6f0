package breaker

// isolated rejects every call until ForceClose.
type isolated struct{}

func (isolated) admit(*Breaker, int64) (Permit, error) { return Permit{}, ErrIsolated }

// report has nothing to take: this state admits nobody.
func (isolated) report(*Breaker, int64, Outcome) {}

// Isolate holds the circuit open until ForceClose. Results of calls that are
// in flight are dropped. It does nothing if the circuit is isolated already.
func (b *Breaker) Isolate() {
	b.mu.Lock()
	if b.current().state() != Isolated {
		b.enter(Isolated, b.now(), never, manual)
	}
	b.unlock()
}

// ForceClose closes the circuit, whatever its state, and forgets what was
// counted. Results of calls that are in flight are dropped. It is a transition
// only if the circuit was not closed (`polly-ratio-17`).
func (b *Breaker) ForceClose() {
	b.mu.Lock()
	b.close(b.now(), manual)
	b.unlock()
}

// Reset forgets what was counted and drops the results of calls in flight, but
// leaves the circuit open, isolated or recovering if it is so. A half-open
// circuit may be probed at once.
func (b *Breaker) Reset() {
	b.mu.Lock()
	defer b.unlock()
	now := b.now()
	b.kind.reset(now)
	gate := b.gate.Load()
	state := b.current().state()
	if state == HalfOpen {
		gate = 0
	}
	b.enter(state, now, gate, manual)
}
