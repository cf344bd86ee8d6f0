package upgrade

import (
	"strings"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/source"
)

// stops are what keeps the new release from starting where the old one starts.
func (c *crossing) stops() []Item {
	item := func(danger Danger, text string, e *emit.StartError) Item {
		return Item{Danger: danger, Aspect: "start", Text: text + c.to.Mask(firstLine(e.Message)), Surprises: []string{}, At: placeOf(e.At), Fields: []change.Field{}}
	}
	errors := c.to.StartErrors()
	switch {
	case c.to.Starts() && c.from.Starts():
		return nil
	case c.to.Starts():
		return []Item{c.startsAgain()}
	case !c.from.Starts():
		return []Item{item(Note, "neither release starts with this: ", &errors[0])}
	}
	var items []Item
	for i := range errors {
		stop := item(Stops, "Ocelot "+c.to.Profile.Version+" does not start: ", &errors[i])
		stop.Surprises = c.stopSurprises(&errors[i])
		items = append(items, stop)
	}
	return items
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(line, "\r")
}

// stopSurprises are the numbers that explain why the new release does not start.
func (c *crossing) stopSurprises(e *emit.StartError) []string {
	found := []string{}
	add := func(number, release string, shows bool) {
		if shows && c.over(release) {
			found = append(found, number)
		}
	}
	typed := c.to.Config.Failure != nil && c.wasUnread(e.At)
	isTimeout := typed && strings.EqualFold(lastKey(c.to.Config.Failure.Path), "Timeout") && strings.Count(c.to.Config.Failure.Path, ":") == 1
	add("U08", "24.1.0", typed && !isTimeout)
	add("U09", "24.1.0", isTimeout)
	if e.Rule == "provider-missing" || strings.Contains(e.Ocelot, "QosDelegatingHandlerDelegate") {
		options := c.optionsAt(e.At)
		add("U18", "24.1.0", options.Timeout.V > 0 && options.MinimumThroughput.V <= 0)
		add("U19", "24.1.0", options.MinimumThroughput.V > 0 && options.Timeout.V <= 0)
		add("U30", "25.0.0", options.FailureRatio.V > 0 && options.MinimumThroughput.V <= 0 && options.Timeout.V <= 0)
	}
	add("U49", "23.2.0", c.b.SamePlaceholders() && strings.Contains(e.Ocelot, "same placeholders"))
	return found
}

func lastKey(path string) string { return path[strings.LastIndexByte(path, ':')+1:] }

// optionsAt returns the options of the first route whose QoS is active and whose
// section lies at a place, or of the first active one.
func (c *crossing) optionsAt(at source.Span) *normalize.Options {
	var first *normalize.Options
	files := c.to.Config.Files()
	for i := range c.to.Gateway.Routes {
		r := &c.to.Gateway.Routes[i]
		if r.Kind == normalize.Aggregate || !r.Active {
			continue
		}
		if first == nil {
			first = &r.Options
		}
		if span := files.Span(r.Section().Origin); span.File == at.File && span.Start <= at.Start && at.End <= span.End {
			return &r.Options
		}
	}
	if first == nil {
		return &normalize.Options{}
	}
	return first
}

// startsAgain says that the new release starts where the old one did not.
func (c *crossing) startsAgain() Item {
	reason := c.from.StartErrors()[0]
	item := Item{Danger: Other, Aspect: "start", Text: "Ocelot " + c.to.Profile.Version + " starts with this; " + c.from.Profile.Version +
		" does not: " + c.from.Mask(firstLine(reason.Message)), Surprises: []string{}, At: placeOf(reason.At), Fields: []change.Field{}}
	if x := c.from.Startup.Exception; x != nil && c.over("23.3.0") && strings.Contains(x.Thrower, "AllRoutesForAggregateExist") {
		item.Surprises = append(item.Surprises, "U50")
	}
	return item
}
