package budget_test

import (
	"fmt"

	"github.com/margay-dev/margay/runtime/budget"
)

// A budget of one retry per ten requests, shared by whatever counts in it.
func Example() {
	b, err := budget.New(budget.Options{RetryRatio: new(0.1), MinimumThroughput: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 20 {
		b.Request()
	}
	for range 3 {
		fmt.Println(b.TryRetry())
	}
	fmt.Printf("%+v\n", b.Counts())
	// Output:
	// true
	// true
	// false
	// {Requests:20 Retries:2}
}
