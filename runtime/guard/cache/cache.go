// Package cache keeps answers of backends for a time, as Ocelot's output cache
// does (OutputCacheMiddleware, DefaultCacheKeyGenerator; recordings ca-*):
// every status and every method, whatever the response says about caching, and
// for all routes together.
//
// What Ocelot does not do: answers that vary with headers of the request are
// kept for each of their values; an answer to a client with credentials is kept
// only if it says that everybody may have it, and one that says that it is
// private never; neither is an answer to a part of a question (a range, a
// condition). Cookies are not handed to other clients, and memory is bounded.
package cache

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// The bounds of a store that are not set.
const (
	DefaultMaxEntries    = 10_000
	DefaultMaxBytes      = 64 << 20
	DefaultMaxEntryBytes = 1 << 20
)

// Options bound a [Store]. The zero value is the default.
type Options struct {
	MaxEntries    int   // 0: [DefaultMaxEntries]
	MaxBytes      int64 // of all answers together; 0: [DefaultMaxBytes]
	MaxEntryBytes int64 // of one body; 0: [DefaultMaxEntryBytes]
}

// Store keeps answers; when it is full, the one that was used longest ago goes.
// It is safe for concurrent use.
type Store struct {
	maxBytes, maxEntryBytes int64

	mu      sync.Mutex
	entries *simplelru.LRU[Key, *Entry] // guarded by mu
	bytes   int64                       // guarded by mu: of all entries
}

// NewStore returns an empty store.
func NewStore(o Options) *Store {
	s := &Store{maxBytes: orDefault(o.MaxBytes, DefaultMaxBytes), maxEntryBytes: orDefault(o.MaxEntryBytes, DefaultMaxEntryBytes)}
	forget := func(_ Key, e *Entry) { s.bytes -= e.size() }
	var err error
	if s.entries, err = simplelru.NewLRU(int(orDefault(int64(o.MaxEntries), DefaultMaxEntries)), forget); err != nil {
		panic(fmt.Sprintf("a cache with %+v: %v", o, err)) // a size above 0 is never refused
	}
	return s
}

func orDefault(v, otherwise int64) int64 {
	if v <= 0 {
		return otherwise
	}
	return v
}

// Entry is an answer that is kept. It must not be changed.
type Entry struct {
	Status int
	Header http.Header
	Body   []byte
	// Region is the part of the cache that the answer belongs to.
	Region string
	// Backend is the base URL of the backend that gave the answer.
	Backend string

	expires time.Time
	varies  []string // in place of an answer: the request headers that answers vary with
}

// size estimates the memory of an entry.
func (e *Entry) size() int64 {
	n := 256 + len(e.Body)
	for name, values := range e.Header {
		n += len(name) + 48
		for _, v := range values {
			n += len(v) + 16
		}
	}
	return int64(n)
}

// Get returns the answer for a key, nil if there is none that is young enough.
func (s *Store) Get(k Key) *Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.entries.Get(k)
	if !ok {
		return nil
	}
	if !time.Now().Before(e.expires) {
		s.entries.Remove(k)
		return nil
	}
	return e
}

// Put keeps an answer for a time, in place of an earlier one. One that is
// larger than the store is not kept.
func (s *Store) Put(k Key, e *Entry, ttl time.Duration) {
	e.expires = time.Now().Add(ttl)
	size := e.size()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries.Remove(k)
	if size > s.maxBytes {
		return
	}
	s.bytes += size
	s.entries.Add(k, e)
	for s.bytes > s.maxBytes {
		s.entries.RemoveOldest()
	}
}

// Clear forgets the answers of a region.
func (s *Store) Clear(region string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.entries.Keys() {
		if e, ok := s.entries.Peek(k); ok && e.Region == region {
			s.entries.Remove(k)
		}
	}
}

// Stats is what a store holds at one moment.
type Stats struct {
	Entries int
	Bytes   int64 // bookkeeping estimated
}

// Stats returns what the store holds now.
func (s *Store) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Stats{Entries: s.entries.Len(), Bytes: s.bytes}
}
