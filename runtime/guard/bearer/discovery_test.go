package bearer_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/margay-dev/margay/runtime/guard/bearer"
)

// blocked never answers.
type blocked struct{}

func (blocked) RoundTrip(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, req.Context().Err()
}

// identity is an issuer on the loopback.
type identity struct {
	*httptest.Server
	fetches atomic.Int32
	mu      sync.Mutex
	keys    []jose.JSONWebKey
	says    func(url string) map[string]string
}

func newIdentity(t testing.TB, keys ...jose.JSONWebKey) *identity {
	t.Helper()
	i := &identity{keys: keys, says: func(url string) map[string]string {
		return map[string]string{"issuer": url, "jwks_uri": url + "/keys"}
	}}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(i.says(i.URL))
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		i.fetches.Add(1)
		i.mu.Lock()
		defer i.mu.Unlock()
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: i.keys})
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.Repeat(" ", 2<<20)))
	})
	mux.Handle("/away", http.RedirectHandler("http://id.example/keys", http.StatusFound))
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func (i *identity) scheme(t testing.TB) *bearer.Scheme {
	t.Helper()
	s, err := bearer.New(bearer.Settings{Issuer: i.URL, Audiences: []string{"api"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// cutOff reaches nobody. A server that was closed might be another one's by now.
type cutOff struct{}

var errCutOff = errors.New("connection refused")

func (cutOff) RoundTrip(*http.Request) (*http.Response, error) { return nil, errCutOff }

// schemeThatIsCutOff cannot ask the issuer.
func (i *identity) schemeThatIsCutOff(t testing.TB, audience string) *bearer.Scheme {
	t.Helper()
	s, err := bearer.New(bearer.Settings{Issuer: i.URL, Audiences: []string{audience}}, cutOff{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (i *identity) good() map[string]any {
	c := good()
	c["iss"] = i.URL
	return c
}

func TestDiscovery(t *testing.T) {
	key := newSigner(t, "k1")
	i := newIdentity(t, key.public())
	s := i.scheme(t)
	token := key.token(i.good())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := recognise(t, s, token); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := i.fetches.Load(); n != 1 {
		t.Errorf("got %d fetches, want 1", n)
	}
}

// Tokens with key ids that do not exist must not make the gateway ask its
// issuer again and again.
func TestUnknownKeyIDsDoNotFlood(t *testing.T) {
	key := newSigner(t, "k1")
	i := newIdentity(t, key.public())
	s := i.scheme(t)
	for range 20 {
		if _, err := recognise(t, s, newSigner(t, "none").token(i.good())); !errors.Is(err, bearer.ErrUnsigned) {
			t.Fatalf("got %v", err)
		}
	}
	if n := i.fetches.Load(); n != 1 {
		t.Errorf("got %d fetches, want 1", n)
	}
}

func TestDistrustsIssuers(t *testing.T) {
	key := newSigner(t, "k1")
	secret := &signer{t: t, algorithm: jose.HS256, id: "h1", key: []byte(strings.Repeat("s", 32))}
	for name, tt := range map[string]struct {
		says func(url string) map[string]string
		key  *signer
		want error
	}{
		"another name": {func(url string) map[string]string { return map[string]string{"issuer": "x", "jwks_uri": url + "/keys"} }, key, bearer.ErrNoKeys},
		"keys without TLS": {func(url string) map[string]string {
			return map[string]string{"issuer": url, "jwks_uri": "http://id.example/keys"}
		}, key, bearer.ErrNoKeys},
		"no keys": {func(url string) map[string]string { return map[string]string{"issuer": url} }, key, bearer.ErrNoKeys},
		"no page": {func(url string) map[string]string { return map[string]string{"issuer": url, "jwks_uri": url + "/none"} }, key, bearer.ErrNoKeys},
		"a flood": {func(url string) map[string]string {
			return map[string]string{"issuer": url, "jwks_uri": url + "/large"}
		}, key, bearer.ErrNoKeys},
		"a redirect away":    {func(url string) map[string]string { return map[string]string{"issuer": url, "jwks_uri": url + "/away"} }, key, bearer.ErrNoKeys},
		"a published secret": {nil, secret, bearer.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			i := newIdentity(t, key.public(), secret.public())
			if tt.says != nil {
				i.says = tt.says
			}
			s := i.scheme(t)
			if _, err := recognise(t, s, tt.key.token(i.good())); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if k := s.Keys(); (k.Err != nil) != (tt.want == bearer.ErrNoKeys) {
				t.Errorf("the cause: got %+v", k)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	skew := int64(-1)
	for want, s := range map[string]bearer.Settings{
		`"issuer" is missing`:    {},
		"cannot be asked":        {Issuer: "http://id.example", Audiences: []string{"a"}},
		`"audiences" is missing`: {Issuer: "https://id.example"},
		"exclude each other":     {Issuer: "https://id.example", Audiences: []string{"a"}, AnyAudience: true},
		"an empty text":          {Issuer: "https://id.example", Audiences: []string{""}},
		"clockSkew":              {Issuer: "https://id.example", AnyAudience: true, ClockSkew: &skew},
	} {
		if _, err := bearer.New(s, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %s", s, err, want)
		}
	}
	got, err := bearer.ReadSettings([]byte(`{"A":{"issuer":"https://id.example","audiences":["x"]},"B":{"issuer":"x"},"C":{"isuer":""},"D":5}`), "")
	if len(got) != 1 || err == nil || strings.Count(err.Error(), "scheme ") != 3 || !strings.Contains(err.Error(), `"isuer" is no setting`) || !strings.Contains(err.Error(), "type number") {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := bearer.ReadSettings([]byte("[]"), ""); err == nil || !strings.Contains(err.Error(), "expected an object") {
		t.Errorf("got %v", err)
	}
}

// A token does not outlive the key that signed it.
func TestRememberedTokensGoWithTheirKey(t *testing.T) {
	key, next := newSigner(t, "k1"), newSigner(t, "k2")
	dir := t.TempDir()
	path := filepath.Join(dir, "keys.json")
	writeKeys(t, path, key.public())
	s, err := bearer.New(bearer.Settings{Issuer: issuerName, Audiences: []string{"api"}, Keys: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	token := key.token(good())
	if _, err := recognise(t, s, token); err != nil {
		t.Fatal(err)
	}
	writeKeys(t, path, next.public())
	if _, err := recognise(t, s, next.token(good())); err != nil {
		t.Errorf("the new key: got %v", err)
	}
	if _, err := recognise(t, s, token); !errors.Is(err, bearer.ErrUnsigned) {
		t.Errorf("the key that is gone: got %v", err)
	}
}

// A reload while the issuer is down must not lock everybody out.
func TestKeysOutliveAReload(t *testing.T) {
	key := newSigner(t, "k1")
	i := newIdentity(t, key.public())
	before := i.scheme(t)
	token := key.token(i.good())
	if _, err := recognise(t, before, token); err != nil {
		t.Fatal(err)
	}
	next, other := i.schemeThatIsCutOff(t, "api"), i.schemeThatIsCutOff(t, "another")
	if _, err := recognise(t, next.After(before), token); err != nil {
		t.Errorf("the same settings: got %v", err)
	}
	if _, err := recognise(t, other.After(before), token); !errors.Is(err, bearer.ErrAudience) {
		t.Errorf("another audience: got %v, want the keys and not the tokens of before", err)
	}
	if _, err := recognise(t, next, token); !errors.Is(err, bearer.ErrNoKeys) || !errors.Is(err, errCutOff) {
		t.Errorf("without the keys of before: got %v", err)
	}
}
