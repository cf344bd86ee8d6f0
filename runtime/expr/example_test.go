package expr_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/margay-dev/margay/runtime/expr"
)

func ExampleParse() {
	e, err := expr.Parse("NetworkErrorRatio()>.30||(ResponseCodeRatio(500,600,0,600) > 0.25) // half of them")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e)
	fmt.Println(e.Ranges())
	// Output:
	// NetworkErrorRatio() > 0.3 || ResponseCodeRatio(500, 600, 0, 600) > 0.25
	// [{0 600} {500 600}]
}

func ExampleErrors() {
	const text = "NetworkErrorRatio() > 10% && requestThreshold() > 20"
	_, err := expr.Parse(text)
	mistakes, _ := errors.AsType[expr.Errors](err)
	for _, m := range mistakes {
		fmt.Println(text)
		fmt.Println(strings.Repeat(" ", m.Start) + strings.Repeat("^", m.End-m.Start))
		fmt.Printf("%s\nhelp: %s\n", m.Message, m.Help)
	}
	// Output:
	// NetworkErrorRatio() > 10% && requestThreshold() > 20
	//                       ^^^
	// "10%" is not a number: expressions have no percent sign
	// help: write 0.10 instead of 10%
	// NetworkErrorRatio() > 10% && requestThreshold() > 20
	//                              ^^^^^^^^^^^^^^^^
	// there is no function "requestThreshold"
	// help: did you mean "RequestThreshold"?
}
