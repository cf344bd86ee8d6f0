package bearer_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/margay-dev/margay/runtime/guard/bearer"
)

func TestTakesAToken(t *testing.T) {
	key := newSigner(t, "k1")
	s := newScheme(t, newSigner(t, "k0").public(), key.public())
	said := good()
	said["role"] = []any{"admin", "user"}
	said["jti"] = 7
	said["n"], said["ok"], said["o"], said["nothing"] = 1.50, true, map[string]int{"a": 1}, nil
	got, err := recognise(t, s, key.token(said))
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][]string{"sub": {"u1"}, "role": {"admin", "user"}, "n": {"1.5"}, "ok": {"true"}, "o": {`{"a":1}`},
		"nothing": {""}, "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier": {"u1"},
		"http://schemas.microsoft.com/ws/2008/06/identity/claims/role": {"admin", "user"}} {
		if has := got.Values(kind); !slices.Equal(has, want) {
			t.Errorf("%s: got %q, want %q", kind, has, want)
		}
	}
}

func TestRefusesTokens(t *testing.T) {
	key, stranger := newSigner(t, "k1"), newSigner(t, "k1")
	s := newScheme(t, key.public())
	with := func(change func(map[string]any)) string {
		c := maps.Clone(good())
		change(c)
		return key.token(c)
	}
	now := time.Now()
	tampered := strings.Split(key.token(good()), ".")
	tampered[1] = base64.RawURLEncoding.EncodeToString([]byte(`{"iss":"https://id.example/","aud":"api","sub":"root","exp":99999999999}`))
	unsigned := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + tampered[1] + "."
	for name, tt := range map[string]struct {
		token string
		want  error
	}{
		"another key with the same id": {stranger.token(good()), bearer.ErrUnsigned},
		"an unknown key id":            {newSigner(t, "k9").token(good()), bearer.ErrUnsigned},
		"tampered content":             {strings.Join(tampered, "."), bearer.ErrUnsigned},
		"algorithm none":               {unsigned, bearer.ErrMalformed},
		"no token":                     {"abc", bearer.ErrMalformed},
		"two parts":                    {"a.b", bearer.ErrMalformed},
		"the JSON form":                {`{"payload":"e30","signature":"","protected":"e30"}`, bearer.ErrMalformed},
		"wrong issuer":                 {with(func(c map[string]any) { c["iss"] = "https://id.example" }), bearer.ErrIssuer},
		"no issuer":                    {with(func(c map[string]any) { delete(c, "iss") }), bearer.ErrIssuer},
		"wrong audience":               {with(func(c map[string]any) { c["aud"] = []string{"x", "y"} }), bearer.ErrAudience},
		"no audience":                  {with(func(c map[string]any) { delete(c, "aud") }), bearer.ErrAudience},
		"expired":                      {with(func(c map[string]any) { c["exp"] = now.Add(-6 * time.Minute).Unix() }), bearer.ErrExpired},
		"no expiry":                    {with(func(c map[string]any) { delete(c, "exp") }), bearer.ErrForever},
		"not yet":                      {with(func(c map[string]any) { c["nbf"] = now.Add(6 * time.Minute).Unix() }), bearer.ErrEarly},
		"an issuer of no type":         {with(func(c map[string]any) { c["iss"] = 5 }), bearer.ErrMalformed},
		"issued later":                 {with(func(c map[string]any) { c["iat"] = now.Add(6 * time.Minute).Unix() }), bearer.ErrEarly},
	} {
		got, err := recognise(t, s, tt.token)
		if !errors.Is(err, tt.want) || got != nil {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, tt.want)
		}
	}
	for name, token := range map[string]string{
		"expired within the skew": with(func(c map[string]any) { c["exp"] = now.Add(-4 * time.Minute).Unix() }),
		"early within the skew":   with(func(c map[string]any) { c["nbf"] = now.Add(4 * time.Minute).Unix() }),
		"one of two audiences":    with(func(c map[string]any) { c["aud"] = []string{"x", "api"} }),
	} {
		if _, err := recognise(t, s, token); err != nil {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A token that was taken a moment ago is taken again without its signature
// being verified, but not longer than it is in force.
func TestRememberedTokens(t *testing.T) {
	key := newSigner(t, "k1")
	s := newScheme(t, key.public())
	synctest.Test(t, func(t *testing.T) {
		ending := good()
		ending["exp"] = time.Now().Add(-5*time.Minute + 10*time.Second).Unix()
		token := key.token(ending)
		for range 2 {
			if _, err := recognise(t, s, token); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(11 * time.Second)
		if _, err := recognise(t, s, token); !errors.Is(err, bearer.ErrExpired) {
			t.Errorf("got %v", err)
		}
		if _, err := recognise(t, s, token[:len(token)-4]+"AAAA"); err == nil {
			t.Error("another signature is taken")
		}
	})
}

func TestAuthorizationHeader(t *testing.T) {
	key := newSigner(t, "k1")
	s, token := newScheme(t, key.public()), key.token(good())
	for value, want := range map[string]error{
		"Bearer " + token:     nil,
		"bearer  " + token:    nil,
		"":                    bearer.ErrNoToken,
		"Bearer":              bearer.ErrNoToken,
		"Bearer ":             bearer.ErrNoToken,
		"Basic " + token:      bearer.ErrNoToken,
		token:                 bearer.ErrNoToken,
		"Bearer " + "x y":     bearer.ErrMalformed,
		"Bearer " + token[1:]: bearer.ErrMalformed,
	} {
		if _, err := s.Recognise(t.Context(), value); !errors.Is(err, want) {
			t.Errorf("%.20q: got %v, want %v", value, err, want)
		}
	}
}

// Whoever knows the public key must not be able to sign with it as a secret.
func TestAPublicKeyIsNoSecret(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	honest := &signer{t: t, algorithm: jose.RS256, id: "k1", key: key}
	published := honest.public()
	published.Algorithm = "" // as many issuers publish it
	s := newScheme(t, published)
	if _, err := recognise(t, s, honest.token(good())); err != nil {
		t.Fatalf("the honest token: %v", err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	known := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	for name, secret := range map[string][]byte{"PEM": known, "DER": der, "modulus": key.N.Bytes()} {
		forged := &signer{t: t, algorithm: jose.HS256, id: "k1", key: secret}
		if _, err := recognise(t, s, forged.token(good())); !errors.Is(err, bearer.ErrUnsigned) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestSecretsOfAFile(t *testing.T) {
	secret := &signer{t: t, algorithm: jose.HS256, id: "h1", key: []byte(strings.Repeat("s", 32))}
	s := newScheme(t, secret.public())
	if _, err := recognise(t, s, secret.token(good())); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestKeysAreForOnePurpose(t *testing.T) {
	key := newSigner(t, "k1")
	for name, change := range map[string]func(*jose.JSONWebKey){
		"encryption":        func(k *jose.JSONWebKey) { k.Use = "enc" },
		"another algorithm": func(k *jose.JSONWebKey) { k.Algorithm = "ES384" },
	} {
		k := key.public()
		change(&k)
		if _, err := recognise(t, newScheme(t, k), key.token(good())); !errors.Is(err, bearer.ErrUnsigned) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestATokenWithoutKeyID(t *testing.T) {
	key := newSigner(t, "")
	named := key.public()
	named.KeyID = "k1"
	s := newScheme(t, newSigner(t, "k0").public(), named)
	if _, err := recognise(t, s, key.token(good())); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestKeyFiles(t *testing.T) {
	dir := t.TempDir()
	private := jose.JSONWebKey{Key: newSigner(t, "k1").key, KeyID: "k1"}
	writeKeys(t, filepath.Join(dir, "private"), private)
	writeKeys(t, filepath.Join(dir, "short"), jose.JSONWebKey{Key: []byte("guess"), KeyID: "k1"})
	for name, text := range map[string]string{"empty": "", "text": "x", "none": `{"keys":[]}`, "strange": `{"keys":[{"kty":"X"}]}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"missing": "no such file", "private": "is private", "short": "has 5 bytes", "empty": "Key Set", "text": "Key Set",
		"none": "no key", "strange": "no key"} {
		_, err := bearer.New(bearer.Settings{Issuer: "i", AnyAudience: true, Keys: filepath.Join(dir, name)}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestARequestThatEndsWhileKeysAreFetched(t *testing.T) {
	s, err := bearer.New(bearer.Settings{Issuer: "https://id.example", AnyAudience: true}, blocked{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Recognise(ctx, "Bearer "+newSigner(t, "k").token(good())); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkRecognise(b *testing.B) {
	key := newSigner(b, "k1")
	token := key.token(good())
	b.Run("first", func(b *testing.B) {
		s := newScheme(b, key.public())
		var values []string
		for i := range 12_000 {
			c := good()
			c["jti"] = i
			values = append(values, "Bearer "+key.token(c))
		}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, err := s.Recognise(b.Context(), values[i%len(values)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("remembered", func(b *testing.B) {
		s := newScheme(b, key.public())
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Recognise(b.Context(), "Bearer "+token); err != nil {
				b.Fatal(err)
			}
		}
	})
}
