package bearer

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// How often keys are fetched.
const (
	// maxAge is when keys are fetched anew although nothing asks for it; those at
	// hand serve until then, and longer where the issuer cannot be reached.
	maxAge = 12 * time.Hour
	// minInterval is the shortest time between two fetches, so that neither
	// tokens with unknown key ids nor an issuer that is down cause a storm.
	minInterval = 30 * time.Second
	// fetchTimeout bounds one fetch, discovery included.
	fetchTimeout = 10 * time.Second
)

// source holds the keys of one issuer and fetches them anew when a token names
// one that is not there, or when they are old.
type source struct {
	load func(context.Context) (*jose.JSONWebKeySet, error)

	mu      sync.Mutex
	keys    *jose.JSONWebKeySet // guarded by mu: nil, none yet
	fetched time.Time           // guarded by mu: when keys came
	tried   time.Time           // guarded by mu: when the last fetch began
	running chan struct{}       // guarded by mu: closed at the end of the fetch in progress
	failure error               // guarded by mu: of the last fetch
}

// forToken returns keys of which some are suitable for a token. It fetches them
// where those at hand have none.
func (s *source) forToken(ctx context.Context, id, algorithm string) (*jose.JSONWebKeySet, error) {
	keys, wait := s.look(id, algorithm, false)
	if wait != nil {
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		keys, _ = s.look(id, algorithm, true)
	}
	if keys == nil {
		if err := s.lastFailure(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoKeys, err)
		}
		return nil, ErrNoKeys
	}
	if len(suitable(keys, id, algorithm)) == 0 {
		return nil, ErrUnsigned
	}
	return keys, nil
}

// current returns the keys at hand; nil if there are none yet.
func (s *source) current() *jose.JSONWebKeySet {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys
}

// look returns the keys at hand, and a channel to wait on when a fetch may bring
// the one that is asked for. Who has waited takes what there is.
func (s *source) look(id, algorithm string, waited bool) (*jose.JSONWebKeySet, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	missing := s.keys == nil || len(suitable(s.keys, id, algorithm)) == 0
	old := s.keys != nil && now.Sub(s.fetched) > maxAge
	if !waited && (missing || old) && s.running == nil && (s.tried.IsZero() || now.Sub(s.tried) >= minInterval) {
		s.tried = now
		s.running = make(chan struct{})
		go s.fetch(s.running)
	}
	if missing && !waited && s.running != nil {
		return s.keys, s.running
	}
	return s.keys, nil
}

// fetch loads the keys. It serves whoever waits, so it does not end with the
// request that began it.
func (s *source) fetch(done chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), fetchTimeout)
	defer cancel()
	keys, err := s.load(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.keys, s.fetched = keys, time.Now()
	}
	s.failure = err
	s.running = nil
	close(done)
}

// maxTried is how many keys are tried for a token that names none.
const maxTried = 16

// suitable returns the keys that may have signed a token: those with its key
// id, or all of its kind where it names none. A key says what it is for: one
// for encryption, or for another algorithm, signs nothing.
func suitable(set *jose.JSONWebKeySet, id, algorithm string) []jose.JSONWebKey {
	var out []jose.JSONWebKey
	for _, k := range set.Keys {
		if (id == "" || k.KeyID == id) && (k.Use == "" || k.Use == "sig") &&
			(k.Algorithm == "" || k.Algorithm == algorithm) && fits(k.Key, algorithm) && len(out) < maxTried {
			out = append(out, k)
		}
	}
	return out
}

// keep puts keys in place that were loaded before anybody asked.
func (s *source) keep(keys *jose.JSONWebKeySet) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys, s.fetched = keys, time.Now()
}

func (s *source) lastFailure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}
