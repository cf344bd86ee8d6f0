// Package guardtest helps to test gateways whose clients have to be known.
// Nothing outside of tests uses it.
package guardtest

import (
	"context"
	"errors"
	"strings"

	"github.com/margay-dev/margay/runtime/guard/claims"
)

// Words is an authentication scheme that believes what it is told: the value
// "NAME subject;type=value;…" of Authorization is a client with these claims.
// NAME is the value of the Words. The gateways of the recordings register two
// of the kind, TestA and TestB.
type Words string

// Recognise returns the claims that stand in authorization.
func (w Words) Recognise(_ context.Context, authorization string) (claims.Claims, error) {
	rest, ok := strings.CutPrefix(authorization, string(w)+" ")
	if !ok {
		return nil, errors.New("another scheme")
	}
	parts := strings.Split(rest, ";")
	out := claims.Claims{{Type: "sub", Value: parts[0]}}
	for _, p := range parts[1:] {
		kind, value, _ := strings.Cut(p, "=")
		out = append(out, claims.Claim{Type: kind, Value: value})
	}
	return out, nil
}
