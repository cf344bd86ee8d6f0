package fallback

import (
	"net/http"
	"slices"
	"time"
)

// What an entry and a variant cost beside their texts, roughly.
const (
	entryOverhead   = 200
	variantOverhead = 300
	fieldOverhead   = 50
)

// entry holds the answers to one URL, the latest first. Whoever holds one holds
// the cache's lock.
type entry struct {
	variants []*variant
	bytes    int64
}

func newEntry(key string) *entry { return &entry{bytes: entryOverhead + int64(len(key))} }

// match returns the latest answer that was given to a request like req, or nil.
func (e *entry) match(req *http.Request) *variant {
	for _, v := range e.variants {
		if v.answers(req) {
			return v
		}
	}
	return nil
}

// put adds v in front, removes what it replaces, and returns how many bytes
// that is more.
func (e *entry) put(v *variant) int64 {
	before := e.bytes
	e.variants = slices.DeleteFunc(e.variants, func(old *variant) bool {
		replaced := old.sameRequest(v)
		if replaced {
			e.bytes -= old.bytes
		}
		return replaced
	})
	e.variants = slices.Insert(e.variants, 0, v)
	e.bytes += v.bytes
	if len(e.variants) > maxVariants {
		e.drop(e.variants[maxVariants])
	}
	return e.bytes - before
}

// drop removes v and returns its bytes.
func (e *entry) drop(v *variant) int64 {
	e.variants = slices.DeleteFunc(e.variants, func(old *variant) bool { return old == v })
	e.bytes -= v.bytes
	return v.bytes
}

// variant is one response. It never changes.
type variant struct {
	vary   []string // request fields that it depends on
	values [][]string

	status        int
	header        http.Header
	body          []byte
	contentLength int64 // of the response; a HEAD has no body to count

	stored  time.Time
	initial time.Duration // its age when it was stored
	limit   time.Duration // the age until which it may be used
	bytes   int64
}

func (v *variant) age(now time.Time) time.Duration { return v.initial + now.Sub(v.stored) }

// answers reports whether req has the values that the response depends on.
func (v *variant) answers(req *http.Request) bool {
	for i, name := range v.vary {
		if !slices.Equal(req.Header[name], v.values[i]) {
			return false
		}
	}
	return true
}

// sameRequest reports whether v and w depend on the same fields with the same
// values. A response that depends on other fields than before replaces nothing:
// the older ones age away.
func (v *variant) sameRequest(w *variant) bool {
	return slices.Equal(v.vary, w.vary) &&
		slices.EqualFunc(v.values, w.values, func(a, b []string) bool { return slices.Equal(a, b) })
}

// size returns what v costs.
func (v *variant) size() int64 {
	n := int64(variantOverhead + len(v.body))
	for name, values := range v.header {
		n += fieldOverhead + int64(len(name))
		for _, value := range values {
			n += int64(len(value))
		}
	}
	for i, name := range v.vary {
		n += fieldOverhead + int64(len(name))
		for _, value := range v.values[i] {
			n += int64(len(value))
		}
	}
	return n
}
