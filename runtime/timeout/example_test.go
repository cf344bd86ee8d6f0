package timeout_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/margay-dev/margay/runtime/timeout"
)

func ExampleDo() {
	slow := func(ctx context.Context) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	_, err := timeout.Do(context.Background(), 10*time.Millisecond, slow)
	if e, ok := errors.AsType[*timeout.Error](err); ok {
		fmt.Println(e, "-", e.Kind)
	}
	// Output: attempt timeout of 10ms exceeded - attempt
}

// Many calls under the same limits share a strategy.
func ExampleRun() {
	s := timeout.New(timeout.Options{Attempt: time.Second, Total: 3 * time.Second})
	text, err := timeout.Run(context.Background(), s, func(context.Context) (string, error) {
		return "in time", nil
	})
	fmt.Println(text, err)
	// Output: in time <nil>
}
