package schema

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/convert"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// advise says what to write in place of a text that does not convert, and
// offers the edit. The edit is not a safe one: it brings back what Ocelot
// drops now.
func (c *checker) advise(d *diag.Diagnostic, at *place, text string) {
	fixed, ok := meant(at.shape, text)
	if !ok {
		d.Help = "write " + at.shape.wanted()
		if at.shape.unit != "" {
			d.Help += " of " + at.shape.unit
		}
		return
	}
	d.Help = "write " + fixed
	if at.shape.unit != "" {
		d.Help += " (" + at.shape.unit + ")"
	}
	d.Fix = &diag.Fix{
		Title:  fmt.Sprintf("write %s, which Ocelot then reads", fixed),
		Edits:  []diag.Edit{{Span: d.Span, NewText: fixed}},
		Unsafe: true,
	}
}

// adviseScalar says what to write in place of an object or array where a scalar
// belongs. What is meant by a list of one value is that value.
func (c *checker) adviseScalar(d *diag.Diagnostic, at *place) {
	d.Help = "write " + at.shape.wanted()
	if c.tree.Node(at.id).Kind != syntax.Array {
		return
	}
	var values []syntax.ID
	for id := range c.tree.Children(at.id) {
		values = append(values, id)
	}
	switch {
	case len(values) == 1 && at.shape.isText() && c.tree.Node(values[0]).Kind == syntax.String:
		value := quote(c.tree.Text(values[0]))
		d.Help = "write " + value
		d.Fix = &diag.Fix{
			Title:  fmt.Sprintf("write %s, which Ocelot then reads", value),
			Edits:  []diag.Edit{{Span: c.tree.Span(at.id), NewText: value}},
			Unsafe: true,
		}
	case len(values) > 1 && at.parent.name == "RouteClaimsRequirement":
		d.Help = "write one of them: Ocelot compares a claim with one text, so several take a policy in code"
	}
}

// meant returns the value that a text of another form most likely stands for.
func meant(s *shape, text string) (string, bool) {
	switch strings.TrimPrefix(s.format, "optional-") {
	case "int32", "int64":
		return meantNumber(s, text, true)
	case "double":
		return meantNumber(s, text, false)
	case "boolean":
		return meantBool(text)
	}
	for _, word := range s.enum {
		if strings.EqualFold(strings.TrimSpace(text), word) {
			return `"` + word + `"`, true
		}
	}
	return "", false
}

func meantBool(text string) (string, bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1", "yes", "y", "on", "enabled":
		return "true", true
	case "0", "no", "n", "off", "disabled":
		return "false", true
	}
	return "", false
}

// meantNumber reads durations with a unit, numbers with separators and whole
// numbers that are written as fractions.
func meantNumber(s *shape, text string, whole bool) (string, bool) {
	value, ok := duration(text, s.unit)
	switch {
	case ok:
	case whole:
		value, ok = convert.Double(ungrouped(strings.TrimSpace(text)))
	default:
		value, ok = ratio(text)
	}
	if !ok || math.IsNaN(value) || math.IsInf(value, 0) || whole && value != math.Trunc(value) {
		return "", false
	}
	if whole {
		if math.Abs(value) > math.MaxInt32 && !strings.HasSuffix(s.format, "int64") || math.Abs(value) > 1<<53 {
			return "", false
		}
		return strconv.FormatInt(int64(value), 10), true
	}
	return strconv.FormatFloat(value, 'f', -1, 64), true
}

var grouped = regexp.MustCompile(`^-?[0-9]{1,3}(?:[,_' ][0-9]{3})+$`)

// ungrouped removes what separates groups of three digits.
func ungrouped(text string) string {
	if !grouped.MatchString(text) {
		return text
	}
	return strings.NewReplacer(",", "", "_", "", "'", "", " ", "").Replace(text)
}

// ratio reads percentages and decimal commas.
func ratio(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	scale := 1.0
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		text, scale = strings.TrimSpace(percent), 100
	}
	value, ok := convert.Double(strings.Replace(text, ",", ".", 1))
	return value / scale, ok
}

var (
	withUnit = regexp.MustCompile(`^\s*([0-9]+(?:\.[0-9]+)?)\s*(ms|milliseconds?|millis|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)\.?\s*$`)
	timeSpan = regexp.MustCompile(`^\s*(?:([0-9]+)\.)?([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2}(?:\.[0-9]{1,7})?))?\s*$`)
)

// duration reads a text such as "5s" or .NET's "00:00:05" in a unit.
func duration(text, unit string) (float64, bool) {
	per := 1.0
	switch unit {
	case "milliseconds":
	case "seconds":
		per = 1000
	default:
		return 0, false
	}
	if m := withUnit.FindStringSubmatch(strings.ToLower(text)); m != nil {
		n, err := strconv.ParseFloat(m[1], 64)
		return n * millisPer(m[2]) / per, err == nil
	}
	m := timeSpan.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	var millis float64
	for i, scale := range []float64{86_400_000, 3_600_000, 60_000, 1000} {
		n, _ := strconv.ParseFloat(m[i+1], 64) // an absent part is 0
		millis += n * scale
	}
	return millis / per, true
}

func millisPer(unit string) float64 {
	switch {
	case strings.HasPrefix(unit, "ms") || strings.HasPrefix(unit, "mill"):
		return 1
	case unit[0] == 's':
		return 1000
	case unit[0] == 'm':
		return 60_000
	case unit[0] == 'h':
		return 3_600_000
	}
	return 86_400_000
}

// asContainer returns the list or object that a scalar in place of one stands
// for.
func asContainer(at *place, text string) (string, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", false
	}
	switch {
	case at.shape.class == "HostAndPort":
		return hostAndPort(text)
	case at.shape.class == "LoadBalancerOptions" || at.shape.class == "GlobalLoadBalancerOptions":
		return `{ "Type": ` + quote(text) + ` }`, true
	case !at.shape.isList():
		return "", false
	case at.shape.items.class == "HostAndPort":
		host, ok := hostAndPort(text)
		return "[" + host + "]", ok
	case !at.shape.items.isText():
		return "", false
	}
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		items = append(items, quote(strings.TrimSpace(item)))
	}
	return "[" + strings.Join(items, ", ") + "]", true
}

var hostPort = regexp.MustCompile(`^([A-Za-z0-9._-]+):([0-9]{1,5})$`)

func hostAndPort(text string) (string, bool) {
	m := hostPort.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return `{ "Host": ` + quote(m[1]) + `, "Port": ` + m[2] + ` }`, true
}

// quote writes a text as JSON.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c < 0x20:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// wrap returns the edit that puts text around a value.
func (c *checker) wrap(at *place, before, after, title string) *diag.Fix {
	span := c.tree.Span(at.id)
	if span.IsZero() {
		return nil
	}
	start := source.Span{File: span.File, Start: span.Start, End: span.Start}
	end := source.Span{File: span.File, Start: span.End, End: span.End}
	return &diag.Fix{Title: title, Edits: []diag.Edit{{Span: start, NewText: before}, {Span: end, NewText: after}}}
}
