package bearer_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/margay-dev/margay/runtime/guard/bearer"
	"github.com/margay-dev/margay/runtime/guard/claims"
)

const issuerName = "https://id.example/"

// signer makes tokens.
type signer struct {
	t         testing.TB
	algorithm jose.SignatureAlgorithm
	id        string
	key       any
}

func newSigner(t testing.TB, id string) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &signer{t: t, algorithm: jose.ES256, id: id, key: key}
}

// public is the key as an issuer publishes it.
func (s *signer) public() jose.JSONWebKey {
	k := jose.JSONWebKey{Key: s.key, KeyID: s.id, Algorithm: string(s.algorithm), Use: "sig"}
	if _, secret := s.key.([]byte); secret {
		return k
	}
	return k.Public()
}

// good are the claims of a token that is taken.
func good() map[string]any {
	return map[string]any{"iss": issuerName, "aud": "api", "sub": "u1", "exp": time.Now().Add(time.Hour).Unix()}
}

func (s *signer) token(content any) string {
	s.t.Helper()
	o := &jose.SignerOptions{}
	if s.id != "" {
		o = o.WithHeader("kid", s.id)
	}
	sign, err := jose.NewSigner(jose.SigningKey{Algorithm: s.algorithm, Key: s.key}, o)
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := jwt.Signed(sign).Claims(content).Serialize()
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

func writeKeys(t testing.TB, path string, keys ...jose.JSONWebKey) {
	t.Helper()
	text, err := json.Marshal(jose.JSONWebKeySet{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func newScheme(t testing.TB, keys ...jose.JSONWebKey) *bearer.Scheme {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.json")
	writeKeys(t, path, keys...)
	s, err := bearer.New(bearer.Settings{Issuer: issuerName, Audiences: []string{"other", "api"}, Keys: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func recognise(t testing.TB, s *bearer.Scheme, token string) (claims.Claims, error) {
	t.Helper()
	return s.Recognise(t.Context(), "Bearer "+token)
}
