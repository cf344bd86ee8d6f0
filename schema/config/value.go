// Package config says what an Ocelot configuration may hold: one Go type for
// each of Ocelot's File* classes, with every scalar knowing where it came from.
//
// It is filled by package schema and read by the stages after it; nobody
// changes it. Names of types and fields are Ocelot's.
package config

import "github.com/margay-dev/margay/schema/source"

// OriginKind says how a value came about.
type OriginKind uint8

// The kinds of origins.
const (
	// Unset marks a value that is not set: absent, null, or text that the
	// program reads as null.
	Unset OriginKind = iota
	// Explicit is written in a file, at the place of the origin.
	Explicit
	// Default is what the program assumes where nothing is written.
	Default
	// Derived is computed from the text at the place of the origin.
	Derived
	// Outside comes from an environment variable, a command line or code.
	Outside
)

// Origin is the place that decided a value: 12 bytes, so that every value can
// afford one. File is an index into Files of the configuration's tree; Start
// and End are offsets into that file's text.
type Origin struct {
	Start, End uint32
	File       uint16
	Kind       OriginKind
}

// IsSet says whether the origin is that of a value that is set.
func (o Origin) IsSet() bool { return o.Kind != Unset }

// Files resolves origins to places in texts.
type Files []*source.File

// Span returns the place of an origin; the zero Span where it has none.
func (f Files) Span(o Origin) source.Span {
	if (o.Kind != Explicit && o.Kind != Derived) || int(o.File) >= len(f) {
		return source.Span{}
	}
	return source.Span{File: f[o.File], Start: int(o.Start), End: int(o.End)}
}

// Value is a scalar and where it came from. The zero Value is not set.
type Value[T any] struct {
	V      T
	Origin Origin
}

// IsSet says whether the value is set; null and absent are not.
func (v Value[T]) IsSet() bool { return v.Origin.Kind != Unset }

// Or returns v if it is set, else other.
func (v Value[T]) Or(other Value[T]) Value[T] {
	if v.IsSet() {
		return v
	}
	return other
}

// Get returns the value and whether it is set.
func (v Value[T]) Get() (T, bool) { return v.V, v.IsSet() }

// List is a list or set of scalars. A nil List is null, which .NET tells apart
// from an empty one.
type List[T any] struct {
	Items  []Value[T]
	Origin Origin
}

// IsSet says whether the list is not null.
func (l *List[T]) IsSet() bool { return l != nil }

// Len returns how many items there are; 0 for a nil List.
func (l *List[T]) Len() int {
	if l == nil {
		return 0
	}
	return len(l.Items)
}

// All returns the items; nil for a nil List.
func (l *List[T]) All() []Value[T] {
	if l == nil {
		return nil
	}
	return l.Items
}

// Dict is a dictionary of strings in the order of .NET's configuration keys. A
// nil Dict is null or empty.
type Dict struct {
	Entries []Entry
	Origin  Origin
}

// Entry is one member of a Dict. Its value may be null: Value.IsSet is false.
type Entry struct {
	Key   Value[string]
	Value Value[string]
}

// All returns the entries; nil for a nil Dict.
func (d *Dict) All() []Entry {
	if d == nil {
		return nil
	}
	return d.Entries
}

// Get returns the value of the entry with exactly the given key.
func (d *Dict) Get(key string) (Value[string], bool) {
	for _, e := range d.All() {
		if e.Key.V == key {
			return e.Value, true
		}
	}
	return Value[string]{}, false
}
