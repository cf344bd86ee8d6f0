package emit

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
)

// derived is one line of the derivation.
type derived struct{ option, value, because string }

// derivation writes every option with its value and the reason.
func (e *explanation) derivation() {
	rows := []derived{{"option", "value", "because"}}
	rows = append(rows, e.options()...)
	rows = append(rows, e.outer())
	names, values := 0, 0
	for _, r := range rows {
		names, values = max(names, wide(r.option)), max(values, wide(r.value))
	}
	for i, r := range rows {
		first := "  " + pad(r.option, names) + "  " + pad(r.value, values) + "  "
		if i == 0 {
			e.b.WriteString(e.view.bold(strings.TrimRight(first+r.because, " ")) + "\n")
			continue
		}
		paragraph(&e.b, first, strings.Repeat(" ", wide(first)), r.because, e.view.width())
	}
	e.group()
}

func (e *explanation) options() []derived {
	o, b := &e.route.Options, &e.route.Breaker
	rows := []derived{
		e.option(normalize.MinimumThroughput, toReal(o.MinimumThroughput.Value), toReal(b.MinimumThroughput)),
		e.option(normalize.BreakDuration, toReal(o.BreakDuration.Value), toReal(b.BreakDuration)),
	}
	if e.Profile.Facts().Inherits || b.FailureRatio.IsSet() {
		rows = append(rows,
			e.option(normalize.FailureRatio, o.FailureRatio.Value, b.FailureRatio),
			e.option(normalize.SamplingDuration, toReal(o.SamplingDuration.Value), toReal(b.SamplingDuration)))
	}
	return append(rows, e.option(normalize.Timeout, toReal(o.Timeout.Value), toReal(e.route.AttemptTimeout)))
}

func toReal(v config.Value[int32]) config.Value[float64] {
	return config.Value[float64]{V: float64(v.V), Origin: v.Origin}
}

// option explains one option: where it is decided, what it beats, and what the
// provider makes of it.
func (e *explanation) option(option normalize.Option, merged, effective config.Value[float64]) derived {
	d := derived{option: e.names().of(option), value: none}
	switch {
	case effective.IsSet():
		d.value = numeral(effective.V)
	case merged.IsSet():
		d.value = numeral(merged.V)
	}
	switch {
	case !merged.IsSet():
		d.because = e.unset(option, effective)
		return d
	case merged.Origin.Kind == config.Default:
		d.because = e.byDefault(option, merged, effective)
		return d
	}
	d.because = e.decidedBy(option)
	if e.refuses(option) {
		d.because += "; Polly does not take it"
	}
	for _, s := range e.route.Substitutions() {
		if s.Option == option {
			d.because += "; " + substitution(s)
		}
	}
	return d
}

// byDefault explains an option that is written nowhere in a program where it
// has a number all the same.
func (e *explanation) byDefault(option normalize.Option, merged, effective config.Value[float64]) string {
	text := fmt.Sprintf("not set → %s, the default of Ocelot %s", numeral(merged.V), e.Profile.Number())
	switch {
	case e.refuses(option):
		return text + "; Polly does not take it"
	case effective.IsSet() && effective.V != merged.V:
		return text + fmt.Sprintf("; it is not accepted, %s counts instead", numeral(effective.V))
	case merged.V == 0 && option == normalize.Timeout:
		return text + ": no attempt timeout"
	case merged.V == 0:
		return text + ": no breaker"
	}
	return text
}

// refuses says whether Polly throws over the option.
func (e *explanation) refuses(option normalize.Option) bool {
	return refused(e.route) && slices.ContainsFunc(e.route.Failure().Refused, func(o normalize.Refused) bool { return o.Option == option })
}

// unset explains an option that is written nowhere.
func (e *explanation) unset(option normalize.Option, effective config.Value[float64]) string {
	nowhere := "not set anywhere"
	if e.route.Excluded {
		nowhere = "not set on the route"
	}
	if effective.IsSet() {
		if !e.Profile.Facts().Inherits {
			return "fixed in Ocelot " + e.Profile.Number()
		}
		return nowhere + " → the default of the provider"
	}
	switch {
	case option == normalize.Timeout:
		return nowhere + " → no attempt timeout"
	case e.route.Breaker.Kind == normalize.Expression:
		return nowhere
	case e.route.Breaker.Kind == normalize.NoBreaker:
		return nowhere + " → no breaker needs it"
	case option == normalize.FailureRatio:
		return nowhere + " → failures are counted in a row"
	}
	return nowhere + " → not needed where failures are counted in a row"
}

