package normalize

import "github.com/margay-dev/margay/schema/config"

// Place is one of the names and sections where an option may be written.
type Place uint8

// The places of an option. An option without a deprecated name stands in
// RouteNew and GlobalNew only, as do both timeouts in seconds.
const (
	Nowhere Place = iota
	RouteDeprecated
	GlobalDeprecated
	RouteNew
	GlobalNew
)

// Places is a set of Place.
type Places uint8

// Has says whether the place is in the set.
func (s Places) Has(p Place) bool { return s&(1<<p) != 0 }

// Decision is a value and how it was decided.
type Decision[T any] struct {
	config.Value[T]
	// From is the place that won; Nowhere for a default or an unset value.
	From Place
	// Beat holds the other places where the option is set.
	Beat Places
}

// places are the values of one option by Place; nil where a section is missing.
type places[T any] [GlobalNew + 1]*config.Value[T]

// decide picks the first set value in order.
func decide[T any](at *places[T], order *[GlobalNew]Place) Decision[T] {
	var d Decision[T]
	for _, place := range order {
		v := at[place]
		switch {
		case v == nil || !v.IsSet():
		case d.From == Nowhere:
			d.Value, d.From = *v, place
		default:
			d.Beat |= 1 << place
		}
	}
	return d
}
