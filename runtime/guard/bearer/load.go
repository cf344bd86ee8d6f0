package bearer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// New returns a scheme. A key file is read at once, and again when a token
// names a key that is not in it; an issuer is asked with Refresh, or when the
// first token comes. Roundtrips fetches from issuers; nil is
// http.DefaultTransport.
func New(s Settings, roundtrips http.RoundTripper) (*Scheme, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	scheme := &Scheme{settings: s, algorithms: signatures(), recent: newRecent()}
	if s.Keys == "" {
		scheme.keys = &source{load: issuer{address: s.Issuer, client: client(s.Issuer, roundtrips)}.load}
		return scheme, nil
	}
	load := func(context.Context) (loaded, error) {
		keys, err := readFile(s.Keys)
		return loaded{keys: keys}, err
	}
	first, err := load(context.Background())
	if err != nil {
		return nil, err
	}
	scheme.algorithms = append(scheme.algorithms, secrets()...)
	scheme.keys = &source{load: load}
	scheme.keys.take(first)
	return scheme, nil
}

func readFile(path string) (*jose.JSONWebKeySet, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the keys: %w", err)
	}
	keys, err := parseKeys(text)
	if err != nil {
		return nil, fmt.Errorf("read the keys of %s: %w", path, err)
	}
	return keys, nil
}

// parseKeys reads a key set. Keys of kinds that are not known are left out;
// private ones are an error: a gateway needs none, and a file with one is a
// mistake that should not stay unnoticed.
func parseKeys(text []byte) (*jose.JSONWebKeySet, error) {
	var raw struct{ Keys []json.RawMessage }
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("expected a JSON Web Key Set: %w", err)
	}
	set := &jose.JSONWebKeySet{}
	for _, one := range raw.Keys {
		var k jose.JSONWebKey
		if err := k.UnmarshalJSON(one); err != nil {
			continue
		}
		secret, isSecret := k.Key.([]byte)
		switch {
		case isSecret && len(secret) < shortestSecret:
			return nil, fmt.Errorf("the secret %q has %d bytes, expected %d or more", k.KeyID, len(secret), shortestSecret)
		case !isSecret && !k.Valid():
			continue
		case !isSecret && !k.IsPublic():
			return nil, fmt.Errorf("the key %q is private: give the public part", k.KeyID)
		}
		set.Keys = append(set.Keys, k)
	}
	if len(set.Keys) == 0 {
		return nil, errNoKey
	}
	return set, nil
}

var errNoKey = errors.New("it holds no key that can be used")

// shortestSecret is what HS256 asks for (RFC 7518, section 3.2).
const shortestSecret = 32

// issuer asks an issuer where its keys are, and fetches them.
type issuer struct {
	address string
	client  *http.Client
}

func (i issuer) load(ctx context.Context) (loaded, error) {
	text, _, err := i.get(ctx, strings.TrimSuffix(i.address, "/")+"/.well-known/openid-configuration")
	if err != nil {
		return loaded{}, err
	}
	var says struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := json.Unmarshal(text, &says); err != nil {
		return loaded{}, fmt.Errorf("read the configuration of the issuer: %w", err)
	}
	if says.Issuer != i.address {
		return loaded{}, fmt.Errorf("the issuer calls itself %q", says.Issuer)
	}
	if !isSafe(says.Keys, i.address) {
		return loaded{}, fmt.Errorf("the issuer says that its keys are at %q, from where they may not come", says.Keys)
	}
	text, header, err := i.get(ctx, says.Keys)
	if err != nil {
		return loaded{}, err
	}
	keys, err := parseKeys(text)
	if err != nil {
		return loaded{}, fmt.Errorf("read the keys at %s: %w", says.Keys, err)
	}
	// What is published is no secret.
	if keys.Keys = withoutSecrets(keys.Keys); len(keys.Keys) == 0 {
		return loaded{}, fmt.Errorf("read the keys at %s: %w", says.Keys, errNoKey)
	}
	return loaded{keys: keys, lifetime: lifetime(header)}, nil
}

// lifetime is how long an answer says that it is fresh; zero if it does not.
func lifetime(header http.Header) time.Duration {
	for directive := range strings.SplitSeq(strings.Join(header["Cache-Control"], ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		if !strings.EqualFold(name, "max-age") {
			continue
		}
		n, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 32)
		if err == nil && n > 0 {
			return time.Duration(n) * time.Second
		}
	}
	return 0
}

func withoutSecrets(keys []jose.JSONWebKey) (out []jose.JSONWebKey) {
	for _, k := range keys {
		if _, secret := k.Key.([]byte); !secret {
			out = append(out, k)
		}
	}
	return out
}

// maxDocument bounds what is read from an issuer.
const maxDocument = 1 << 20

func (i issuer) get(ctx context.Context, address string) ([]byte, http.Header, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, nil, err
	}
	resp, err := i.client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("%s answers %s", address, resp.Status)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if err == nil && len(text) > maxDocument {
		err = fmt.Errorf("%s answers with more than %d bytes", address, maxDocument)
	}
	return text, resp.Header, err
}

// client follows redirects only to where keys of an issuer may come from.
func client(issuer string, roundtrips http.RoundTripper) *http.Client {
	return &http.Client{Transport: roundtrips, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if len(via) > 3 || !isSafe(req.URL.String(), issuer) {
			return fmt.Errorf("redirected to %s", req.URL.Redacted())
		}
		return nil
	}}
}
