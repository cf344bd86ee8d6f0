// Package csharp reads C# sources as far as calls of methods need it: tokens,
// strings with their values, regions of #if, brackets and the methods around
// them.
//
// It takes text and returns tokens with lines. It compiles nothing: types,
// overloads and whether code runs are unknown to it, and where the answer
// depends on one of those it says so instead of guessing. No text makes it
// fail; what it cannot read becomes punctuation.
package csharp

// Kind is what a token is.
type Kind uint8

// The kinds. The zero Kind is none.
const (
	// Ident is a name or a keyword, without a leading @.
	Ident Kind = iota + 1
	// Text is a string of any form.
	Text
	// Number is a number, Char a character in apostrophes.
	Number
	Char
	// Punct is one character, or one of "=>", "?.", "??", "::", "&&", "||".
	Punct
)

// Token is one token.
type Token struct {
	Kind Kind
	// Text is a name, a number or punctuation; for a string without holes its
	// value.
	Text string
	// Holes are the parts of an interpolated string, in order; nil for others.
	Holes []Part
	// Line counts from 1.
	Line int
	// Maybe is the condition of the #if around the token that the text alone
	// does not decide; "" if there is none.
	Maybe string
}

// Part is a piece of an interpolated string: text, or the tokens of a hole.
type Part struct {
	Text string
	Hole []Token
}

// Is says whether the token is that name or punctuation.
func (t *Token) Is(text string) bool {
	return (t.Kind == Ident || t.Kind == Punct) && t.Text == text
}
