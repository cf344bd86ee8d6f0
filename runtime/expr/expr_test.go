package expr_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/expr"
)

// accepted are expressions that oxy takes, with their canonical text.
var accepted = []struct{ in, canonical string }{
	{"NetworkErrorRatio() > 0.5", "NetworkErrorRatio() > 0.5"},
	{"NetworkErrorRatio()>=0.0", "NetworkErrorRatio() >= 0.0"},
	{"NetworkErrorRatio () > 1e-1", "NetworkErrorRatio() > 0.1"},
	{"NetworkErrorRatio() < .5", "NetworkErrorRatio() < 0.5"},
	{"NetworkErrorRatio() != 1.", "NetworkErrorRatio() != 1.0"},
	{"NetworkErrorRatio() > 0x1p-2", "NetworkErrorRatio() > 0.25"},
	{"NetworkErrorRatio() > 1e100", "NetworkErrorRatio() > 1e+100"},
	{"NetworkErrorRatio() > 08.5", "NetworkErrorRatio() > 8.5"},
	{"RequestThreshold() > 010", "RequestThreshold() > 10"},
	{"RequestThreshold() > 9223372036854775807", "RequestThreshold() > 9223372036854775807"},
	{"LatencyAtQuantileMS(150.0) > 5", "LatencyAtQuantileMS(100.0) > 5"},
	{"LatencyAtQuantileMS(50.0,) > 5", "LatencyAtQuantileMS(50.0) > 5"},
	{"LatencyAtQuantileMS(50.0...,) > 5", "LatencyAtQuantileMS(50.0) > 5"},
	{"LatencyAtQuantileMS(50....) > 5", "LatencyAtQuantileMS(50.0) > 5"},
	{"ResponseCodeRatio(500, 600, 0, 600) == 0.25", "ResponseCodeRatio(500, 600, 0, 600) == 0.25"},
	{"ResponseCodeRatio(\n500,\n600, 0, 600,\n) == 0.25", "ResponseCodeRatio(500, 600, 0, 600) == 0.25"},
	{"(NetworkErrorRatio()) > (0.5)", "NetworkErrorRatio() > 0.5"},
	{"NetworkErrorRatio() > 0.5 // c", "NetworkErrorRatio() > 0.5"},
	{"/* a */ NetworkErrorRatio() /* b */ > 0.5 // c\n\n// d\n", "NetworkErrorRatio() > 0.5"},
	{"NetworkErrorRatio() > 0.5 &&\n RequestThreshold() > 3", "NetworkErrorRatio() > 0.5 && RequestThreshold() > 3"},
	{"\n\n(\nNetworkErrorRatio() > 0.5)\n", "NetworkErrorRatio() > 0.5"},
	{"\ufeffNetworkErrorRatio() > 0.5", "NetworkErrorRatio() > 0.5"},
	{
		"RequestThreshold() > 1 || RequestThreshold() > 2 && RequestThreshold() > 3",
		"RequestThreshold() > 1 || RequestThreshold() > 2 && RequestThreshold() > 3",
	},
	{
		"((RequestThreshold() > 1 || RequestThreshold() > 2)) && (RequestThreshold() > 3 && (RequestThreshold() > 4))",
		"(RequestThreshold() > 1 || RequestThreshold() > 2) && RequestThreshold() > 3 && RequestThreshold() > 4",
	},
}

func TestParseAccepts(t *testing.T) {
	for _, tc := range accepted {
		e, err := expr.Parse(tc.in)
		if err != nil {
			t.Errorf("Parse(%q): got error %q, want none", tc.in, err)
			continue
		}
		if got := e.String(); got != tc.canonical {
			t.Errorf("Parse(%q): got %q, want %q", tc.in, got, tc.canonical)
		}
	}
}

