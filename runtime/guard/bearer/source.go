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
	// maxAge is how long keys count as fresh whose issuer does not say so (the
	// AutomaticRefreshInterval of .NET), and the longest time that it may say;
	// minAge is the shortest. Those at hand serve on where the issuer is down.
	maxAge = 12 * time.Hour
	minAge = 5 * time.Minute
	// minInterval is the shortest time between two fetches that went well, so that
	// tokens with unknown key ids cause no storm. After one that failed it is
	// firstPause, then twice as long each time up to minInterval.
	minInterval = 30 * time.Second
	firstPause  = time.Second
	// fetchTimeout bounds one fetch, discovery included.
	fetchTimeout = 10 * time.Second
	// shortWait is how long a token waits for a fetch where the one before failed:
	// an issuer that is down must not make requests pile up.
	shortWait = time.Second
)

// loaded is what a fetch brings.
type loaded struct {
	keys *jose.JSONWebKeySet
	// lifetime is what the issuer says of it; zero is nothing.
	lifetime time.Duration
}

// source holds the keys of one issuer and fetches them anew when a token names
// one that is not there, or before they are old.
type source struct {
	load func(context.Context) (loaded, error)

	mu       sync.Mutex
	keys     *jose.JSONWebKeySet // guarded by mu: nil, none yet
	fetched  time.Time           // guarded by mu: when keys came
	stale    time.Time           // guarded by mu: when keys should be replaced
	next     time.Time           // guarded by mu: no fetch begins earlier
	running  chan struct{}       // guarded by mu: closed at the end of the fetch in progress
	failure  error               // guarded by mu: of the last fetch
	failedAt time.Time           // guarded by mu: when it ended
	inARow   int                 // guarded by mu: failures since the last success
	failures int                 // guarded by mu: of all time
}

// forToken returns keys of which some are suitable for a token. It waits for a
// fetch where those at hand have none.
func (s *source) forToken(ctx context.Context, id, algorithm string) (*jose.JSONWebKeySet, error) {
	keys, wait, limit := s.look(id, algorithm)
	if wait != nil {
		limited := time.NewTimer(limit)
		defer limited.Stop()
		select {
		case <-wait:
		case <-limited.C:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		keys = s.current()
	}
	if keys == nil {
		if err := s.status().Err; err != nil {
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

// look returns the keys at hand, and what to wait for, and how long, when a
// fetch may bring the one that is asked for.
func (s *source) look(id, algorithm string) (keys *jose.JSONWebKeySet, wait <-chan struct{}, limit time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	missing := s.keys == nil || len(suitable(s.keys, id, algorithm)) == 0
	if missing || s.isStale() {
		s.begin()
	}
	if !missing || s.running == nil {
		return s.keys, nil, 0
	}
	if s.failure != nil {
		return s.keys, s.running, shortWait
	}
	return s.keys, s.running, fetchTimeout
}

// refresh begins a fetch where keys are missing or stale, and waits for nothing.
func (s *source) refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil || s.isStale() {
		s.begin()
	}
}

// isStale reports whether the keys should be replaced. mu is held.
func (s *source) isStale() bool { return !time.Now().Before(s.stale) }

// begin begins a fetch unless one is going on or the last one was a moment ago.
// mu is held.
func (s *source) begin() {
	if s.running != nil || time.Now().Before(s.next) {
		return
	}
	s.running = make(chan struct{})
	go s.fetch(s.running)
}

// fetch loads the keys. It serves whoever waits, so it does not end with the
// request that began it.
func (s *source) fetch(done chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), fetchTimeout)
	defer cancel()
	got, err := s.load(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.take(got)
	} else {
		s.inARow++
		s.failures++
		s.failedAt = time.Now()
	}
	s.failure = err
	s.next = time.Now().Add(s.pause())
	s.running = nil
	close(done)
}

// take puts keys in place. mu is held, or nobody knows of s yet.
func (s *source) take(got loaded) {
	s.keys, s.fetched, s.inARow = got.keys, time.Now(), 0
	fresh := maxAge
	if got.lifetime > 0 {
		fresh = min(max(got.lifetime, minAge), maxAge)
	}
	s.stale = s.fetched.Add(fresh - fresh/10) // the fetch is over before they are too old
}

// pause is the time between the fetch that is over and the next one. mu is held.
func (s *source) pause() time.Duration {
	if s.inARow == 0 {
		return minInterval
	}
	return min(firstPause<<min(s.inARow-1, 10), minInterval)
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

// status is what is known of the keys now.
func (s *source) status() Keys {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := Keys{Fetched: s.fetched, Fetching: s.running != nil, Err: s.failure, FailedAt: s.failedAt, Failures: s.failures}
	if s.keys != nil {
		k.Count = len(s.keys.Keys)
	}
	return k
}
