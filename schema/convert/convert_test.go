package convert_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/margay-dev/margay/schema/convert"
)

func TestInt32(t *testing.T) {
	for text, want := range map[string]int32{
		"0": 0, "5": 5, "00005": 5, "-0": 0, "+5": 5, "-5": -5,
		"2147483647": math.MaxInt32, "-2147483648": math.MinInt32, "0000000002147483647": math.MaxInt32,
		" 5 ": 5, "\t5\n": 5, "5\u00a0": 5, "\u2003" + "5": 5, "5\x00\x00": 5, "5 \x00": 5,
		"0x1F": 31, "0X1f": 31, "&hA": 10, "&HA": 10, "#A": 10, " #A ": 10, "#0x10": 16, "0x0x10": 16, "#+A": 10,
		"0xFFFFFFFF": -1, "0x80000000": math.MinInt32, "0x0000000000F": 15,
	} {
		if got, ok := convert.Int32(text); !ok || got != want {
			t.Errorf("Int32(%q) = %d, %t, want %d", text, got, ok, want)
		}
	}
}

func TestInt32Refuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "Index was outside the bounds of the array.",
		" ":                       "Index was outside the bounds of the array.",
		"5.0":                     "The input string '5.0' was not in a correct format.",
		" 5s ":                    "The input string '5s' was not in a correct format.",
		"1e3":                     "The input string '1e3' was not in a correct format.",
		"1,000":                   "The input string '1,000' was not in a correct format.",
		"+":                       "The input string '+' was not in a correct format.",
		"- 5":                     "The input string '- 5' was not in a correct format.",
		"-0x1":                    "The input string '-0x1' was not in a correct format.",
		"５":                       "The input string '５' was not in a correct format.",
		"5\x00x":                  "The input string '5\x00x' was not in a correct format.",
		"99999999999x":            "The input string '99999999999x' was not in a correct format.",
		"2147483648":              "Value was either too large or too small for an Int32.",
		"-2147483649":             "Value was either too large or too small for an Int32.",
		"99999999999999999999999": "Value was either too large or too small for an Int32.",
		"0x":                      "Specified argument was out of the range of valid values. (Parameter 'Index was out of range. Must be non-negative and less than the size of the collection.')",
		"0x-1":                    "String cannot contain a minus sign if the base is not 10.",
		"##A":                     "Could not find any recognizable digits.",
		"0x A":                    "Could not find any recognizable digits.",
		"#+":                      "Could not find any recognizable digits.",
		"0xAG":                    "Additional non-parsable characters are at the end of the string.",
		"0xA\x00":                 "Additional non-parsable characters are at the end of the string.",
		"0x1FFFFFFFF":             "Value was either too large or too small for a UInt32.",
	} {
		if got, ok := convert.Int32(text); ok {
			t.Errorf("Int32(%q) = %d, want a refusal", text, got)
			continue
		}
		if got := convert.ExplainInt32(text).Inner.Message; got != want {
			t.Errorf("ExplainInt32(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestInt64(t *testing.T) {
	for text, want := range map[string]int64{
		"5": 5, "9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64,
		"0xFFFFFFFF": math.MaxUint32, "0xFFFFFFFFFFFFFFFF": -1,
	} {
		if got, ok := convert.Int64(text); !ok || got != want {
			t.Errorf("Int64(%q) = %d, %t, want %d", text, got, ok, want)
		}
	}
	for text, want := range map[string]string{
		"9223372036854775808":  "Value was either too large or too small for an Int64.",
		"0x1FFFFFFFFFFFFFFFFF": "Value was either too large or too small for a UInt64.",
	} {
		if got := convert.ExplainInt64(text).Inner.Message; got != want {
			t.Errorf("ExplainInt64(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestDouble(t *testing.T) {
	for text, want := range map[string]float64{
		"0.5": 0.5, "5E-1": 0.5, " .5 ": 0.5, "5.": 5, "+1e3": 1000, "-0": math.Copysign(0, -1), "5\x00": 5,
		"1e400": math.Inf(1), "-1e400": math.Inf(-1), "1e-400": 0,
		"Infinity": math.Inf(1), "+infinity": math.Inf(1), "-INFINITY": math.Inf(-1), " Infinity ": math.Inf(1),
		"NaN": math.NaN(), "nan": math.NaN(), "-NaN": math.NaN(), "+nan": math.NaN(),
	} {
		got, ok := convert.Double(text)
		if !ok || math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("Double(%q) = %v, %t, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", ".", "+", "0,5", "1,000", "∞", "inf", "0x1F", "1_000", "1e", "1e+", "5f", "--5", "+-NaN", "Infinity\x00", "50%"} {
		if got, ok := convert.Double(text); ok {
			t.Errorf("Double(%q) = %v, want a refusal", text, got)
		}
		if convert.ExplainDouble(text) == nil {
			t.Errorf("ExplainDouble(%q) = nil, want an exception", text)
		}
	}
}

func TestFormatDouble(t *testing.T) {
	for want, f := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "0.5": 0.5, "0.0001": 1e-4, "1E-05": 1e-5, "10000000000000000": 1e16, "1E+17": 1e17,
		"1.5E+300": 1.5e300, "NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1),
	} {
		if got := convert.FormatDouble(f); got != want {
			t.Errorf("FormatDouble(%v) = %q, want %q", f, got, want)
		}
	}
}

func TestBool(t *testing.T) {
	for text, want := range map[string]bool{
		"true": true, "True": true, "TRUE ": true, " fAlse\t": false, "False": false, "\x00true\x00": true, "\u00a0true": true,
	} {
		if got, ok := convert.Bool(text); !ok || got != want {
			t.Errorf("Bool(%q) = %t, %t, want %t", text, got, ok, want)
		}
	}
	for _, text := range []string{"", " ", "1", "0", "yes", "on", "falſe", "tru", "truee"} {
		if _, ok := convert.Bool(text); ok {
			t.Errorf("Bool(%q) converts, want a refusal", text)
		}
	}
	if got, want := convert.ExplainBool(" 5 ").Message, " 5  is not a valid value for Boolean."; got != want {
		t.Errorf("ExplainBool quotes %q, want %q", got, want)
	}
}

func TestChar(t *testing.T) {
	for text, want := range map[string]string{
		"": "\x00", "x": "x", " ": " ", "  ": "\x00", " x ": "x", "é": "é",
	} {
		if got, ok := convert.Char(text); !ok || got != want {
			t.Errorf("Char(%q) = %q, %t, want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{"xy", " x y ", "😀"} {
		if got, ok := convert.Char(text); ok {
			t.Errorf("Char(%q) = %q, want a refusal", text, got)
		}
	}
}

// FuzzNumbers holds the converters against strconv where the rules coincide,
// and an explanation against the refusal that it explains.
func FuzzNumbers(f *testing.F) {
	for _, seed := range []string{"5", "-5", "0x1F", "#0x10", "5.0", "1e400", "NaN", " 7\x00", "2147483648"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, ok := convert.Int32(text)
		if want, err := strconv.ParseInt(text, 10, 32); err == nil && (!ok || int64(n) != want) {
			t.Errorf("Int32(%q) = %d, %t, want %d", text, n, ok, want)
		}
		long, okLong := convert.Int64(text)
		if want, err := strconv.ParseInt(text, 10, 64); err == nil && (!okLong || long != want) {
			t.Errorf("Int64(%q) = %d, %t, want %d", text, long, okLong, want)
		}
		if ok && !okLong {
			t.Errorf("%q is an Int32 and no Int64", text)
		}
		if ok != (convert.ExplainInt32(text) == nil) {
			t.Errorf("Int32(%q) succeeds: %t, ExplainInt32 says otherwise", text, ok)
		}
		_, ok = convert.Double(text)
		if ok != (convert.ExplainDouble(text) == nil) {
			t.Errorf("Double(%q) succeeds: %t, ExplainDouble says otherwise", text, ok)
		}
		_, ok = convert.Bool(text)
		if ok != (convert.ExplainBool(text) == nil) {
			t.Errorf("Bool(%q) succeeds: %t, ExplainBool says otherwise", text, ok)
		}
	})
}