// refused are expressions that oxy refuses. The mistakes are marked in the
// text: «…» is the span of one, and the messages and instructions stand in
// the order of the marks.
var refused = []struct {
	in   string
	want []string
}{
	{"«»", []string{`the expression is empty [write a comparison such as NetworkErrorRatio() > 0.30]`}},
	{"« // nothing»", []string{`the expression is empty [write a comparison such as NetworkErrorRatio() > 0.30]`}},
	{"NetworkErrorRatio() > «1»", []string{`"1" has the wrong form for NetworkErrorRatio: expected a number with a decimal point [write 1.0]`}},
	{"LatencyAtQuantileMS(«50») > «100.0»", []string{
		`"50" has the wrong form for LatencyAtQuantileMS: expected a number with a decimal point [write 50.0]`,
		`"100.0" has the wrong form for LatencyAtQuantileMS: expected a whole number [write 100]`,
	}},
	{"LatencyAtQuantileMS(50.0) > «100.5»", []string{`"100.5" has the wrong form for LatencyAtQuantileMS: expected a whole number [write a whole number]`}},
	{"NetworkErrorRatio() > «10%»", []string{`"10%" is not a number: expressions have no percent sign [write 0.10 instead of 10%]`}},
	{"NetworkErrorRatio() > «2.5 %» || RequestThreshold() > 1", []string{`"2.5 %" is not a number: expressions have no percent sign [write 0.025 instead of 2.5%]`}},
	{"LatencyAtQuantileMS(«99%») > 5", []string{`"99%" is not a number: expressions have no percent sign [write 99.0 instead of 99%]`}},
	{"RequestThreshold() > «10%»", []string{`"10%" is not a number: expressions have no percent sign [write 10]`}},
	{"LatencyAtQuantileMS(50.0) > «100ms»", []string{`"100ms" is not a number [write 100: latencies are in milliseconds]`}},
	{"LatencyAtQuantileMS(50.0) > «1.5s»", []string{`"1.5s" is not a number [write 1500: latencies are in milliseconds]`}},
	{"«0.5» < NetworkErrorRatio()", []string{`the left side "0.5" is a number: expected a function [write NetworkErrorRatio() > 0.5]`}},
	{"«5» < 6", []string{`the left side "5" is a number: expected a function [write a function on the left side]`}},
	{"«!»(NetworkErrorRatio() > 0.5)", []string{`"!" has no meaning here: expressions have no signs and no negation [write NetworkErrorRatio() <= 0.5]`}},
	{"«not» (NetworkErrorRatio() > 0.5 && RequestThreshold() > 1)", []string{`"not" has no meaning here: expressions have no signs and no negation [write the opposite comparison]`}},
	{"NetworkErrorRatio() > «-»0.5", []string{`"-" has no meaning here: expressions have no signs and no negation [write the number without a sign]`}},
	{"NetworkErrorRatio() «+» 0.1 > 0.5", []string{`"+" has no meaning here: expressions have no arithmetic [compare a function with a number]`}},
	{"«ResponseCodeRatio(500, 600, 0, 600)»", []string{`"ResponseCodeRatio(500, 600, 0, 600)" is not compared with anything [write a comparison such as ResponseCodeRatio(500, 600, 0, 600) > 0.30]`}},
	{"«true»", []string{`there is no name "true" [use one of NetworkErrorRatio, ResponseCodeRatio, LatencyAtQuantileMS, RequestThreshold]`}},
	{"«NetworkErrorRatio» > 0.5", []string{`"NetworkErrorRatio" is a function: expected parentheses after it [write NetworkErrorRatio()]`}},
	{"«networkErrorRatio»() > 0.5", []string{`there is no function "networkErrorRatio" [did you mean "NetworkErrorRatio"?]`}},
	{"«LatencyAtQuantile»(50.0) > 5", []string{`there is no function "LatencyAtQuantile" [did you mean "LatencyAtQuantileMS"?]`}},
	{"«Requests»() > 5", []string{`there is no function "Requests" [use one of NetworkErrorRatio, ResponseCodeRatio, LatencyAtQuantileMS, RequestThreshold]`}},
	{"«NetworkErrorRatio() > 0.1» > 0.2", []string{`"NetworkErrorRatio() > 0.1" is true or false and can't be compared [join comparisons with && or ||]`}},
	{"NetworkErrorRatio() > «RequestThreshold()»", []string{`the right side "RequestThreshold()" is no number: expected a number with a decimal point [compare the function with a number, as in NetworkErrorRatio() > 0.30]`}},
	{"RequestThreshold() > «0x10»", []string{`"0x10" is not a plain decimal number [write 16 instead of 0x10]`}},
	{"RequestThreshold() > «0x10» «and» RequestThreshold() > 1", []string{
		`"0x10" is not a plain decimal number [write 16 instead of 0x10]`,
		`"and" is not an operator [write && instead of and]`,
	}},
	{"RequestThreshold() > «1_000»", []string{`"1_000" is not a plain decimal number [write 1000 instead of 1_000]`}},
	{"RequestThreshold() > «089»", []string{`"089" is not a plain decimal number [write 89 instead of 089]`}},
	{"RequestThreshold() > «99999999999999999999»", []string{`"99999999999999999999" is not a number that an expression can hold [write a smaller whole number]`}},
	{"NetworkErrorRatio() > «1e999»", []string{`"1e999" is not a number that an expression can hold [write a number such as 0.30]`}},
	{"NetworkErrorRatio() > «0b1.0»", []string{`"0b1.0" is not a number that an expression can hold [write a number such as 0.30]`}},
	{"«NetworkErrorRatio(1)» > 0.5", []string{`NetworkErrorRatio takes no argument, got 1 [write NetworkErrorRatio()]`}},
	{"«ResponseCodeRatio(500, 600, 0)» > 0.5", []string{`ResponseCodeRatio takes 4 arguments, got 3 [write ResponseCodeRatio(from, to, from, to)]`}},
	{"ResponseCodeRatio(«(500)», 600, 0, «600.0») > 0.5", []string{
		`the argument "(500)" is not a plain number [write 500 without parentheses]`,
		`"600.0" has the wrong form for ResponseCodeRatio: expected a whole number [write 600]`,
	}},
	{"NetworkErrorRatio() > 0.5«\n»&& RequestThreshold() > 3", []string{
		`the line break ends the expression, but more follows [write the operator or comma at the end of the line, not at the beginning of the next one]`,
	}},
	{"NetworkErrorRatio() > 0.5«;» RequestThreshold() > 1", []string{`";" has no meaning here: an expression is one condition [join the comparisons with && or ||]`}},
	{"NetworkErrorRatio() > 0.5 «and» RequestThreshold() > 1", []string{`"and" is not an operator [write && instead of and]`}},
	{"NetworkErrorRatio() «=>» 0.5 «|» RequestThreshold() «=» 1", []string{
		`"=>" is not an operator [write >= instead of =>]`,
		`"|" is not an operator [write || instead of |]`,
		`"=" is not an operator [write == instead of =]`,
	}},
	{"NetworkErrorRatio() «≥» 0.5", []string{`"≥" is not an operator [write >= instead of ≥]`}},
	{"«(»NetworkErrorRatio() > 0.5", []string{`"(" is never closed [add ")" where it ends]`}},
	{"NetworkErrorRatio() > 0.5«)»", []string{`")" closes nothing [remove it]`}},
	{"NetworkErrorRatio() > 0.5 &&«»", []string{`the expression ends too early [add a comparison such as NetworkErrorRatio() > 0.30]`}},
	{"«&&» NetworkErrorRatio() > 0.5", []string{`expected a function or a number before "&&" [add what is missing]`}},
	{"NetworkErrorRatio() > «\"0.5\"»", []string{`"\"0.5\"" is no function and no number [write a function or a plain number]`}},
	{"NetworkErrorRatio() > 0.5 «/*» x", []string{`the comment is never closed [add "*/" after it]`}},
	{"NetworkErrorRatio() > 0.5 «\x00»", []string{`the expression contains the byte 0x00, which is not text [remove it]`}},
	{"NetworkErrorRatio() > 0.5 // «\xff»", []string{`the expression contains the byte 0xff, which is not text [remove it]`}},
	{"«networkErrorRatio»() > 0.5 && RequestThreshold() > «1.0» &&«»", []string{
		`there is no function "networkErrorRatio" [did you mean "NetworkErrorRatio"?]`,
		`"1.0" has the wrong form for RequestThreshold: expected a whole number [write 1]`,
		`the expression ends too early [add a comparison such as NetworkErrorRatio() > 0.30]`,
	}},
	{"NetworkErrorRatio() > «foo»", []string{`the right side "foo" is no number: expected a number with a decimal point [compare the function with a number, as in NetworkErrorRatio() > 0.30]`}},
}

