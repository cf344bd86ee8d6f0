package chaos_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/margay-dev/margay/runtime/chaos"
)

// Every second call fails; the randomizer makes the example predictable.
func ExampleDo() {
	randoms := []float64{0.1, 0.7}
	c := chaos.Chaos[string]{Fault: &chaos.Fault{
		Injection: chaos.Injection{InjectionRate: 0.5, Randomizer: func() float64 {
			r := randoms[0]
			randoms = randoms[1:]
			return r
		}},
		Fault: errors.New("connection reset"),
	}}
	for range 2 {
		fmt.Println(chaos.Do(context.Background(), &c, func(context.Context) (string, error) { return "real", nil }))
	}
	// Output:
	//  connection reset
	// real <nil>
}
