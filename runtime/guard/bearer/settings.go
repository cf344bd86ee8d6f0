package bearer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// DefaultClockSkew is how far the clocks of issuer and gateway may be apart
// where nothing is set: that of TokenValidationParameters in .NET.
const DefaultClockSkew = 5 * time.Minute

// Settings say whose tokens a scheme takes. Issuer must be set, and Audiences
// or AnyAudience.
type Settings struct {
	// Issuer is the exact issuer of the tokens. Where no key file is named it is
	// an https URL (or http on the loopback) that is asked for its keys.
	Issuer string `json:"issuer"`
	// Audiences are those of which a token must name one.
	Audiences []string `json:"audiences"`
	// AnyAudience takes tokens for everybody.
	AnyAudience bool `json:"anyAudience"`
	// Keys is the path of a JSON Web Key Set; empty asks the issuer.
	Keys string `json:"keys"`
	// ClockSkew is in milliseconds; nil is [DefaultClockSkew].
	ClockSkew *int64 `json:"clockSkew"`
}

// ReadSettings reads the settings of every scheme, by its name, from JSON such
// as
//
//	{ "Bearer": { "issuer": "https://id.example", "audiences": ["api"] } }
//
// Paths of key files are taken from the folder dir. The error has one line for
// each scheme that is wrong; the others are returned all the same.
func ReadSettings(text []byte, dir string) (map[string]Settings, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf(`expected an object such as { "Bearer": { "issuer": "…", "audiences": ["…"] } }: %w`, plain(err))
	}
	out := make(map[string]Settings, len(raw))
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		s, err := readOne(raw[name])
		if err != nil {
			errs = append(errs, fmt.Errorf("scheme %q: %w", name, err))
			continue
		}
		if s.Keys != "" && !filepath.IsAbs(s.Keys) {
			s.Keys = filepath.Join(dir, s.Keys)
		}
		out[name] = s
	}
	return out, errors.Join(errs...)
}

func readOne(text []byte) (Settings, error) {
	var s Settings
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return s, plain(err)
	}
	return s, s.Validate()
}

// plain words an error of encoding/json for people who write no Go.
func plain(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field == "" {
			return fmt.Errorf("it is a value of type %s", wrong.Value)
		}
		return fmt.Errorf("%q is a value of type %s", wrong.Field, wrong.Value)
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("%s is no setting: there are issuer, audiences, anyAudience, keys and clockSkew", name)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// Validate returns the first thing that makes s no settings, or nil.
func (s *Settings) Validate() error {
	switch {
	case s.Issuer == "":
		return errors.New(`"issuer" is missing: name who signs the tokens`)
	case s.Keys == "" && !isSafe(s.Issuer, s.Issuer):
		return fmt.Errorf(`the issuer %q cannot be asked for its keys: give an https URL, or "keys" with a key file`, s.Issuer)
	case len(s.Audiences) == 0 && !s.AnyAudience:
		return errors.New(`"audiences" is missing: name those whom the tokens are for, or say "anyAudience": true`)
	case len(s.Audiences) > 0 && s.AnyAudience:
		return errors.New(`"audiences" and "anyAudience" exclude each other`)
	case slices.Contains(s.Audiences, ""):
		return errors.New(`"audiences" holds an empty text`)
	case s.ClockSkew != nil && (*s.ClockSkew < 0 || *s.ClockSkew > 3_600_000):
		return fmt.Errorf(`"clockSkew" is %d, expected 0 to 3600000 milliseconds`, *s.ClockSkew)
	}
	return nil
}

func (s *Settings) skew() time.Duration {
	if s.ClockSkew == nil {
		return DefaultClockSkew
	}
	return time.Duration(*s.ClockSkew) * time.Millisecond
}

// isSafe reports whether keys of an issuer may be fetched from an address:
// nobody on the way may be able to replace them. An issuer on another machine
// has no say about what a program on this one answers: only where the issuer
// itself is asked on the loopback without TLS may its keys be.
func isSafe(address, issuer string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return false
	}
	return u.Scheme == "https" || isPlainLoopback(u) && isPlainLoopbackURL(issuer)
}

func isPlainLoopbackURL(address string) bool {
	u, err := url.Parse(address)
	return err == nil && isPlainLoopback(u)
}

func isPlainLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}
