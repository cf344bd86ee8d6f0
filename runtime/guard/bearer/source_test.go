package bearer

import (
	"context"
	"crypto/ed25519"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// publisher counts how often its keys are fetched.
type publisher struct {
	keys    []jose.JSONWebKey
	err     error
	takes   time.Duration
	fetches atomic.Int32

	lifetime time.Duration
}

func (p *publisher) load(ctx context.Context) (loaded, error) {
	p.fetches.Add(1)
	select {
	case <-time.After(p.takes):
		return loaded{keys: &jose.JSONWebKeySet{Keys: p.keys}, lifetime: p.lifetime}, p.err
	case <-ctx.Done():
		return loaded{}, ctx.Err()
	}
}

func edKey(id string) jose.JSONWebKey {
	return jose.JSONWebKey{Key: ed25519.PublicKey(make([]byte, ed25519.PublicKeySize)), KeyID: id}
}

func (s *source) expect(t *testing.T, id string, want error) {
	t.Helper()
	if _, err := s.forToken(t.Context(), id, "EdDSA"); !errors.Is(err, want) {
		t.Errorf("key %q: got %v, want %v", id, err, want)
	}
	synctest.Wait()
}

func TestKeysAreRotated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &publisher{keys: []jose.JSONWebKey{edKey("old")}}
		s := &source{load: p.load}
		s.expect(t, "old", nil)
		time.Sleep(time.Hour)
		p.keys = []jose.JSONWebKey{edKey("new")}
		s.expect(t, "old", nil)
		s.expect(t, "new", nil)
		s.expect(t, "old", ErrUnsigned)
		if p.fetches.Load() != 2 {
			t.Errorf("got %d fetches, want 2", p.fetches.Load())
		}
		time.Sleep(minInterval)
		s.expect(t, "old", ErrUnsigned)
		if p.fetches.Load() != 3 {
			t.Errorf("got %d fetches, want 3", p.fetches.Load())
		}
	})
}

func TestOldKeysAreFetchedAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &publisher{keys: []jose.JSONWebKey{edKey("k")}, takes: time.Second}
		s := &source{load: p.load}
		s.expect(t, "k", nil)
		time.Sleep(maxAge)
		p.err = errors.New("down")
		started := time.Now()
		s.expect(t, "k", nil)
		if waited := time.Since(started); waited != 0 {
			t.Errorf("a request waited %v for keys that were there", waited)
		}
		time.Sleep(p.takes)
		synctest.Wait()
		s.expect(t, "k", nil)
		if k := s.status(); k.Err == nil || k.Failures != 1 || k.Count != 1 || !k.FailedAt.Equal(time.Now()) {
			t.Errorf("nobody can tell that the issuer is down: %+v", k)
		}
		p.err = nil
		time.Sleep(firstPause)
		s.expect(t, "k", nil)
		time.Sleep(p.takes)
		synctest.Wait()
		if k := s.status(); p.fetches.Load() != 3 || k.Err != nil || !k.Fetched.Equal(time.Now()) {
			t.Errorf("got %d fetches, %+v", p.fetches.Load(), k)
		}
	})
}

// Keys are there before the first token, and are replaced before they are old,
// although no token comes. How long they last is the issuer's word, in bounds.
func TestKeysAreRefreshedWithoutTokens(t *testing.T) {
	for name, tc := range map[string]struct{ says, every time.Duration }{
		"nothing":   {0, maxAge - maxAge/10},
		"an hour":   {time.Hour, 54 * time.Minute},
		"a moment":  {time.Second, minAge - minAge/10},
		"for years": {10_000 * time.Hour, maxAge - maxAge/10},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &publisher{keys: []jose.JSONWebKey{edKey("k")}, lifetime: tc.says}
				s := &source{load: p.load}
				started := time.Now()
				for range 3 {
					s.refresh()
					synctest.Wait()
					if k := s.status(); k.Count != 1 || k.Fetching || !k.Fetched.Equal(time.Now()) {
						t.Fatalf("after %v: got %+v", time.Since(started), k)
					}
					for end := time.Now().Add(tc.every); time.Now().Before(end); time.Sleep(tc.every / 100) {
						s.refresh()
					}
				}
				if got := p.fetches.Load(); got != 3 {
					t.Errorf("got %d fetches, want 3", got)
				}
			})
		})
	}
}

// A token that comes while the keys are fetched at the start waits for that
// fetch, and begins none.
func TestEarlyTokensWaitForTheFirstFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &publisher{keys: []jose.JSONWebKey{edKey("k")}, takes: 3 * time.Second}
		s := &source{load: p.load}
		s.refresh()
		time.Sleep(time.Second)
		if !s.status().Fetching {
			t.Error("nobody can tell that keys are on their way")
		}
		started := time.Now()
		s.expect(t, "k", nil)
		if waited := time.Since(started); waited != 2*time.Second || p.fetches.Load() != 1 {
			t.Errorf("waited %v for %d fetches", waited, p.fetches.Load())
		}
	})
}

// The pauses grow, so that an issuer that starts together with the gateway is
// found at once and one that is down for long is left alone.
func TestPausesGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		started := time.Now()
		s := &source{load: func(context.Context) (loaded, error) {
			at = append(at, time.Since(started))
			return loaded{}, errors.New("down")
		}}
		for time.Since(started) < 100*time.Second {
			s.refresh()
			synctest.Wait()
			time.Sleep(100 * time.Millisecond)
		}
		want := []time.Duration{0, 1, 3, 7, 15, 31, 61, 91}
		for i := range want {
			want[i] *= time.Second
		}
		if !slices.Equal(at, want) {
			t.Errorf("got %v, want %v", at, want)
		}
	})
}

func TestAnIssuerThatIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &publisher{err: errors.New("down"), takes: time.Hour}
		s := &source{load: p.load}
		started := time.Now()
		s.expect(t, "k", ErrNoKeys)
		if waited := time.Since(started); waited != fetchTimeout {
			t.Errorf("waited %v", waited)
		}
		for range 10 {
			s.expect(t, "k", ErrNoKeys) // at once
		}
		if waited := time.Since(started); waited != fetchTimeout || p.fetches.Load() != 1 {
			t.Errorf("waited %v for %d fetches", waited, p.fetches.Load())
		}
		time.Sleep(firstPause)
		started = time.Now()
		s.expect(t, "k", ErrNoKeys)
		if waited := time.Since(started); waited != shortWait || p.fetches.Load() != 2 {
			t.Errorf("waited %v for an issuer that was down before, %d fetches", waited, p.fetches.Load())
		}
		p.takes, p.err, p.keys = 0, nil, []jose.JSONWebKey{edKey("k")}
		time.Sleep(fetchTimeout + minInterval)
		s.expect(t, "k", nil)
	})
}

func TestOneFetchServesAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &publisher{keys: []jose.JSONWebKey{edKey("k")}, takes: time.Second}
		s := &source{load: p.load}
		for range 50 {
			go s.expectOnly(t, "k")
		}
		time.Sleep(time.Minute)
		if p.fetches.Load() != 1 {
			t.Errorf("got %d fetches", p.fetches.Load())
		}
	})
}

func (s *source) expectOnly(t *testing.T, id string) {
	if _, err := s.forToken(t.Context(), id, "EdDSA"); err != nil {
		t.Error(err)
	}
}
