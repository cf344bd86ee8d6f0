package bearer

import (
	"context"
	"crypto/ed25519"
	"errors"
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
}

func (p *publisher) load(ctx context.Context) (*jose.JSONWebKeySet, error) {
	p.fetches.Add(1)
	select {
	case <-time.After(p.takes):
		return &jose.JSONWebKeySet{Keys: p.keys}, p.err
	case <-ctx.Done():
		return nil, ctx.Err()
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
		time.Sleep(maxAge + time.Second)
		p.err = errors.New("down")
		started := time.Now()
		s.expect(t, "k", nil)
		if waited := time.Since(started); waited != 0 {
			t.Errorf("a request waited %v for keys that were there", waited)
		}
		time.Sleep(2 * time.Second)
		s.expect(t, "k", nil)
		if s.lastFailure() == nil {
			t.Error("nobody can tell that the issuer is down")
		}
		p.err = nil
		time.Sleep(minInterval)
		s.expect(t, "k", nil)
		time.Sleep(2 * time.Second)
		if p.fetches.Load() != 3 || s.lastFailure() != nil {
			t.Errorf("got %d fetches, %v", p.fetches.Load(), s.lastFailure())
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
		p.takes, p.err, p.keys = 0, nil, []jose.JSONWebKey{edKey("k")}
		time.Sleep(minInterval)
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
