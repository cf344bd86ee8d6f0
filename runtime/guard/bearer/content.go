package bearer

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/margay-dev/margay/runtime/guard/claims"
)

// content is what a token says.
type content struct {
	registered registered
	all        map[string]json.RawMessage
}

// registered are the members that decide whether a token is taken. Others, even
// registered ones, may be of any type.
type registered struct {
	Issuer    string           `json:"iss"`
	Audience  jwt.Audience     `json:"aud"`
	Expiry    *jwt.NumericDate `json:"exp"`
	NotBefore *jwt.NumericDate `json:"nbf"`
	IssuedAt  *jwt.NumericDate `json:"iat"`
}

// readContent reads a token whose signature was verified.
func readContent(token *jwt.JSONWebToken) (*content, error) {
	var c content
	if token.UnsafeClaimsWithoutVerification(&c.registered, &c.all) != nil {
		return nil, ErrMalformed
	}
	return &c, nil
}

// claims returns every member as claims, sorted by type, as JsonWebTokenHandler
// makes them: one for each element of a list, objects as JSON. A type with a
// longer name in .NET can be called by either.
func (c *content) claims() (claims.Claims, error) {
	var out claims.Claims
	for _, kind := range slices.Sorted(maps.Keys(c.all)) {
		values, err := valuesOf(c.all[kind])
		if err != nil {
			return nil, ErrMalformed
		}
		for _, v := range values {
			out = append(out, claims.Claim{Type: kind, Value: v})
			if long := longName(kind); long != "" {
				out = append(out, claims.Claim{Type: long, Value: v})
			}
		}
	}
	return out, nil
}

func valuesOf(raw json.RawMessage) ([]string, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '[' {
		v, err := valueOf(raw)
		return []string{v}, err
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(raw, &elements); err != nil {
		return nil, err
	}
	var out []string
	for _, e := range elements {
		v, err := valueOf(e)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// valueOf returns a string's content, and of anything else its JSON.
func valueOf(raw json.RawMessage) (string, error) {
	switch {
	case len(raw) > 0 && raw[0] == '"':
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	case string(raw) == "null":
		return "", nil
	}
	var b bytes.Buffer
	err := json.Compact(&b, raw)
	return b.String(), err
}

// longName returns the name that the handlers of ASP.NET give a type unless
// MapInboundClaims is false; empty if they leave it.
func longName(kind string) string {
	const ms, identity = "http://schemas.microsoft.com/", "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"
	switch kind {
	case "sub", "nameid":
		return identity + "nameidentifier"
	case "email":
		return identity + "emailaddress"
	case "given_name":
		return identity + "givenname"
	case "family_name":
		return identity + "surname"
	case "unique_name":
		return identity + "name"
	case "upn":
		return identity + "upn"
	case "birthdate":
		return identity + "dateofbirth"
	case "gender":
		return identity + "gender"
	case "website":
		return identity + "webpage"
	case "role", "roles":
		return ms + "ws/2008/06/identity/claims/role"
	case "scp":
		return ms + "identity/claims/scope"
	case "oid":
		return ms + "identity/claims/objectidentifier"
	case "tid":
		return ms + "identity/claims/tenantid"
	case "idp":
		return ms + "identity/claims/identityprovider"
	case "amr":
		return ms + "claims/authnmethodsreferences"
	case "acr":
		return ms + "claims/authnclassreference"
	}
	return ""
}
