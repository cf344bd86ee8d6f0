package upgrade

import (
	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/syntax"
)

// losses holds the edited gateway against today's.
func (k *keeping) losses(edited *emit.Result) []Loss {
	if k.from.Starts() && !edited.Starts() {
		reason := edited.StartErrors()[0]
		return []Loss{{Cause: DoesNotStart, Text: texts[DoesNotStart] + ": " + edited.Mask(firstLine(reason.Message)), At: placeOf(reason.At)}}
	}
	var all []Loss
	ids := k.ids()
	at, back := positions(k.from.Gateway, edited.Gateway), positions(edited.Gateway, k.from.Gateway)
	now := effectsOf(edited)
	for i := range k.today {
		if j := at[i]; j < 0 {
			all = append(all, k.loss(ids, edited, i, -1, NotThere))
		} else {
			for _, cause := range k.today[i].differences(now[j].moved(back)) {
				all = append(all, k.loss(ids, edited, i, j, k.scattered(i, cause)))
			}
		}
	}
	return append(all, k.otherLosses(edited)...)
}

// moved returns an effect with its partners as positions of another gateway, which
// are given by those of its own.
func (e *effect) moved(to []int) *effect {
	out := *e
	out.partners = nil
	for _, j := range e.partners {
		if i := to[j]; i >= 0 {
			out.partners = append(out.partners, i)
		}
	}
	return &out
}

// scattered returns the cause of a loss: where the options of the route could not
// be edited, that.
func (k *keeping) scattered(i int, cause Cause) Cause {
	route := &k.from.Gateway.Routes[i]
	if route.Kind != normalize.Static || k.today[i].fails || cause == CircuitsSplit {
		return cause
	}
	node := k.sectionOf(i)
	qos := k.to.Config.Tree.Find(node, "QoSOptions")
	isObject := qos != 0 && k.to.Config.Tree.Node(qos).Kind == syntax.Object
	if !k.editor.IsPlain(node) || isObject && !k.editor.IsPlain(qos) {
		return Scattered
	}
	return cause
}

func (k *keeping) loss(ids map[*normalize.Route]string, edited *emit.Result, i, j int, cause Cause) Loss {
	route := &k.from.Gateway.Routes[i]
	l := Loss{Route: ids[route], Cause: cause, Text: texts[cause]}
	if j >= 0 && route.Kind != normalize.Unlisted {
		l.At = placeOf(edited.Config.Files().Span(edited.Gateway.Routes[j].Section().Origin))
	}
	return l
}

// ids are the IDs of today's routes.
func (k *keeping) ids() map[*normalize.Route]string {
	effect := emit.Effect(k.from)
	ids := make(map[*normalize.Route]string, len(effect.Routes))
	for i, route := range effect.Routes {
		ids[route] = k.from.Mask(effect.Plan.Routes[i].ID)
	}
	return ids
}

// otherLosses are differences that are not about QoS.
func (k *keeping) otherLosses(edited *emit.Result) []Loss {
	var all []Loss
	add := func(route, text string, at *change.Place) {
		all = append(all, Loss{Route: route, Cause: OtherDifferences, Text: text, At: here(at)})
	}
	r := change.Compare(change.OfResult(k.from), change.OfResult(edited))
	for i := range r.Settings {
		add("", r.Settings[i].Text, r.Settings[i].At)
	}
	for i := range r.Routes {
		for n := range r.Routes[i].Changes {
			switch c := &r.Routes[i].Changes[n]; {
			case c.Aspect == "breaker", c.Aspect == "timeout", c.Aspect == "failure", r.Routes[i].Kind == change.Removed, r.Routes[i].Kind == change.Dropped:
			default:
				add(r.Routes[i].ID, c.Text, c.At)
			}
		}
	}
	return all
}
