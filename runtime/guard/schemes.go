package guard

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"

	"github.com/margay-dev/margay/runtime/guard/bearer"
)

// ReadSchemes returns the schemes that a text names, in the form that
// [bearer.ReadSettings] reads. Key files are looked for from the folder dir, and
// issuers are asked through roundtrips; nil is http.DefaultTransport. The error
// has one line for each scheme that cannot be used; the others are returned
// all the same.
func ReadSchemes(text []byte, dir string, roundtrips http.RoundTripper) (map[string]Scheme, error) {
	settings, err := bearer.ReadSettings(text)
	errs := []error{err}
	out := make(map[string]Scheme, len(settings))
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		s := settings[name]
		if s.Keys != "" && !filepath.IsAbs(s.Keys) {
			s.Keys = filepath.Join(dir, s.Keys)
		}
		scheme, err := bearer.New(s, roundtrips)
		if err != nil {
			errs = append(errs, fmt.Errorf("scheme %q: %w", name, err))
			continue
		}
		out[name] = scheme
	}
	return out, errors.Join(errs...)
}

// Problems returns what went wrong when the keys of schemes were last fetched,
// by the names of the schemes; empty if nothing did. Clients of such a scheme
// are recognised by the keys that were there before, if any.
func (s *Set) Problems() map[string]error {
	out := map[string]error{}
	for name, scheme := range s.options.Schemes {
		if k, ok := scheme.(interface{ KeysError() error }); ok {
			if err := k.KeysError(); err != nil {
				out[name] = err
			}
		}
	}
	return out
}
