package schema

import (
	"strings"

	"github.com/margay-dev/margay/schema/convert"
)

// wanted returns the words for what a schema takes.
func (s *shape) wanted() string {
	switch {
	case s.isList() && s.items.isObject():
		return "a list of objects"
	case s.isList() && s.items.format == "status-codes":
		return "a list of status codes"
	case s.isList():
		return "a list"
	case s.types.has(objectType):
		return "an object"
	case len(s.enum) > 1:
		return strings.Join(s.enum[:len(s.enum)-1], ", ") + " or " + s.enum[len(s.enum)-1]
	}
	switch strings.TrimPrefix(s.format, "optional-") {
	case "int32", "int64":
		return "a whole number"
	case "double":
		return "a number"
	case "boolean":
		return "true or false"
	case "char":
		return "a single character"
	case "status-codes":
		return "a status code or a class such as 5xx"
	}
	return "a text"
}

// optional says whether the scalar may be null, as an int? may.
func (s *shape) optional() bool { return strings.HasPrefix(s.format, "optional-") }

// tooLarge says whether a text is a whole number that only its size keeps from
// converting.
func tooLarge(text string, s *shape) bool {
	var why *convert.Exception
	switch strings.TrimPrefix(s.format, "optional-") {
	case "int32":
		why = convert.ExplainInt32(text)
	case "int64":
		why = convert.ExplainInt64(text)
	}
	return why != nil && why.Inner != nil && strings.HasPrefix(why.Inner.Message, "Value was either too large")
}
