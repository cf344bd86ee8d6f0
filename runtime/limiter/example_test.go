package limiter_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/margay-dev/margay/runtime/limiter"
)

func Example() {
	l, err := limiter.New(limiter.Options{PermitLimit: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = limiter.Do(context.Background(), l, func(ctx context.Context) (string, error) {
		_, err := l.Acquire(ctx) // the only permit is taken
		fmt.Println(errors.Is(err, limiter.ErrRejected), l.State())
		return "done", nil
	})
	fmt.Println(err, l.State())
	// Output:
	// true {1 0}
	// <nil> {0 0}
}
