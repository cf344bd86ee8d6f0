package bearer_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// fuzzSigner signs with the same key, and equal claims with the same bytes, in
// every process: what one worker finds to be taken, the others take too.
func fuzzSigner(t testing.TB) *signer {
	seed := bytes.Repeat([]byte{7}, ed25519.SeedSize)
	return &signer{t: t, algorithm: jose.EdDSA, id: "k1", key: ed25519.NewKeyFromSeed(seed)}
}

// lasting are the claims of a token that is taken until the year 2100.
func lasting() map[string]any {
	return map[string]any{"iss": issuerName, "aud": "api", "sub": "u1", "exp": 4_102_444_800}
}

// FuzzTokens: a token is taken exactly if it is the one that the issuer signed,
// however its last bits are written.
func FuzzTokens(f *testing.F) {
	key := fuzzSigner(f)
	s := newScheme(f, key.public())
	genuine := key.token(lasting())
	past, elsewhere := lasting(), lasting()
	past["exp"], elsewhere["aud"] = 1, "elsewhere"
	for _, token := range []string{genuine, " " + genuine + "  ", key.token(past), key.token(elsewhere), genuine[:len(genuine)-1],
		strings.Replace(genuine, ".", "..", 1), "a.b.c", "eyJhbGciOiJub25lIn0.e30."} {
		f.Add(token)
	}
	want := partsOf(genuine)
	f.Fuzz(func(t *testing.T, token string) {
		plain := strings.Trim(token, " ")
		_, err := s.Recognise(t.Context(), "Bearer "+token)
		switch {
		case err == nil && !slices.Equal(partsOf(plain), want):
			t.Errorf("%q is taken", token)
		case err != nil && plain == genuine:
			t.Errorf("%q is refused: %v", token, err)
		}
	})
}

// partsOf returns what the parts of a token stand for; nil where it has parts
// that are not base64url.
func partsOf(token string) []string {
	var parts []string
	for part := range strings.SplitSeq(token, ".") {
		text, err := base64.RawURLEncoding.DecodeString(part)
		if err != nil {
			return nil
		}
		parts = append(parts, string(text))
	}
	return parts
}
