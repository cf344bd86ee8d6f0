package validate

import "sync"

// Share returns what make gives for a key, which it calls once for an Input
// however many rules ask: an index over all routes is dear, and several rules
// want the same. The key is a value of a type of the caller's own.
func Share[T any](in *Input, key any, make func() T) T {
	once, ok := in.shared.Load(key)
	if !ok {
		once, _ = in.shared.LoadOrStore(key, sync.OnceValue(func() any { return make() }))
	}
	return once.(func() any)().(T)
}
