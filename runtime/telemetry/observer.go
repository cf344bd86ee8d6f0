package telemetry

import (
	"context"
	"slices"
)

// Nop is an Observer that does nothing.
type Nop struct{}

// Observe does nothing.
func (Nop) Observe(context.Context, Event) {}

// IsNop reports whether nobody listens: o is nil or a [Nop]. An emitter asks
// once, when it is built, and then spares itself reading the clock.
func IsNop(o Observer) bool {
	if o == nil {
		return true
	}
	_, nop := o.(Nop)
	return nop
}

// Multi returns an Observer that passes every event to each of observers, in
// their order. Those that are nil or Nop are left out; with none left the
// result is a Nop, with one left it is that one.
func Multi(observers ...Observer) Observer {
	var all multi
	for _, o := range observers {
		if inner, ok := o.(multi); ok {
			all = append(all, inner...)
			continue
		}
		if !IsNop(o) {
			all = append(all, o)
		}
	}
	switch len(all) {
	case 0:
		return Nop{}
	case 1:
		return all[0]
	}
	return slices.Clip(all)
}

type multi []Observer

func (m multi) Observe(ctx context.Context, e Event) {
	for _, o := range m {
		o.Observe(ctx, e)
	}
}

// RouteObserver is an Observer that can look up once what it knows of a route,
// for those who report about one route again and again.
type RouteObserver interface {
	Observer
	// ForRoute returns an Observer for events whose Route is route.
	ForRoute(route string) Observer
}

// ForRoute returns an Observer that does what o does, for events of one route: o
// itself where it is no [RouteObserver]. A [Multi] and a [Safe] observer pass the
// question on.
func ForRoute(o Observer, route string) Observer {
	switch o := o.(type) {
	case multi:
		all := make(multi, len(o))
		for i, one := range o {
			all[i] = ForRoute(one, route)
		}
		return all
	case *guard:
		return o.forRoute(route)
	case RouteObserver:
		return o.ForRoute(route)
	}
	return o
}

// Safe returns an Observer that passes events to o and survives its panics: a
// panic is handed to onPanic, with the event that caused it, and goes no
// further. A nil onPanic drops it; a panic of onPanic itself is dropped too.
// Where o is a [Multi], each of its observers is guarded on its own, so that
// one that panics costs the others nothing.
//
// runtime.Goexit can't be held back: an observer must not call it (in a test:
// no t.Fatal in an observer). For a nil o and a Nop it returns a Nop.
func Safe(o Observer, onPanic func(e Event, recovered any)) Observer {
	if IsNop(o) {
		return Nop{}
	}
	if isSafe(o) {
		return o
	}
	if onPanic == nil {
		onPanic = func(Event, any) {}
	}
	all, ok := o.(multi)
	if !ok {
		return &guard{observer: o, onPanic: onPanic}
	}
	guarded := make(multi, len(all))
	for i, o := range all {
		guarded[i] = &guard{observer: o, onPanic: onPanic}
	}
	return guarded
}

// isSafe says whether no panic comes out of an observer, so that another guard
// would have nothing to do.
func isSafe(o Observer) bool {
	if all, ok := o.(multi); ok {
		return !slices.ContainsFunc(all, func(o Observer) bool { return !isSafe(o) })
	}
	_, ok := o.(*guard)
	return ok
}

type guard struct {
	observer Observer
	onPanic  func(Event, any)
}

func (g *guard) Observe(ctx context.Context, e Event) {
	defer func() {
		if r := recover(); r != nil {
			g.report(e, r)
		}
	}()
	g.observer.Observe(ctx, e)
}

// forRoute survives a panic as Observe does, and then stays what it is.
func (g *guard) forRoute(route string) (o Observer) {
	inner, ok := g.observer.(RouteObserver)
	if !ok {
		return g
	}
	defer func() {
		if r := recover(); r != nil {
			g.report(Event{Route: route}, r)
			o = g
		}
	}()
	return &guard{observer: inner.ForRoute(route), onPanic: g.onPanic}
}

func (g *guard) report(e Event, recovered any) {
	defer func() { _ = recover() }()
	g.onPanic(e, recovered)
}
