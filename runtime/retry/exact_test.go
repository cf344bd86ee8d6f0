package retry

import (
	"math"
	"math/big"
	"testing"
)

// Powers of two with sixteenths as exponents are square roots of each other,
// which math/big takes to any precision.
func TestExp2IsCorrectlyRounded(t *testing.T) {
	const precision = 300
	root := new(big.Float).SetPrec(precision).SetInt64(2)
	for range 4 {
		root.Sqrt(root) // at the end the 16th root
	}
	want := new(big.Float).SetPrec(precision).SetInt64(1)
	for i := range 16 * 40 {
		x := float64(i) / 16
		nearest, _ := want.Float64()
		if got := exp2(x); got != nearest {
			t.Errorf("exp2(%v): got %v, want %v", x, got, nearest)
		}
		want.Mul(want, root)
	}
	if got := exp2(1024); !math.IsInf(got, 1) {
		t.Errorf("exp2(1024): got %v, want infinity", got)
	}
	if got := exp2(math.MaxInt32); !math.IsInf(got, 1) {
		t.Errorf("exp2 of the last attempt: got %v, want infinity", got)
	}
}

func TestTanhIsCloseToMath(t *testing.T) {
	for x := 0.0; x < 30; x += 0.0625 {
		if got, want := tanh(x), math.Tanh(x); math.Abs(got-want) > 0x1p-52 {
			t.Errorf("tanh(%v): got %v, want about %v", x, got, want)
		}
	}
}