// decidedBy names the place of an option and the places that it beats.
func (e *explanation) decidedBy(option normalize.Option) string {
	candidates := e.route.Candidates(option)
	if len(candidates) == 0 {
		return "set outside of the files"
	}
	text := e.where(option, candidates[0])
	for _, c := range candidates[1:] {
		text += fmt.Sprintf("; beats %s in the %s", numeral(c.Value.V), e.where(option, c))
	}
	return text
}

// where names a place: "global QoSOptions, line 52".
func (e *explanation) where(option normalize.Option, c normalize.Candidate) string {
	section := "route"
	if c.Place == normalize.GlobalNew || c.Place == normalize.GlobalDeprecated {
		section = "global"
	}
	switch {
	case option < normalize.RouteTimeout:
		section += " QoSOptions"
	case section == "global":
		section = "GlobalConfiguration"
	}
	text := section + ", " + e.lineWords(c.Value.Origin)
	if e.Profile.KnowsNewNames() && (c.Place == normalize.RouteDeprecated || c.Place == normalize.GlobalDeprecated) {
		text += " under its deprecated name " + writtenName(option, c.Place)
	}
	return text
}

func (e *explanation) lineWords(o config.Origin) string {
	s := e.span(o)
	if s.IsZero() {
		return "from outside of the files"
	}
	text := fmt.Sprintf("line %d", s.Position().Line)
	if len(e.Loaded.Texts) > 1 {
		text += " of " + filepath.Base(s.File.Name)
	}
	return text
}

// substitution words what became of a written value.
func substitution(s normalize.Substitution) string {
	written := numeral(s.Written.V)
	switch s.Why {
	case normalize.OutOfRange:
		return fmt.Sprintf("%s is not accepted, %s counts instead", written, numeral(s.Effective.V))
	case normalize.TooLow:
		return fmt.Sprintf("%s is below 2, %s counts instead", written, numeral(s.Effective.V))
	case normalize.OneBreakerOff:
		return "1 is not accepted: no breaker"
	case normalize.BreakerOff:
		if s.Option == normalize.MinimumThroughput {
			return "0 or less: no breaker"
		}
		return "no effect: the breaker is off"
	case normalize.TimeoutOff:
		if s.Written.V > 0 {
			return "means no attempt timeout"
		}
		return "0 or less: no attempt timeout"
	case normalize.CountMode:
		return "no effect: failures are counted in a row"
	case normalize.Inactive:
		return "no effect: QoS is not active"
	case normalize.Doubled:
		return fmt.Sprintf("%s is not longer than the attempt timeout, so twice that counts", duration(int64(s.Written.V)))
	case normalize.Overflow:
		return fmt.Sprintf("%s does not fit into 32 bits", duration(int64(s.Written.V)))
	}
	return ""
}

// group says whether a global section with RouteKeys reaches the route.
func (e *explanation) group() {
	section := e.Config.Global.QoSOptions
	if section == nil || section.RouteKeys.Len() == 0 {
		return
	}
	at := e.lineWords(section.RouteKeys.Origin)
	base := e.route.Base()
	switch {
	case e.route.Excluded && base == nil:
		e.write("  ", "RouteKeys of the global QoSOptions ("+at+") keep the section from services that are not listed")
	case e.route.Excluded && !base.Key.IsSet():
		e.write("  ", "the global QoSOptions do not reach the route: they name RouteKeys ("+at+"), and it has no Key")
	case e.route.Excluded:
		e.write("  ", fmt.Sprintf("the global QoSOptions do not reach the route: their RouteKeys (%s) do not contain %q", at, base.Key.V))
	case base != nil && base.Key.IsSet():
		e.write("  ", fmt.Sprintf("the global QoSOptions reach the route: their RouteKeys (%s) contain %q", at, base.Key.V))
	}
}
