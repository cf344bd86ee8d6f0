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
type parameters struct {
	all []parameter
	// at is where each of them stands, by its name in capitals, which is how .NET
	// compares without regard to case. A client chooses how many there are.
	at map[string]int
}

type parameter struct {
	name   string
	values []string
}

func parseQuery(query string) *parameters {
	p := &parameters{at: map[string]int{}}
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
	key := strings.ToUpper(name)
	i, known := p.at[key]
	if !known {
		i = len(p.all)
		p.at[key] = i
		p.all = append(p.all, parameter{name: name})
	}
	return &p.all[i]
}

func (p *parameters) set(name, value string) {
	p.named(name).values = []string{value}
}

// String writes the query with everything encoded that would end a value.
func (p *parameters) String() string {
	var b strings.Builder
	for _, one := range p.all {
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
