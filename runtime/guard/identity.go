package guard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/margay-dev/margay/runtime/guard/claims"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// identity asks the schemes of a route who the client is, and judges and uses
// what they say.
type identity struct {
	set           *Set
	schemes       []Scheme // nil: everybody may come
	authenticated bool
	scopes        []string
	claims        plan.Claims
	placeholders  string // the path template of the backend
	method        string // that the backend is asked with; empty is the client's
	header        func(*proxy.Exchange) http.Header
}

func (b *builder) identity() {
	a, c := b.route.Authentication, b.route.Claims
	if a == nil && c == nil {
		return
	}
	g := &identity{set: b.set, authenticated: a != nil, placeholders: b.route.Backend.Path, method: b.route.Backend.Method,
		header: b.header()}
	if c != nil {
		g.claims = *c
	}
	if a != nil && !b.schemes(g, a) {
		if c != nil {
			b.lacks("claims", "nobody says which claims a client has, as no scheme of the route is configured")
		}
		return
	}
	b.add(g)
}

// schemes finds the schemes of a route, and reports whether any is configured.
// A route that is served although some are not asks the others.
func (b *builder) schemes(g *identity, a *plan.Authentication) bool {
	g.scopes = a.Scopes
	for _, name := range a.Schemes {
		if s := b.set.options.Schemes[name]; s != nil {
			g.schemes = append(g.schemes, s)
			continue
		}
		b.lacks("authentication", "nothing says who signs the tokens of the scheme "+quote(name))
	}
	return len(g.schemes) > 0
}

// Serve answers 401 to a client that no scheme recognises, and 403 to one that
// lacks a scope or a claim. Requests with OPTIONS are not asked who they are:
// browsers send no credentials with them (auth/036). One that goes out with
// another method is none of those.
func (g *identity) Serve(x *proxy.Exchange, next proxy.Next) (*http.Response, error) {
	preflight := x.Request.Method == http.MethodOptions && (g.method == "" || strings.EqualFold(g.method, http.MethodOptions))
	var who claims.Claims
	if g.authenticated && !preflight {
		var err error
		if who, err = g.recognise(x); err != nil {
			if ctx := x.Request.Context(); ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, g.set.refuse(x, http.StatusUnauthorized, err)
		}
		x.User = userOf(who)
	}
	who, err := g.extended(who)
	if err == nil && !preflight {
		err = g.authorise(x, who)
	}
	if err != nil {
		return nil, g.set.refuse(x, http.StatusForbidden, err)
	}
	if err := g.use(x, who); err != nil {
		return nil, err
	}
	return next(x)
}

// recognise asks the schemes in their order; the first that knows the client
// decides.
func (g *identity) recognise(x *proxy.Exchange) (claims.Claims, error) {
	authorization := strings.Join(g.header(x)["Authorization"], ",")
	var errs []error
	for _, s := range g.schemes {
		who, err := s.Recognise(x.Request.Context(), authorization)
		if err == nil {
			return who, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// extended returns the claims with those that are made of others.
func (g *identity) extended(who claims.Claims) (claims.Claims, error) {
	for _, c := range g.claims.ToClaims {
		value, err := who.Pick(c)
		if err != nil {
			return nil, err
		}
		who = who.With(c.Name, value)
	}
	return who, nil
}

func (g *identity) authorise(x *proxy.Exchange, who claims.Claims) error {
	if g.authenticated {
		if err := who.HasScope(g.scopes); err != nil {
			return err
		}
	}
	return who.Meet(g.claims.Required, x.Match.Value)
}

var (
	errHeaderValue   = errors.New("a claim holds characters that no header can carry")
	errNoPlaceholder = errors.New("the backend's path has no place for the claim")
)

// use copies claims into the request.
func (g *identity) use(x *proxy.Exchange, who claims.Claims) error {
	for _, c := range g.claims.ToHeaders {
		value, err := who.Pick(c)
		if err != nil {
			return g.set.refuse(x, http.StatusForbidden, err)
		}
		if strings.ContainsFunc(value, breaksHeader) {
			return g.set.refuse(x, http.StatusInternalServerError, fmt.Errorf("%w: %s", errHeaderValue, c.Claim))
		}
		x.Own(c.Name)
		x.Header()[http.CanonicalHeaderKey(c.Name)] = []string{value}
	}
	query, err := who.Query(x.Target.Query(), g.claims.ToQuery)
	if err != nil {
		return g.set.refuse(x, http.StatusForbidden, err)
	}
	if len(g.claims.ToQuery) > 0 {
		x.Target = x.Target.WithQuery(query)
	}
	return g.usePath(x, who)
}

func (g *identity) usePath(x *proxy.Exchange, who claims.Claims) error {
	for _, c := range g.claims.ToPath {
		value, err := who.Pick(c)
		if err != nil {
			return g.set.refuse(x, http.StatusForbidden, err)
		}
		if !strings.Contains(g.placeholders, "{"+c.Name+"}") {
			return g.set.refuse(x, http.StatusNotFound, errNoPlaceholder)
		}
		x.Match.Set(c.Name, value)
	}
	return nil
}

func breaksHeader(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// userOf returns what logs call a client.
func userOf(who claims.Claims) string {
	for _, kind := range []string{"sub", "unique_name", "name", "client_id"} {
		if v := who.Values(kind); len(v) > 0 {
			return v[0]
		}
	}
	return ""
}
