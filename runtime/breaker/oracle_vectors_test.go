package breaker

import (
	"encoding/json"
	"testing"

	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestOracleRuntimeVectors replays the hand-made vectors for the breakers of
// Ocelot and Polly. They must agree up to the first hazard of the original,
// and throughout with the reference.
func TestOracleRuntimeVectors(t *testing.T) {
	var file struct{ Vectors []json.RawMessage }
	if err := json.Unmarshal(oracletest.Bytes(t, "runtime-vectors.json"), &file); err != nil {
		t.Fatal(err)
	}
	tally := oracletest.NewTally("runtime-vectors")
	for _, raw := range file.Vectors {
		var head struct{ Semantics string }
		if err := json.Unmarshal(raw, &head); err != nil {
			t.Fatal(err)
		}
		switch head.Semantics {
		case "ocelot-count", "ocelot-ratio", "polly-ratio":
		default:
			continue // other packages and files have their tests
		}
		var rec recorded
		if err := json.Unmarshal(raw, &rec); err != nil {
			t.Fatal(err)
		}
		judgeVector(t, rec).count(tally, rec.ID)
	}
	tally.Report(t)
}

func judgeVector(t *testing.T, rec recorded) verdict {
	t.Helper()
	if rec.Semantics == "polly-ratio" {
		return judge(t, rec, pollyConfig(rec), pollysRule, pollyDifference)
	}
	return judge(t, rec, builtinConfig(rec), ownRule, builtinDifference)
}
