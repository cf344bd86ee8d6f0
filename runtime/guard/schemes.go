package guard

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/margay-dev/margay/runtime/guard/bearer"
)

// Schemes returns a scheme for each of the settings, by the same names. Issuers
// are asked through roundtrips; nil is http.DefaultTransport. The error has one
// line for each that cannot be used; the others are returned all the same.
func Schemes(settings map[string]bearer.Settings, roundtrips http.RoundTripper) (map[string]Scheme, error) {
	var errs []error
	out := make(map[string]Scheme, len(settings))
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		scheme, err := bearer.New(settings[name], roundtrips)
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
