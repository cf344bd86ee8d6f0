package normalize

import (
	"bytes"
	"hash/maphash"
)

// shareCircuits finds routes with equal circuit keys. Polly keeps its pipelines
// by that key for as long as the process lives, so of several routes the first
// one's options count for all (claim-D29). A route without active QoS asks for
// no pipeline, and one that Polly refuses leaves none behind for others.
func shareCircuits(g *Gateway) {
	seed := maphash.MakeSeed()
	first := make(map[uint64]int, len(g.Routes))
	var key, other []byte
	for i := range g.Routes {
		route := &g.Routes[i]
		if !route.Active {
			continue
		}
		if key = route.appendCircuitKey(key[:0]); len(key) == 0 {
			continue
		}
		hash := maphash.Bytes(seed, key)
		for {
			at, taken := first[hash]
			if !taken {
				if route.Refused == nil {
					first[hash] = i
				}
				break
			}
			other = g.Routes[at].appendCircuitKey(other[:0])
			if bytes.Equal(key, other) {
				route.SharedWith = at
				break
			}
			hash++ // two keys with one hash: the next place
		}
	}
}
