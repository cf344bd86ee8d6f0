package startup

import (
	"strings"
	"unicode"

	"github.com/margay-dev/margay/schema/config"
)

// The .NET exceptions that a start can end with.
const (
	nullReference   = "System.NullReferenceException"
	argument        = "System.ArgumentException"
	argumentNull    = "System.ArgumentNullException"
	argumentRange   = "System.ArgumentOutOfRangeException"
	format          = "System.FormatException"
	cultureNotFound = "System.Globalization.CultureNotFoundException"
	regexParse      = "System.Text.RegularExpressions.RegexParseException"
)

// creation follows the creators that compile a valid configuration, up to the
// first exception: static routes in order, then aggregates, then what stands
// only in the global section.
type creation struct {
	global   *config.GlobalConfiguration
	metadata *Exception // which each route meets too
	thrown   *Exception // by a route
}

func newCreation(g *config.GlobalConfiguration) creation {
	return creation{global: g, metadata: metadataOptions(g.MetadataOptions)}
}

func (c *creation) route(r *config.Route) {
	if c.thrown == nil {
		c.thrown = c.createRoute(r)
	}
}

// end returns the exception that ends the start, nil for none. It is asked when
// all routes have been created.
func (c *creation) end(cfg *config.Configuration) *Exception {
	if c.thrown != nil {
		return c.thrown
	}
	keys := routeKeys(cfg)
	for i := range cfg.Aggregates {
		a := &cfg.Aggregates[i]
		if !keys.haveAll(a.RouteKeys) {
			continue // left out: nothing else of it is looked at
		}
		e := firstOf(template(a.UpstreamPathTemplate, a.RouteIsCaseSensitive.V, a.Origin),
			headerTemplates(a.UpstreamHeaderTemplates, a.RouteIsCaseSensitive.V), methods(a.UpstreamHttpMethod))
		if e != nil {
			return e
		}
	}
	return c.metadata
}

// keySet are the keys that routes have.
type keySet map[routeKey]bool

func routeKeys(cfg *config.Configuration) keySet {
	if len(cfg.Aggregates) == 0 {
		return nil
	}
	keys := make(keySet, len(cfg.Routes))
	for i := range cfg.Routes {
		keys[routeKey{cfg.Routes[i].Key.V, cfg.Routes[i].Key.IsSet()}] = true
	}
	return keys
}

func (s keySet) haveAll(wanted *config.List[string]) bool {
	for _, k := range wanted.All() {
		if !s[routeKey{k.V, k.IsSet()}] {
			return false
		}
	}
	return true
}

func (c *creation) createRoute(r *config.Route) *Exception {
	cased := r.RouteIsCaseSensitive.V
	return firstOf(
		template(r.UpstreamPathTemplate, cased, r.Origin),
		transforms(r.UpstreamHeaderTransform, c.global.UpstreamHeaderTransform),
		transforms(r.DownstreamHeaderTransform, c.global.DownstreamHeaderTransform),
		c.metadata,
		headerTemplates(r.UpstreamHeaderTemplates, cased),
		methods(r.UpstreamHttpMethod),
	)
}

func firstOf(es ...*Exception) *Exception {
	for _, e := range es {
		if e != nil {
			return e
		}
	}
	return nil
}

// transforms follows HeaderFindAndReplaceCreator, which goes through what the
// route has for its requests or responses, then through what only the global
// section has.
func transforms(own, global *config.Dict) *Exception {
	for _, e := range own.All() {
		if x := transform(e); x != nil {
			return x
		}
	}
	for _, e := range global.All() {
		if _, overridden := own.Get(e.Key.V); overridden {
			continue
		}
		if x := transform(e); x != nil {
			return x
		}
	}
	return nil
}

// transform follows one header: a null value is dereferenced, and in the second
// part of "find, replace" an opening brace without a closing one after it asks
// for a negative length, unless it comes first.
func transform(e config.Entry) *Exception {
	at := place(e.Value.Origin, e.Key.Origin)
	if !e.Value.IsSet() {
		return &Exception{Stage: Create, Type: nullReference, Thrower: "HeaderFindAndReplaceCreator.ProcessHeaders",
			Reason: "the transform of header " + e.Key.V + " is null", Remedy: "write a text, or remove the header from the list", At: at}
	}
	_, replace, pair := strings.Cut(e.Value.V, ",")
	replace, _, _ = strings.Cut(replace, ",")
	replace = strings.TrimLeftFunc(replace, unicode.IsSpace)
	if open := strings.IndexByte(replace, '{'); pair && open > 0 && !strings.Contains(replace[open:], "}") {
		return &Exception{Stage: Create, Type: argumentRange, Thrower: "HeaderFindAndReplaceCreator.Map",
			Reason: "a brace in the replacement for header " + e.Key.V + " is never closed", Remedy: "close it, as in {BaseUrl}", At: at}
	}
	return nil
}

const methodRemedy = `write one verb of HTTP for each element, as in [ "GET", "POST" ]`

// methods follows the conversion of verbs: outer blanks are cut, and what is
// left must be a token of HTTP.
func methods(list *config.List[string]) *Exception {
	const thrower = "IEnumerableExtensions.<>c"
	for _, m := range list.All() {
		at := place(m.Origin, list.Origin)
		switch verb := strings.TrimSpace(m.V); {
		case !m.IsSet():
			return &Exception{Stage: Create, Type: nullReference, Thrower: thrower, Reason: "a method is null", Remedy: methodRemedy, At: at}
		case verb == "":
			return &Exception{Stage: Create, Type: argument, Thrower: thrower, Reason: "a method is empty", Remedy: methodRemedy, At: at}
		case strings.ContainsFunc(verb, func(r rune) bool { return !isToken(r) }):
			return &Exception{Stage: Create, Type: format, Thrower: thrower, Reason: "a method is not a single HTTP verb", Remedy: methodRemedy, At: at}
		}
	}
	return nil
}

// isToken says whether HTTP allows r in a method (RFC 9110, section 5.6.2).
func isToken(r rune) bool {
	switch {
	case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
		return true
	}
	return strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
