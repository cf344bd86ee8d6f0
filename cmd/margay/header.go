package main

// header is the first line of a report: what was read, how, and whose answer
// it is.
func (g *gateway) header() string {
	what := g.Input.Plan.Assumption
	if what == "" {
		what = g.Input.Name
	}
	from := g.origin
	if from == "" && g.Profile.Documented() {
		from = "say --ocelot VERSION for yours"
	}
	line := what + " · " + g.Profile.String()
	if from != "" {
		line += " (" + from + ")"
	}
	return line
}
