package startup

import (
	"strings"
	"testing"
)

// TestCheckRegex holds what .NET's RegexParser takes, beside what it refuses.
func TestCheckRegex(t *testing.T) {
	for _, pattern := range []string{
		`^(?i)/a$`, `a{1,2}?`, `a{,3}`, `a{1,`, `{`, `}`, `]`, `a|`, `()`, `(?:)`, `(?=)*`, `(?<!a)b`, `(?>a)`,
		`(a)\1`, `\2(a)(b)`, `(?<n>a)\k<n>`, `\k'n'(?'n'a)`, `\<n>(?<n>)`, `(?<n>a)(?<-n>b)`, `(?<2>a)\2`, `(?<01>a)(b)`,
		`\10`, `\07`, `\0`, `\x41`, `\u0041`, `\cA`, `\c[`, `\c\`, `\ca`, `\-`, `\p{Lu}`, `\P{IsGreek}`,
		`[]]`, `[^]]`, `[a-z-[b]]`, `[\d-z]`, `[a-]`, `[-a]`, `[\1]`, `[\b]`, `[[:alpha:]]`, `[a\-z]`, `[a-z-[b-[c]]]`,
		`(?(1)a|b)()`, `(?(n)a)(?<n>)`, `(?(n)a)`, `(?(?=a)b|c)`, `(?((a))b)`, `(?#c)a`, `a(?#c)*`, `(?i)a`, `(?i:a)`, `(?-i+m)`,
		"(?x)a # (\nb", `(?n)(a)`, `[😀]`,
	} {
		if err := checkRegex(pattern); err != nil {
			t.Errorf("%q: refused: %v", pattern, err)
		}
	}
	for pattern, why := range map[string]string{
		`*`: "follows nothing", `a|*`: "follows nothing", `(*)`: "follows nothing", `(?i)*`: "follows nothing", `(?)`: "follows nothing",
		`a**`: "repeats", `a??*`: "repeats", `a{2}{3}`: "repeats", `a{2,1}`: "backwards", `a{99999999999}`: "larger than",
		`(`: "never closed", `)`: "never opened", `[`: "never closed", `[]`: "never closed", `[^]`: "never closed", `\`: "at the end",
		`\1`: "group 1", `\9`: "group 9", `\80`: "not known", `(?n)(a)\1`: "group 1", `\k`: "name of a group", `\k<n>`: `"n"`, `\k<n`: "not known",
		`(?<0>a)`: "not the name", `(?<00>a)`: "not the name", `(?<1a>b)`: "not the name", `(?<>a)`: "not the name", `(?< a>b)`: "not the name",
		`(?<n-m>a)`: `"m"`, `(?<n->a)`: "not the name", `(?<n`: "never closed", `(?P<n>a)`: "no kind", `(?`: "no kind", `(?#c`: "never closed",
		`(?(1)a)`: "group 1", `(?(1a)b)`: "condition", `(?(?#c)a)`: "comment", `(?(?<n>a)b)`: "has a name", `(?(a)b|c|d)`: "two alternatives", `(?(a)(?i)b)`: "no kind",
		`\x4`: "2 hexadecimal", `\u004`: "4 hexadecimal", `\c`: "letter", `\c1`: "letter", `\pL`: "category", `\p{Foo}`: "category", `\Q`: "not known",
		`[\z]`: "not known", `[\k]`: "not known", `[z-a]`: "reverse", `[a-\d]`: "ends a range", `[a-[b]c]`: "last thing", `[😀-😁]`: "reverse",
		`(?#)(?<n>)#(?#(?<m>))\k<m>`: `never opened`, `(?#(?<m>)\k<m>`: `"m"`,
	} {
		err := checkRegex(pattern)
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: got %v, want %q", pattern, err, why)
		}
	}
	if err := checkRegex(strings.Repeat("[a-", 100_000)); err == nil {
		t.Error("a set in a set in a set, without end: taken")
	}
	if err := checkRegex(strings.Repeat("(", 100_000) + strings.Repeat(")", 100_000)); err != nil {
		t.Errorf("deep groups: %v", err)
	}
}
