package guard_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/guard/bearer"
	"github.com/margay-dev/margay/runtime/guard/guardtest"
	"github.com/margay-dev/margay/runtime/plan"
)

// A key file and a settings file are all that a gateway needs to recognise the
// clients of an Ocelot application.
func TestSchemesOfAFile(t *testing.T) {
	dir := t.TempDir()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k1"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "keys.json"), keys, 0o600); err != nil {
		t.Fatal(err)
	}
	settings, err := bearer.ReadSettings([]byte(`{"Bearer":{"issuer":"https://id.example","audiences":["api"],"keys":"keys.json"}}`), dir)
	if err != nil {
		t.Fatal(err)
	}
	schemes, err := guard.Schemes(settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := start(t, guard.Options{Schemes: schemes}, nil,
		plan.Route{Authentication: known("Bearer"), Claims: &plan.Claims{Required: []plan.ClaimRequirement{{Type: "role", Value: "admin"}}}})
	sign, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: private}, (&jose.SignerOptions{}).WithHeader("kid", "k1"))
	if err != nil {
		t.Fatal(err)
	}
	token := func(role string) string {
		text, err := jwt.Signed(sign).Claims(map[string]any{"iss": "https://id.example", "aud": "api", "sub": "u1", "role": role,
			"exp": time.Now().Add(time.Hour).Unix()}).Serialize()
		if err != nil {
			t.Fatal(err)
		}
		return "Authorization: Bearer " + text
	}
	g.expect("/r0/1", 200, "", token("admin"))
	g.expect("/r0/1", 403, "", token("user"))
	g.expect("/r0/1", 401, "", token("admin")+"x")
	g.expect("/r0/1", 401, "")
}

func TestSchemesThatCannotBeUsed(t *testing.T) {
	schemes, err := guard.Schemes(map[string]bearer.Settings{
		"A": {Issuer: "https://id.example", AnyAudience: true},
		"B": {Issuer: "x", AnyAudience: true, Keys: "none.json"},
		"C": {}}, nil)
	if len(schemes) != 1 || schemes["A"] == nil || err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("got %v, %v", schemes, err)
	}
}

func TestOtherSchemesCountTogether(t *testing.T) {
	issuer := map[string]bearer.Settings{"A": {Issuer: "https://id.example", AnyAudience: true}}
	first, err := guard.Schemes(issuer, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := guard.Schemes(issuer, nil)
	if err != nil {
		t.Fatal(err)
	}
	second["B"] = guardtest.Words("B")
	set := guard.New(guard.Options{Schemes: first}).With(second)
	for scheme, want := range map[string]int{"A": 0, "B": 0, "C": 1} {
		_, missing, err := set.Guards(&plan.Plan{}, &plan.Route{Authentication: known(scheme)})
		if err != nil || len(missing) != want {
			t.Errorf("%s: got %v, %v", scheme, missing, err)
		}
	}
	if k := set.Keys(); len(k) != 1 || k[0].Name != "A" || k[0].Issuer != "https://id.example" || k[0].Count != 0 || k[0].Err != nil {
		t.Errorf("got %+v", k)
	}
}

// unreachable is a network without a way to anybody.
type unreachable struct{}

func (unreachable) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("no route to host")
}

func TestKeysAreFetchedBeforeAnybodyComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		schemes, err := guard.Schemes(map[string]bearer.Settings{"A": {Issuer: "https://id.example", AnyAudience: true}}, unreachable{})
		if err != nil {
			t.Fatal(err)
		}
		schemes["B"] = guardtest.Words("B")
		set := guard.New(guard.Options{Schemes: schemes})
		set.RefreshKeys()
		synctest.Wait()
		if k := set.Keys(); len(k) != 1 || k[0].Err == nil || k[0].Failures != 1 || !strings.Contains(k[0].Err.Error(), "no route to host") {
			t.Errorf("got %+v", k)
		}
	})
}
