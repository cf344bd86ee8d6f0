package main

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// idp is an identity provider that can be away. Its port is its own all the
// time: while it is away it hangs up on everybody.
type idp struct {
	t    *testing.T
	addr string
	key  ed25519.PrivateKey
	here atomic.Bool
}

func newIDP(t *testing.T) *idp {
	i := &idp{t: t, key: ed25519.NewKeyFromSeed([]byte(strings.Repeat("s", ed25519.SeedSize)))}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.url(), "jwks_uri": i.url() + "/keys"})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: "k1", Use: "sig"}}})
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !i.here.Load() {
			panic(http.ErrAbortHandler)
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	i.addr = server.Listener.Addr().String()
	return i
}

func (i *idp) url() string { return "http://" + i.addr }

func (i *idp) token() string {
	i.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: jose.JSONWebKey{Key: i.key, KeyID: "k1"}}, nil)
	if err != nil {
		i.t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(map[string]any{"iss": i.url(), "aud": "api", "exp": time.Now().Add(time.Hour).Unix()}).Serialize()
	if err != nil {
		i.t.Fatal(err)
	}
	return text
}

// TestAnIssuerThatComesAndGoes starts a gateway without its issuer, which is
// found when it is there and not missed when it is gone again.
func TestAnIssuerThatComesAndGoes(t *testing.T) {
	dir, issuer := t.TempDir(), newIDP(t)
	gateway := `{ "Routes": [{ "UpstreamPathTemplate": "/a", "DownstreamPathTemplate": "/a", "DownstreamScheme": "http",
  "DownstreamHostAndPorts": [{ "Host": "a.svc", "Port": 80 }], "AuthenticationOptions": { "AuthenticationProviderKeys": ["Bearer"] } }] }`
	auth := fmt.Sprintf(`{ "Bearer": { "issuer": %q, "audiences": ["api"] } }`, issuer.url())
	for name, text := range map[string]string{"ocelot.json": gateway, "auth.json": auth} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	backend := running(t, dir, "demo", "--listen", "127.0.0.1:0")
	p := running(t, dir, "serve", "--listen", "127.0.0.1:0", "--admin", "off", "--auth", "auth.json", "--backend", "*="+backend.listen, "ocelot.json")
	ask := func() int {
		req, _ := http.NewRequest("GET", "http://"+p.listen+"/a", nil)
		req.Header.Set("Authorization", "Bearer "+issuer.token())
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	eventually(t, "the log tells of the missing keys", func() bool { return strings.Contains(p.said(), `msg="keys of an issuer cannot be fetched"`) })
	if got := ask(); got != http.StatusUnauthorized {
		t.Errorf("without keys: got %d", got)
	}
	issuer.here.Store(true)
	eventually(t, "the log tells that they came", func() bool { return strings.Contains(p.said(), `msg="keys of an issuer are fetched again"`) })
	if got := ask(); got != http.StatusOK {
		t.Errorf("with keys: got %d", got)
	}
	issuer.here.Store(false)
	if got := ask(); got != http.StatusOK {
		t.Errorf("when the issuer is gone again: got %d", got)
	}
	// Another audience is another scheme of the same issuer: it has the keys.
	if err := os.WriteFile(filepath.Join(dir, "auth.json"), []byte(strings.Replace(auth, `"api"`, `"api", "web"`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is reloaded", func() bool { return strings.Contains(p.said(), "msg=reloaded") })
	if got := ask(); got != http.StatusOK {
		t.Errorf("after a reload without the issuer: got %d", got)
	}
}
