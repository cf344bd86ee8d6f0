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

// SchemeKeys are the keys of one scheme.
type SchemeKeys struct {
	// Name is that of the scheme.
	Name string
	bearer.Keys
}

// Keys returns what is known of the keys of all schemes, in the order of their
// names. Schemes of other kinds than [bearer.Scheme] have none.
func (s *Set) Keys() []SchemeKeys {
	var out []SchemeKeys
	for _, name := range slices.Sorted(maps.Keys(s.options.Schemes)) {
		if scheme, ok := s.options.Schemes[name].(*bearer.Scheme); ok {
			out = append(out, SchemeKeys{Name: name, Keys: scheme.Keys()})
		}
	}
	return out
}

// RefreshKeys begins to fetch keys of issuers that are missing or soon too old,
// and waits for none. Call it at the start and now and then afterwards: clients
// are then recognised from their first token on, and without waiting.
func (s *Set) RefreshKeys() {
	for _, scheme := range s.options.Schemes {
		if b, ok := scheme.(*bearer.Scheme); ok {
			b.Refresh()
		}
	}
}
