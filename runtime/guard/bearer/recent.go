package bearer

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/margay-dev/margay/runtime/guard/claims"
)

// How long and how many tokens are remembered whose signature was verified:
// that costs more than everything else that a gateway does with a request.
const (
	rememberFor   = time.Minute
	maxRemembered = 10_000
)

// recent remembers what tokens said that were taken a moment ago, as long as
// their issuer's keys stay the same.
type recent struct {
	mu     sync.Mutex
	tokens *simplelru.LRU[[sha256.Size]byte, remembered] // guarded by mu
}

type remembered struct {
	said  claims.Claims
	until time.Time
	keys  *jose.JSONWebKeySet // that the signature was verified with
}

func newRecent() *recent {
	lru, err := simplelru.NewLRU[[sha256.Size]byte, remembered](maxRemembered, nil)
	if err != nil {
		panic(fmt.Sprintf("a memory for %d tokens: %v", maxRemembered, err)) // a size above 0 is never refused
	}
	return &recent{tokens: lru}
}

// find returns what a token said, nil if it is not remembered.
func (r *recent) find(token string, keys *jose.JSONWebKeySet) claims.Claims {
	key := sha256.Sum256([]byte(token))
	r.mu.Lock()
	defer r.mu.Unlock()
	m, ok := r.tokens.Get(key)
	if !ok {
		return nil
	}
	if m.keys != keys || !time.Now().Before(m.until) {
		r.tokens.Remove(key)
		return nil
	}
	return m.said
}

// keep remembers a token that is in force until then.
func (r *recent) keep(token string, m remembered) {
	if latest := time.Now().Add(rememberFor); m.until.After(latest) {
		m.until = latest
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tokens.Add(sha256.Sum256([]byte(token)), m)
}
