// Package claims judges and uses what is known of a client, as Ocelot does
// (ClaimsParser, ClaimsAuthorizer, ScopesAuthorizer; recordings auth and
// auth-claims). Types and values are compared with regard to case.
package claims

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/margay-dev/margay/runtime/plan"
)

// Claim is one thing that is said of a client.
type Claim struct{ Type, Value string }

// Claims are all that is known of a client, in the order in which it was said.
// Nil is a client of whom nothing is known.
type Claims []Claim

// The reasons for which a client is refused, with 403.
var (
	// ErrScope means that the client has none of the scopes.
	ErrScope = errors.New("the client has none of the allowed scopes")
	// ErrClaim means that a claim lacks the demanded value.
	ErrClaim = errors.New("the client lacks a required claim")
	// ErrMissing means that a claim which is to be copied is not there.
	ErrMissing = errors.New("the client has no claim of a type that is to be copied")
)

// Values returns the values of a type.
func (c Claims) Values(kind string) []string {
	var out []string
	for _, one := range c {
		if one.Type == kind {
			out = append(out, one.Value)
		}
	}
	return out
}

// scopeType is the type of the claim that holds scopes.
const scopeType = "scope"

// HasScope returns [ErrScope] unless the client has one of the scopes; no
// scopes ask for nothing. A single claim may hold several, with blanks between
// them; of several claims each is one scope (auth/042, auth/047).
func (c Claims) HasScope(allowed []string) error {
	if len(allowed) == 0 {
		return nil
	}
	has := c.Values(scopeType)
	if len(has) == 1 && strings.Contains(has[0], " ") {
		has = strings.Split(has[0], " ")
	}
	if !slices.ContainsFunc(has, func(s string) bool { return slices.Contains(allowed, s) }) {
		return ErrScope
	}
	return nil
}

// Meet returns [ErrClaim] unless the client has every required claim. A value
// {x} stands for what the placeholder x captured; value looks that up.
func (c Claims) Meet(required []plan.ClaimRequirement, value func(placeholder string) (string, bool)) error {
	for _, r := range required {
		want := r.Value
		if len(want) > 2 && want[0] == '{' && want[len(want)-1] == '}' {
			var ok bool
			if want, ok = value(want[1 : len(want)-1]); !ok {
				return ErrClaim
			}
		}
		if !slices.Contains(c.Values(r.Type), want) {
			return ErrClaim
		}
	}
	return nil
}

// Pick returns the value that a copy takes: all values of its type, joined by
// commas, or one part of that. It fails with [ErrMissing] where there is none.
func (c Claims) Pick(from plan.ClaimCopy) (string, error) {
	values := c.Values(from.Claim)
	if len(values) == 0 {
		return "", ErrMissing
	}
	whole := strings.Join(values, ",")
	if from.Delimiter == "" {
		return whole, nil
	}
	parts := splitAny(whole, from.Delimiter)
	if from.Index < 0 || from.Index >= len(parts) {
		return "", ErrMissing
	}
	return parts[from.Index], nil
}

// splitAny splits at every character of delimiters, as String.Split of .NET
// does with a list of them.
func splitAny(text, delimiters string) []string {
	var out []string
	for {
		i := strings.IndexAny(text, delimiters)
		if i < 0 {
			return append(out, text)
		}
		out = append(out, text[:i])
		_, width := utf8.DecodeRuneInString(text[i:])
		text = text[i+width:]
	}
}

// With returns the claims with one more, in exchange for the first one of its
// type. The receiver does not change.
func (c Claims) With(kind, value string) Claims {
	out := make(Claims, 0, len(c)+1)
	replaced := false
	for _, one := range c {
		if one.Type == kind && !replaced {
			replaced = true
			continue
		}
		out = append(out, one)
	}
	return append(out, Claim{Type: kind, Value: value})
}
