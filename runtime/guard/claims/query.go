package claims

import (
	"net/url"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// Query returns a query, with its question mark or empty, to which claims were
// added. A parameter of the same name is replaced, in its place; the others are
// grouped without regard to the case of their names, as ASP.NET's QueryHelpers
// do (auth-claims/004, /019).
//
// A value is encoded, so that it stays one value: Ocelot pastes it as it is,
// and a client whose name holds an ampersand adds parameters of its own.
func (c Claims) Query(query string, copies []plan.ClaimCopy) (string, error) {
	if len(copies) == 0 {
		return query, nil
	}
	p := parseQuery(query)
	for _, from := range copies {
		value, err := c.Pick(from)
		if err != nil {
			return "", err
		}
		p.set(from.Name, value)
	}
	return p.String(), nil
}

// parameters are the parameters of a query, grouped by name.
type parameters []parameter

type parameter struct {
	name   string
	values []string
}

func parseQuery(query string) parameters {
	var p parameters
	for part := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		one := p.named(decode(name))
		one.values = append(one.values, decode(value))
	}
	return p
}

// named returns the parameter of a name; it is added where there is none.
func (p *parameters) named(name string) *parameter {
	for i := range *p {
		if strings.EqualFold((*p)[i].name, name) {
			return &(*p)[i]
		}
	}
	*p = append(*p, parameter{name: name})
	return &(*p)[len(*p)-1]
}

func (p *parameters) set(name, value string) {
	p.named(name).values = []string{value}
}

// String writes the query with everything encoded that would end a value.
func (p parameters) String() string {
	var b strings.Builder
	for _, one := range p {
		for _, value := range one.values {
			if b.Len() > 0 {
				b.WriteByte('&')
			}
			b.WriteString(encode(one.name))
			b.WriteByte('=')
			b.WriteString(encode(value))
		}
	}
	return "?" + b.String()
}

// decode reads percent signs and plus signs; text that is encoded wrongly stays
// as it is.
func decode(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

func encode(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
