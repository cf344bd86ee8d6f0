package breaker_test

import (
	"errors"
	"fmt"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/expr"
)

func ExampleExpression() {
	condition, err := expr.Parse("NetworkErrorRatio() > 0.5 && RequestThreshold() >= 3")
	if err != nil {
		fmt.Println(err)
		return
	}
	b := breaker.New(breaker.Expression{Condition: condition, CheckPeriod: 1})
	for range 4 {
		err := b.Do(func() error { return errors.New("connection refused") })
		fmt.Println(err, "/", b.State())
	}
	// Output:
	// connection refused / closed
	// connection refused / closed
	// connection refused / open
	// breaker: circuit is open / open
}
