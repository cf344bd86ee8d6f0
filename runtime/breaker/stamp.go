package breaker

// stamp names a period: a stretch of time in which a breaker stays in one
// state, or in which one probe is in flight. It packs the generation, which
// counts periods, above the state, so that one atomic load tells both and two
// stamps are equal only if they name the same period.
type stamp uint64

const (
	stateMask = 1<<3 - 1
	// quiet says that a success would change nothing, so that it need not be
	// reported. It may come and go within a period of Closed.
	quiet           stamp = 1 << 3
	generationShift       = 4
)

func newStamp(s State, generation uint64) stamp {
	return stamp(s) | stamp(generation<<generationShift)
}

func (s stamp) state() State       { return State(s & stateMask) }
func (s stamp) generation() uint64 { return uint64(s >> generationShift) }

// period returns the stamp without what may change within a period.
func (s stamp) period() stamp { return s &^ quiet }

// idle reports whether the circuit is closed and a success changes nothing,
// whichever period it comes from.
func (s stamp) idle() bool { return s&(quiet|stateMask) == quiet|stamp(Closed) }
