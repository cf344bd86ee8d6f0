package fallback

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// The bounds of a cache that are not set.
const (
	DefaultMaxEntries    = 1024
	DefaultMaxBytes      = 64 << 20
	DefaultMaxEntryBytes = 1 << 20
)

// maxVariants is how many answers to one URL are kept for requests that differ
// in what the response varies by.
const maxVariants = 4

// CacheOptions bound a [Cache]. Only StaleIfError must be set.
type CacheOptions struct {
	// StaleIfError is how old a response may be that answers in place of a
	// failure, above 0. A response may shorten that for itself.
	StaleIfError time.Duration

	MaxEntries    int   // URLs; 0: [DefaultMaxEntries]
	MaxBytes      int64 // of everything that is kept; 0: [DefaultMaxBytes]
	MaxEntryBytes int64 // of one response body; 0: [DefaultMaxEntryBytes]

	// Key returns what identifies a resource, where the URL does not, for example
	// because the host is one of several that serve the same. The method is added
	// to it. Nil: the URL.
	Key func(req *http.Request) string

	// Credentials are the request fields that make a response the requester's own:
	// it is kept only if it is marked public. Nil: Authorization, Cookie and
	// Proxy-Authorization.
	Credentials []string

	// Now is the clock. Nil: time.Now, whose monotonic reading counts.
	Now func() time.Time
}

// Validate returns everything in o that makes no cache, or nil.
func (o CacheOptions) Validate() error {
	var errs []error
	if o.StaleIfError <= 0 {
		errs = append(errs, fmt.Errorf("stale-if-error %v is out of range: it must be above 0", o.StaleIfError))
	}
	if o.MaxEntries < 0 || o.MaxBytes < 0 || o.MaxEntryBytes < 0 {
		errs = append(errs, fmt.Errorf("cache bounds of %d entries, %d bytes and %d bytes an entry are out of range: they must be 0 or more",
			o.MaxEntries, o.MaxBytes, o.MaxEntryBytes))
	}
	return errors.Join(errs...)
}

// Cache keeps the last good responses to GET and HEAD requests, the least
// recently used ones going first. It is safe for concurrent use.
//
// It is a shared cache in the sense of RFC 9111: it keeps nothing that is
// private, nothing that must be revalidated, and no answer to a request with
// credentials unless the response says it is public.
type Cache struct {
	maxAge        time.Duration
	maxBytes      int64
	maxEntryBytes int64
	key           func(*http.Request) string
	credentials   []string
	now           func() time.Time

	mu      sync.Mutex
	entries *simplelru.LRU[string, *entry] // guarded by mu
	bytes   int64                          // guarded by mu: of all entries
}

// NewCache returns an empty cache. It refuses what [CacheOptions.Validate]
// refuses.
func NewCache(o CacheOptions) (*Cache, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	c := &Cache{
		maxAge:        o.StaleIfError,
		maxBytes:      orDefault(o.MaxBytes, DefaultMaxBytes),
		maxEntryBytes: orDefault(o.MaxEntryBytes, DefaultMaxEntryBytes),
		key:           o.Key,
		now:           o.Now,
	}
	names := o.Credentials
	if names == nil {
		names = credentials()
	}
	c.credentials = fields(names)
	if c.key == nil {
		c.key = func(req *http.Request) string { return req.URL.String() }
	}
	if c.now == nil {
		c.now = time.Now
	}
	forget := func(_ string, e *entry) { c.bytes -= e.bytes }
	var err error
	c.entries, err = simplelru.NewLRU(int(orDefault(int64(o.MaxEntries), DefaultMaxEntries)), forget)
	if err != nil {
		return nil, fmt.Errorf("make the cache: %w", err)
	}
	return c, nil
}

// Stats is what a cache holds at one moment.
type Stats struct {
	Entries int   // URLs
	Bytes   int64 // of everything that is kept, bookkeeping estimated
}

// Stats returns what the cache holds now.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{Entries: c.entries.Len(), Bytes: c.bytes}
}

func orDefault(v, otherwise int64) int64 {
	if v == 0 {
		return otherwise
	}
	return v
}

// find returns the stored response that may answer req now, or nil. What is too
// old is forgotten.
func (c *Cache) find(key string, req *http.Request) *variant {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Get(key)
	if !ok {
		return nil
	}
	v := e.match(req)
	if v == nil || v.age(now) <= v.limit {
		return v
	}
	c.bytes -= e.drop(v)
	if len(e.variants) == 0 {
		c.entries.Remove(key)
	}
	return nil
}

// keep stores v, in place of an earlier answer to the same request.
func (c *Cache) keep(key string, v *variant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Get(key)
	if !ok {
		e = newEntry(key)
		c.bytes += e.bytes
		c.entries.Add(key, e)
	}
	c.bytes += e.put(v)
	for c.bytes > c.maxBytes {
		c.entries.RemoveOldest()
	}
}
