package proxy_test

import (
	"context"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/runtime/guard/claims"
	"github.com/margay-dev/margay/runtime/guard/guardtest"
)

// identity returns what the client says of itself, in the words that the schemes
// of the recordings believe, and what the route makes of it.
func (p *promise) identity(r *configuredRoute) (known claims.Claims) {
	said := header(p.step.Request.fields(), "authorization")
	for _, name := range r.AuthenticationOptions.names() {
		if who, err := guardtest.Words(name).Recognise(context.Background(), said); err == nil {
			known = who
			break
		}
	}
	for _, name := range sortedNames(r.AddClaimsToRequest) {
		if value, ok := pick(known, r.AddClaimsToRequest[name]); ok {
			isOld := func(c claims.Claim) bool { return c.Type == name }
			if i := slices.IndexFunc(known, isOld); i >= 0 {
				known = slices.Delete(slices.Clone(known), i, i+1)
			}
			known = append(known, claims.Claim{Type: name, Value: value})
		}
	}
	return known
}

// sortedNames returns names in the order of .NET's configuration, which is
// without regard to case.
func sortedNames(of map[string]string) []string {
	return slices.SortedFunc(maps.Keys(of), func(a, b string) int { return strings.Compare(strings.ToUpper(a), strings.ToUpper(b)) })
}

// copied is how a configuration writes which claim is copied.
var copied = regexp.MustCompile(`^\s*Claims\[(.*)\]\s*>\s*value(?:\[(\d+)\]\s*>\s*(.+?))?\s*$`)

// pick returns the value that a setting copies: all values of a claim, or a part
// of them.
func pick(known claims.Claims, setting string) (string, bool) {
	m := copied.FindStringSubmatch(setting)
	if m == nil {
		return "", false
	}
	var values []string
	for _, c := range known {
		if c.Type == m[1] {
			values = append(values, c.Value)
		}
	}
	whole := strings.Join(values, ",")
	if m[3] == "" {
		return whole, len(values) > 0
	}
	i, _ := strconv.Atoi(m[2])
	parts := splitAtAny(whole, m[3])
	if len(values) == 0 || i >= len(parts) {
		return "", false
	}
	return parts[i], true
}

// splitAtAny splits at each of some characters, as String.Split of .NET does.
func splitAtAny(text, characters string) (parts []string) {
	begin := 0
	for i, r := range text {
		if strings.ContainsRune(characters, r) {
			parts = append(parts, text[begin:i])
			begin = i + len(string(r))
		}
	}
	return append(parts, text[begin:])
}

// encodeClaim: a claim stays one value of the query.
func encodeClaim(p *promise) bool {
	r := p.route()
	if r == nil || len(r.AddQueriesToRequest) == 0 || len(p.contacts) != 1 {
		return false
	}
	known := p.identity(r)
	m, target, ok := p.match()
	if !ok {
		return false
	}
	q := readGrouped(target.Query())
	breaks := false
	for _, name := range sortedNames(r.AddQueriesToRequest) {
		value, ok := pick(known, r.AddQueriesToRequest[name])
		if !ok {
			continue // a setting that says nothing; a claim that is missing is a 403
		}
		breaks = breaks || strings.ContainsAny(value, "&#=+%")
		q.replace(name, value)
	}
	own, err := m.BackendTarget(target.WithQuery(q.encoded()))
	if !breaks || err != nil || own == p.contacts[0].Target {
		return false
	}
	p.retarget(0, own)
	return true
}

// grouped is a query as QueryHelpers of ASP.NET read it: names without regard to
// case, under the first spelling.
type grouped []struct {
	name   string
	values []string
}

func readGrouped(query string) (q grouped) {
	for one := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
		if one == "" {
			continue
		}
		name, value, _ := strings.Cut(one, "=")
		i := q.at(unescaped(name))
		q[i].values = append(q[i].values, unescaped(value))
	}
	return q
}

func unescaped(text string) string {
	plain, err := url.QueryUnescape(text)
	if err != nil {
		return text
	}
	return plain
}

// at returns where a name stands, behind all others if it is new.
func (q *grouped) at(name string) int {
	for i := range *q {
		if strings.EqualFold((*q)[i].name, name) {
			return i
		}
	}
	*q = append(*q, struct {
		name   string
		values []string
	}{name: name})
	return len(*q) - 1
}

func (q *grouped) replace(name, value string) {
	i := q.at(name)
	(*q)[i].values = []string{value}
}

// encoded writes the query so that each value stays one.
func (q grouped) encoded() string {
	var out []string
	for _, one := range q {
		for _, value := range one.values {
			out = append(out, strings.ReplaceAll(url.QueryEscape(one.name)+"="+url.QueryEscape(value), "+", "%20"))
		}
	}
	return "?" + strings.Join(out, "&")
}
