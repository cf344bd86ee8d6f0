// Package bearer recognises clients by signed JSON Web Tokens, as the
// JwtBearer handler of ASP.NET does that Ocelot applications register.
//
// What an application says in code is said in [Settings] for each scheme: the
// issuer, the audiences and where the keys are, a file or the issuer itself
// (OpenID Connect discovery). A token is taken only if an asymmetric key of the
// issuer signed it (or a secret from the key file), if it names the issuer and
// one of the audiences, and if it is in force. Why a token is refused is a
// text for logs, which says nothing of the token; clients learn nothing.
package bearer

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/margay-dev/margay/runtime/guard/claims"
)

// The reasons for which a client is not recognised.
var (
	ErrNoToken   = errors.New("the request has no bearer token")
	ErrMalformed = errors.New("the token is malformed or signed in a way that is not allowed")
	ErrUnsigned  = errors.New("no key of the issuer signed the token")
	ErrIssuer    = errors.New("the token is of another issuer")
	ErrAudience  = errors.New("the token is for another audience")
	ErrExpired   = errors.New("the token is not valid any more")
	ErrEarly     = errors.New("the token is not valid yet")
	ErrForever   = errors.New("the token does not say when it ends")
	ErrNoKeys    = errors.New("the keys of the issuer are not available")
)

// Scheme recognises the clients of one issuer. It is safe for concurrent use.
type Scheme struct {
	settings   Settings
	algorithms []jose.SignatureAlgorithm
	keys       *source
	recent     *recent
}

// Recognise returns what a token says of its owner. Authorization is the value
// of that header. The error is one of this package, or ctx's when it ends while
// keys are fetched.
func (s *Scheme) Recognise(ctx context.Context, authorization string) (claims.Claims, error) {
	kind, raw, _ := strings.Cut(strings.TrimLeft(authorization, " "), " ")
	raw = strings.Trim(raw, " ")
	if !strings.EqualFold(kind, "Bearer") || raw == "" {
		return nil, ErrNoToken
	}
	if said := s.recent.find(raw, s.keys.current()); said != nil {
		return said, nil
	}
	token, err := jwt.ParseSigned(raw, s.algorithms)
	if err != nil || len(token.Headers) != 1 {
		return nil, ErrMalformed
	}
	content, keys, err := s.verify(ctx, token)
	if err != nil {
		return nil, err
	}
	if err := s.inForce(&content.registered); err != nil {
		return nil, err
	}
	said, err := content.claims()
	if err == nil {
		s.recent.keep(raw, remembered{said: said, until: content.registered.Expiry.Time().Add(s.settings.skew()), keys: keys})
	}
	return said, err
}

// After returns the scheme that goes on behind an earlier one: that itself if it
// asks the same issuer for its keys and takes the same tokens. If only the tokens
// are others, it is s with the keys that were fetched. Key files are read anew.
func (s *Scheme) After(earlier *Scheme) *Scheme {
	if s.settings.Keys != "" || earlier.settings.Keys != "" || s.settings.Issuer != earlier.settings.Issuer {
		return s
	}
	if reflect.DeepEqual(s.settings, earlier.settings) {
		return earlier
	}
	return &Scheme{settings: s.settings, algorithms: s.algorithms, recent: newRecent(), keys: earlier.keys}
}

// Refresh begins to fetch keys that are missing or soon too old, and does not
// wait for them. It is meant to be called now and then: it keeps to the pauses
// between fetches by itself. Tokens that come meanwhile wait for the same fetch.
func (s *Scheme) Refresh() { s.keys.refresh() }

// Keys are what a scheme knows of the keys of its issuer.
type Keys struct {
	// Issuer is the name of the issuer, and File the key file; empty: the issuer
	// is asked.
	Issuer, File string
	// Count is how many keys are at hand, and Fetched when they came; zero: none
	// has come yet.
	Count   int
	Fetched time.Time
	// Fetching says that a fetch is going on.
	Fetching bool
	// Err is what went wrong with the last fetch that has ended, at FailedAt; nil
	// if it went well. The keys of before serve on. Failures are those of all time.
	Err      error
	FailedAt time.Time
	Failures int
}

// Keys returns what is known of the keys now.
func (s *Scheme) Keys() Keys {
	k := s.keys.status()
	k.Issuer, k.File = s.settings.Issuer, s.settings.Keys
	return k
}

// verify returns the content of a token that a key of the issuer signed, and
// the keys that it is one of.
func (s *Scheme) verify(ctx context.Context, token *jwt.JSONWebToken) (*content, *jose.JSONWebKeySet, error) {
	header := token.Headers[0]
	set, err := s.keys.forToken(ctx, header.KeyID, header.Algorithm)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range suitable(set, header.KeyID, header.Algorithm) {
		if token.Claims(k.Key) == nil {
			c, err := readContent(token)
			return c, set, err
		}
	}
	return nil, nil, ErrUnsigned
}

// inForce judges what a token says of itself.
func (s *Scheme) inForce(r *registered) error {
	c := jwt.Claims{Issuer: r.Issuer, Audience: r.Audience, Expiry: r.Expiry, NotBefore: r.NotBefore, IssuedAt: r.IssuedAt}
	if c.Expiry == nil {
		return ErrForever
	}
	expected := jwt.Expected{Issuer: s.settings.Issuer, Time: time.Now()}
	if !s.settings.AnyAudience {
		expected.AnyAudience = s.settings.Audiences
	}
	switch err := c.ValidateWithLeeway(expected, s.settings.skew()); {
	case err == nil:
		return nil
	case errors.Is(err, jwt.ErrInvalidIssuer):
		return ErrIssuer
	case errors.Is(err, jwt.ErrInvalidAudience):
		return ErrAudience
	case errors.Is(err, jwt.ErrExpired):
		return ErrExpired
	default:
		return ErrEarly
	}
}
