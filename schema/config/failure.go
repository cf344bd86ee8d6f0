package config

import (
	"strconv"

	"github.com/margay-dev/margay/schema/convert"
)

// BindError is a value that the binder cannot convert.
type BindError struct {
	// Path is the value's configuration key: "Routes:2:Timeout".
	Path string
	// Value is the text that does not convert.
	Value string
	// Type is the .NET type that was wanted, such as "System.Int32"; empty
	// where the message names none.
	Type string
	// Message is .NET's own text for it.
	Message string
	// Exception is the .NET exception type that carries the message.
	Exception string
	// Inner is the converter's own exception; nil where there is none.
	Inner *convert.Exception
	// At is where the value stands.
	At Section
}

// Why says in a clause what is wrong: `"5s" is not a whole number`. It takes the
// value as it is to be shown.
func (e *BindError) Why(shown string) string {
	quoted := strconv.Quote(shown)
	if e.Inner != nil && e.Inner.Inner != nil && e.Inner.Inner.Type == convert.Overflow {
		return quoted + " does not fit into a whole number"
	}
	switch e.Type {
	case "System.Int32", "System.Int64":
		return quoted + " is not a whole number"
	case "System.Double":
		return quoted + " is not a number"
	case "System.Boolean":
		return quoted + " is not true or false"
	case "System.String":
		return "an object or an array stands where a text belongs"
	}
	return "something in it is missing or does not convert"
}