func TestParseRefuses(t *testing.T) {
	for _, tc := range refused {
		in := unmark(tc.in)
		_, err := expr.Parse(in)
		mistakes, ok := errors.AsType[expr.Errors](err)
		if !ok {
			t.Errorf("Parse(%q): got error %v, want a list of mistakes", in, err)
			continue
		}
		var got []string
		for _, m := range mistakes {
			text := m.Message
			if m.Help != "" {
				text += " [" + m.Help + "]"
			}
			got = append(got, text)
		}
		if marked := mark(in, mistakes); marked != tc.in {
			t.Errorf("Parse(%q): got spans %q, want %q", in, marked, tc.in)
		}
		if g, w := strings.Join(got, "\n"), strings.Join(tc.want, "\n"); g != w {
			t.Errorf("Parse(%q): got\n%s\nwant\n%s", in, g, w)
		}
	}
}

func unmark(s string) string { return strings.NewReplacer("«", "", "»", "").Replace(s) }

// mark puts marks around the spans of mistakes, which do not overlap.
func mark(s string, mistakes expr.Errors) string {
	var b strings.Builder
	at := 0
	for _, m := range mistakes {
		b.WriteString(s[at:m.Start] + "«" + s[m.Start:m.End] + "»")
		at = m.End
	}
	return b.String() + s[at:]
}

func TestErrorIsFoundByType(t *testing.T) {
	_, err := expr.Parse("NetworkErrorRatio() > 1")
	first, ok := errors.AsType[*expr.Error](err)
	if !ok || first.Start != 22 || first.End != 23 {
		t.Errorf("got %#v, want the mistake at 22 to 23", first)
	}
	if got, want := err.Error(), first.Message; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseDeeplyNested(t *testing.T) {
	nest := func(n int) string {
		return strings.Repeat("(", n) + "NetworkErrorRatio() > 0.5" + strings.Repeat(")", n)
	}
	if _, err := expr.Parse(nest(900)); err != nil {
		t.Errorf("900 deep: got %v, want no error", err)
	}
	for _, text := range []string{nest(2000), strings.Repeat("(", 1e6), strings.Repeat("!", 1e6), strings.Repeat("f(", 1e6)} {
		if _, err := expr.Parse(text); err == nil {
			t.Errorf("%.10q…: got no error, want one", text)
		}
	}
}
