package telemetry

// Circuit is the state of a circuit, numbered as the gauges of metrics show it.
// The zero value is CircuitClosed.
type Circuit uint8

// The states of a circuit, in the words of Polly's CircuitState.
const (
	CircuitClosed Circuit = iota
	CircuitHalfOpen
	CircuitOpen
	CircuitIsolated
)

// Circuit returns the state that a circuit has after e. It is not ok where e is
// about no circuit, or about that of one host.
func (e Event) Circuit() (c Circuit, ok bool) {
	if e.Strategy == PassiveHealth {
		return CircuitClosed, false
	}
	switch e.Kind {
	case OnCircuitClosed:
		return CircuitClosed, true
	case OnCircuitHalfOpened:
		return CircuitHalfOpen, true
	case OnCircuitOpened:
		if e.Manual {
			return CircuitIsolated, true
		}
		return CircuitOpen, true
	default:
		return CircuitClosed, false
	}
}
