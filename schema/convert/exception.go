package convert

import (
	"fmt"
	"strings"
)

// The names of the exceptions that converters throw.
const (
	argument   = "System.ArgumentException"
	format     = "System.FormatException"
	outOfRange = "System.ArgumentOutOfRangeException"
)

// Overflow is the name of what is thrown for digits that are too many.
const Overflow = "System.OverflowException"

// ExplainInt32 returns what Int32Converter throws for a text that Int32
// refuses; nil for any other text.
func ExplainInt32(text string) *Exception { return explainInteger(text, 32) }

// ExplainInt64 returns what Int64Converter throws for a text that Int64
// refuses; nil for any other text.
func ExplainInt64(text string) *Exception { return explainInteger(text, 64) }

func explainInteger(text string, bits int) *Exception {
	_, why := integer(text, bits)
	if why == fine {
		return nil
	}
	trimmed := strings.TrimFunc(text, isBlank)
	return invalidPrimitive(trimmed, fmt.Sprintf("Int%d", bits), why.exception(trimmed, bits))
}

func (f failure) exception(text string, bits int) *Exception {
	switch f {
	case empty:
		return &Exception{Type: "System.IndexOutOfRangeException", Message: "Index was outside the bounds of the array."}
	case tooLarge:
		return &Exception{Type: Overflow, Message: fmt.Sprintf("Value was either too large or too small for an Int%d.", bits)}
	case hexEmpty:
		return &Exception{Type: outOfRange, Message: "Specified argument was out of the range of valid values. " +
			"(Parameter 'Index was out of range. Must be non-negative and less than the size of the collection.')"}
	case hexNegative:
		return &Exception{Type: argument, Message: "String cannot contain a minus sign if the base is not 10."}
	case hexNoDigits:
		return &Exception{Type: format, Message: "Could not find any recognizable digits."}
	case hexRest:
		return &Exception{Type: format, Message: "Additional non-parsable characters are at the end of the string."}
	case hexTooLarge:
		return &Exception{Type: Overflow, Message: fmt.Sprintf("Value was either too large or too small for a UInt%d.", bits)}
	}
	return incorrectFormat(text)
}

// ExplainDouble returns what DoubleConverter throws for a text that Double
// refuses; nil for any other text.
func ExplainDouble(text string) *Exception {
	if _, ok := Double(text); ok {
		return nil
	}
	trimmed := strings.TrimFunc(text, isBlank)
	return invalidPrimitive(trimmed, "Double", incorrectFormat(trimmed))
}

// ExplainBool returns what BooleanConverter throws for a text that Bool
// refuses; nil for any other text. Unlike the converters of numbers it quotes
// the text with its blanks.
func ExplainBool(text string) *Exception {
	if _, ok := Bool(text); ok {
		return nil
	}
	return &Exception{
		Type: format, Message: text + " is not a valid value for Boolean.",
		Inner: &Exception{Type: format, Message: fmt.Sprintf("String '%s' was not recognized as a valid Boolean.",
			strings.TrimFunc(text, isBlank))},
	}
}

// ExplainChar returns what CharConverter throws for a text that Char refuses;
// nil for any other text.
func ExplainChar(text string) *Exception {
	if _, ok := Char(text); ok {
		return nil
	}
	return &Exception{Type: format, Message: strings.TrimFunc(text, isBlank) + " is not a valid value for Char."}
}

func invalidPrimitive(text, typ string, inner *Exception) *Exception {
	return &Exception{Type: argument, Message: text + " is not a valid value for " + typ + ". (Parameter 'value')", Inner: inner}
}

func incorrectFormat(text string) *Exception {
	return &Exception{Type: format, Message: "The input string '" + text + "' was not in a correct format."}
}
