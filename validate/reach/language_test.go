package reach

import (
	"bytes"
	"testing"
)

// TestKey: templates may be long, so places far into an automaton are not taken
// for near ones.
func TestKey(t *testing.T) {
	states := []state{{all: true}, {started: true}, {}}
	for _, pc := range []uint32{0, 1, 0xfffe, 0xffff, 0x10000, 0x10001} {
		states = append(states, state{at: []uint32{pc}}, state{at: []uint32{pc}, started: true}, state{at: []uint32{0, pc}})
	}
	for i, a := range states {
		for _, b := range states[:i] {
			if bytes.Equal(a.key(nil), b.key(nil)) {
				t.Errorf("got one key for %+v and %+v", a, b)
			}
		}
	}
}
