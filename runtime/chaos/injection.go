package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// DefaultInjectionRate is the rate that Polly takes where none is given. Here a
// rate of 0 stays 0: nothing is injected by accident.
const DefaultInjectionRate = 0.001

// Injection decides which calls are struck. The zero value strikes none.
type Injection struct {
	// InjectionRate is the share of calls that are struck, 0 to 1.
	InjectionRate float64

	// InjectionRateGenerator returns a rate in place of InjectionRate; below 0 is
	// 0, above 1 is 1, and NaN strikes nothing.
	InjectionRateGenerator func(ctx context.Context) float64

	// Disabled lets every call pass.
	Disabled bool

	// EnabledGenerator decides in place of Disabled.
	EnabledGenerator func(ctx context.Context) bool

	// Randomizer returns values in [0, 1), from any goroutine. Nil: the functions
	// of math/rand/v2.
	Randomizer func() float64
}

// ShouldInject decides about one call: enabled, and then a random value below
// the rate. The error is the cause of ctx if that is done before the random
// value is drawn; nothing further is asked then.
func (i *Injection) ShouldInject(ctx context.Context) (bool, error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if !i.enabled(ctx) {
		return false, nil
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	rate := i.rate(ctx)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return i.random() < rate, nil
}

// Validate returns an error where Polly refuses the rate: outside [0, 1].
func (i *Injection) Validate() error {
	if r := i.InjectionRate; !(r >= 0 && r <= 1) { // NaN is in no range
		return fmt.Errorf("injection rate %v is out of range: it must be between 0 and 1", r)
	}
	return nil
}

func (i *Injection) enabled(ctx context.Context) bool {
	if i.EnabledGenerator != nil {
		return i.EnabledGenerator(ctx)
	}
	return !i.Disabled
}

func (i *Injection) rate(ctx context.Context) float64 {
	if i.InjectionRateGenerator == nil {
		return i.InjectionRate
	}
	return i.InjectionRateGenerator(ctx) // a random value is in [0, 1), so bounds change nothing
}

func (i *Injection) random() float64 {
	if i.Randomizer != nil {
		return i.Randomizer()
	}
	return rand.Float64()
}
