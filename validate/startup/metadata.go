package startup

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/convert"
)

// numberStyles and splitOptions are the names of .NET's enumerations; Ocelot
// reads them with regard to case.
var (
	numberStyles = []string{"None", "AllowLeadingWhite", "AllowTrailingWhite", "AllowLeadingSign", "AllowTrailingSign", "AllowParentheses",
		"AllowDecimalPoint", "AllowThousands", "AllowExponent", "AllowCurrencySymbol", "AllowHexSpecifier", "AllowBinarySpecifier",
		"Integer", "HexNumber", "BinaryNumber", "Number", "Float", "Currency", "Any"}
	splitOptions = []string{"None", "RemoveEmptyEntries", "TrimEntries"}
)

// metadataOptions follows DefaultMetadataCreator, which runs even for a
// configuration without any route.
func metadataOptions(o *config.MetadataOptions) *Exception {
	if o == nil {
		return nil
	}
	return firstOf(
		culture(o.CurrentCulture, o.Origin),
		enumeration("NumberStyle", o.NumberStyle, numberStyles, o.Origin),
		enumeration("StringSplitOption", o.StringSplitOption, splitOptions, o.Origin),
	)
}

func metadataException(kind, reason, remedy string, at config.Origin) *Exception {
	return &Exception{Stage: Create, Type: kind, Thrower: "DefaultMetadataCreator.Create", Reason: reason, Remedy: remedy, At: at}
}

const cultureRemedy = `write a language tag such as "en-GB", "" for none in particular, or leave CurrentCulture out`

// culture accepts what ICU takes for a language tag: "zz-nowhere" is fine,
// "5" and "!!" are not. An empty name is the invariant culture.
func culture(v config.Value[string], section config.Origin) *Exception {
	at := place(v.Origin, section)
	if !v.IsSet() {
		return metadataException(argumentNull, "CurrentCulture is null", cultureRemedy, at)
	}
	if v.V == "" {
		return nil
	}
	for i, part := range strings.FieldsFunc(v.V, func(r rune) bool { return r == '-' || r == '_' }) {
		letters := strings.TrimFunc(part, isASCIILetter) == ""
		if i == 0 && (!letters || len(part) < 2 || len(part) > 8) || strings.ContainsFunc(part, func(r rune) bool { return !isASCIIAlphanumeric(r) }) {
			return metadataException(cultureNotFound, strconv.Quote(v.V)+" is not the name of a culture", cultureRemedy, at)
		}
	}
	if strings.Trim(v.V, "-_") == "" {
		return metadataException(cultureNotFound, strconv.Quote(v.V)+" is not the name of a culture", cultureRemedy, at)
	}
	return nil
}

// enumeration follows Enum.Parse: names with regard to case, numbers, lists
// separated by commas, and blanks around each.
func enumeration(option string, v config.Value[string], names []string, section config.Origin) *Exception {
	at := place(v.Origin, section)
	remedy := fmt.Sprintf("write %q, for instance, or leave %s out", names[len(names)-1], option)
	if !v.IsSet() {
		return metadataException(argumentNull, option+" is null", remedy, at)
	}
	text := strings.TrimSpace(v.V)
	if text == "" {
		return metadataException(argument, option+" is empty", remedy, at)
	}
	switch _, err := strconv.ParseInt(text, 10, 32); {
	case err == nil:
		return nil
	case errors.Is(err, strconv.ErrRange):
		return metadataException(convert.Overflow, text+" is no number of 32 bits", remedy, at)
	}
	for part := range strings.SplitSeq(text, ",") {
		if name := strings.TrimSpace(part); !slices.Contains(names, name) {
			return metadataException(argument, strconv.Quote(name)+" is not one of the names of "+option, remedy, at)
		}
	}
	return nil
}

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func isASCIIAlphanumeric(r rune) bool { return isASCIILetter(r) || r >= '0' && r <= '9' }
