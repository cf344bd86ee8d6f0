package fallback

import (
	"net/http"
	"net/textproto"
	"slices"
	"strings"
)

// credentials are the header fields that make a request somebody's own.
func credentials() []string { return []string{"Authorization", "Cookie", "Proxy-Authorization"} }

// answersRequest reports whether a stored response may answer req at all: a
// plain GET or HEAD that does not insist on a fresh answer.
func answersRequest(req *http.Request) bool {
	switch {
	case req.Method != http.MethodGet && req.Method != http.MethodHead && req.Method != "":
		return false
	case req.Body != nil && req.Body != http.NoBody:
		return false
	case req.Header.Get("Range") != "" || req.Header.Get("Upgrade") != "":
		return false
	}
	d := parseDirectives(req.Header)
	return !d.noStore && !d.noCache
}

// storable reports whether resp may be kept to answer other requests later.
// Unlike a cache that saves work, this one only ever answers when the response
// is stale or as good as stale, so whatever forbids that forbids to store.
func (c *Cache) storable(req *http.Request, resp *http.Response, d *directives) bool {
	switch {
	case !answersRequest(req) || !isGood(resp.StatusCode) || !d.allowStale():
		return false
	case c.hasCredentials(req) && !d.public:
		return false
	case resp.Header["Set-Cookie"] != nil || len(resp.Trailer) > 0:
		return false
	case resp.ContentLength > c.maxEntryBytes:
		return false
	}
	return !slices.Contains(varyNames(resp.Header), "*")
}

// isGood reports whether a response with this status can stand in for a later
// one.
func isGood(code int) bool {
	return code == http.StatusOK || code == http.StatusNonAuthoritativeInfo || code == http.StatusNoContent
}

func (c *Cache) hasCredentials(req *http.Request) bool {
	return slices.ContainsFunc(c.credentials, func(name string) bool { return len(req.Header[name]) > 0 })
}

// varyNames returns the canonical names of the request fields that a response
// depends on.
func varyNames(h http.Header) []string { return fields(h["Vary"]) }

// fields returns the members of a comma-separated list as canonical names.
func fields(lines []string) (names []string) {
	for _, line := range lines {
		for name := range strings.SplitSeq(line, ",") {
			if name = textproto.CanonicalMIMEHeaderKey(textproto.TrimString(name)); name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// storedHeader returns a copy of h without what belongs to one connection.
func storedHeader(h http.Header) http.Header {
	kept := h.Clone()
	if kept == nil {
		kept = http.Header{}
	}
	for _, name := range fields(h["Connection"]) {
		delete(kept, name)
	}
	for _, name := range []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info",
		"Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"} {
		delete(kept, name)
	}
	return kept
}
