package cache

import (
	"crypto/sha256"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"time"
)

// Find returns the answer to a request with the given header, nil if there is
// none that is young enough. Where answers vary with headers of the request,
// there is one for each combination of their values.
func (s *Store) Find(k Key, request http.Header) *Entry {
	e := s.Get(k)
	if e == nil || e.varies == nil {
		return e
	}
	return s.Get(k.variant(e.varies, request))
}

// put keeps an answer to a request. One that says that it varies is kept under
// a key of its own, and the first key says with what.
func (s *Store) put(k Key, e *Entry, request http.Header, ttl time.Duration) {
	varies, ok := variesBy(e.Header)
	switch {
	case !ok:
	case varies == nil:
		s.Put(k, e, ttl)
	default:
		s.Put(k, &Entry{Region: e.Region, varies: varies}, ttl)
		s.Put(k.variant(varies, request), e, ttl)
	}
}

// variesBy returns the request headers that a response varies with, in
// canonical form and sorted; false if it varies with something else.
func variesBy(response http.Header) (names []string, ok bool) {
	for _, line := range response["Vary"] {
		for name := range strings.SplitSeq(line, ",") {
			switch name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name)); name {
			case "":
			case "*":
				return nil, false
			default:
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), true
}

// variant returns the key of the answer to requests with these headers.
func (k Key) variant(names []string, request http.Header) Key {
	text := make([]byte, 0, 256)
	text = append(text, k[:]...)
	for _, name := range names {
		text = append(append(text, name...), '\n')
		for _, value := range request[name] {
			text = append(append(text, value...), '\n')
		}
		text = append(text, '\n')
	}
	return sha256.Sum256(text)
}
