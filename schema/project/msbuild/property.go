package msbuild

import (
	"regexp"
	"strings"
)

type property struct {
	value string
	// known is false for a value that depends on what the files do not say.
	known bool
}

func (e *evaluation) set(name, value string) {
	e.props[strings.ToLower(name)] = property{value: value, known: true}
}

func (e *evaluation) property(p *element) {
	value, known := e.expand(strings.TrimSpace(p.text))
	old, set := e.props[strings.ToLower(p.name)]
	if e.maybe != "" && (!set || old.value != value) {
		known = false // it has one of two values
	}
	e.props[strings.ToLower(p.name)] = property{value: value, known: known}
}

var propertyUse = regexp.MustCompile(`\$\(([A-Za-z_][\w.-]*)\)`)

// maxValue bounds what properties within properties grow to, in bytes.
const maxValue = 4096

// expand fills properties in. It returns false where one has no value, or the
// text holds something else than names of properties.
func (e *evaluation) expand(text string) (string, bool) {
	ok := true
	out := propertyUse.ReplaceAllStringFunc(text, func(use string) string {
		p, set := e.props[strings.ToLower(use[2:len(use)-1])]
		if !set || !p.known {
			ok = false
			return use
		}
		return p.value
	})
	if len(out) > maxValue {
		return text, false
	}
	return out, ok && !strings.Contains(out, "$(") && !strings.Contains(out, "@(") && !strings.Contains(out, "%(")
}
