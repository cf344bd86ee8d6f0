package ratelimit

import (
	"crypto/sha256"
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// DefaultMaxClients is how many clients a store knows where nothing is set.
const DefaultMaxClients = 100_000

// shards is how many parts of a store can be used at the same time.
const shards = 16

// Store keeps the counters of all limiters of a gateway. It is safe for
// concurrent use.
type Store struct {
	epoch  time.Time
	seed   maphash.Seed
	shards [shards]shard
}

type shard struct {
	mu       sync.Mutex
	counters *simplelru.LRU[key, counter] // guarded by mu
}

type key struct{ shared, client string }

// counter counts the requests of one client. Times are since the store's epoch.
type counter struct {
	started  time.Duration
	exceeded time.Duration // never: not yet
	total    int64
}

const never = time.Duration(-1)

// NewStore returns an empty store for about maxClients clients; 0 is
// [DefaultMaxClients].
func NewStore(maxClients int) *Store {
	if maxClients <= 0 {
		maxClients = DefaultMaxClients
	}
	s := &Store{epoch: time.Now(), seed: maphash.MakeSeed()}
	for i := range s.shards {
		lru, err := simplelru.NewLRU[key, counter]((maxClients+shards-1)/shards, nil)
		if err != nil {
			panic(fmt.Sprintf("a store of %d clients: %v", maxClients, err)) // a size above 0 is never refused
		}
		s.shards[i].counters = lru
	}
	return s
}

// Clients returns how many counters the store holds.
func (s *Store) Clients() int {
	n := 0
	for i := range s.shards {
		sh := &s.shards[i]
		sh.mu.Lock()
		n += sh.counters.Len()
		sh.mu.Unlock()
	}
	return n
}

// count replaces the counter of a client by what next makes of it.
func (s *Store) count(shared, client string, next func(c counter, known bool) counter) counter {
	k := key{shared, short(client)}
	sh := &s.shards[maphash.String(s.seed, k.client)%shards]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	c, known := sh.counters.Get(k)
	c = next(c, known)
	sh.counters.Add(k, c)
	return c
}

// longestID is the longest client id that is kept as it is.
const longestID = 64

// short keeps a client from filling the store's memory with one long id.
func short(client string) string {
	if len(client) <= longestID {
		return client
	}
	sum := sha256.Sum256([]byte(client))
	return string(sum[:])
}
