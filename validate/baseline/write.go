package baseline

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Bytes returns the file. The same findings always give the same bytes, and
// every finding has a line of its own, so that a change of the file reads well
// and merges well.
func (b *Baseline) Bytes() []byte {
	var out bytes.Buffer
	out.WriteString("{\n  \"version\": ")
	out.Write(encode(Version))
	out.WriteString(",\n  \"gateways\": {")
	for i, gateway := range slices.Sorted(maps.Keys(b.gateways)) {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		out.Write(encode(gateway))
		out.WriteString(": [")
		for j, e := range slices.SortedFunc(maps.Values(b.gateways[gateway]), compare) {
			if j > 0 {
				out.WriteByte(',')
			}
			if e.Count == 1 {
				e.Count = 0
			}
			out.WriteString("\n      ")
			out.Write(encode(e))
		}
		out.WriteString("\n    ]")
	}
	out.WriteString("\n  }\n}\n")
	return out.Bytes()
}

// encode returns JSON on one line.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("baseline: encode texts and numbers: " + err.Error()) // neither can fail
	}
	return text
}
