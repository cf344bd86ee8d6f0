package expr

import (
	"cmp"
	"slices"
	"strings"
)

// Error is one mistake in an expression.
type Error struct {
	// Start and End are byte offsets into the text, half-open, with
	// 0 ≤ Start ≤ End ≤ len(text). They are equal where something is missing
	// at the end.
	Start, End int
	// Message says what is wrong, in one line without a full stop.
	Message string
	// Help says what to write instead; it may be empty.
	Help string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Errors are the mistakes in one expression, in the order of their places. Only
// a non-empty list is ever returned as an error.
type Errors []*Error

// Error returns the messages, separated by semicolons.
func (e Errors) Error() string {
	var b strings.Builder
	for i, err := range e {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(err.Message)
	}
	return b.String()
}

// Unwrap returns the mistakes, so that errors.As finds an [*Error].
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

func (e *Errors) add(at span, message, help string) {
	*e = append(*e, &Error{Start: at.start, End: at.end, Message: message, Help: help})
}

func (e Errors) sorted() Errors {
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return e
}
