package cache

import (
	"mime"
	"net/http"
	"strings"
)

// HasCredentials reports whether a request says who its client is.
func HasCredentials(h http.Header) bool {
	return h["Authorization"] != nil || h["Cookie"] != nil || h["Proxy-Authorization"] != nil
}

// IsPartial reports whether a request asks for a part of an answer, or only
// under a condition: the answer is of no use to others.
func IsPartial(h http.Header) bool {
	for _, name := range [...]string{"Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"} {
		if h[name] != nil {
			return true
		}
	}
	return false
}

// IsShared reports whether a response to a client with credentials may be given
// to others: it says that it is public, or for how long shared caches may keep
// it (RFC 9111, section 3.5).
func IsShared(response http.Header) bool {
	shared := false
	for _, line := range response["Cache-Control"] {
		for directive := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
			switch strings.ToLower(name) {
			case "public":
				shared = true
			case "s-maxage":
				shared = shared || strings.Trim(value, `"0`) != ""
			case "private", "no-store":
				return false
			}
		}
	}
	return shared
}

// IsPrivate reports whether a response says that it is for one client alone. What
// else it says of caches is passed over, as by Ocelot: no-store of a response to
// a client without credentials too (ca-status/001), as TtlSeconds is the word of
// who runs the gateway.
func IsPrivate(response http.Header) bool {
	for _, line := range response["Cache-Control"] {
		for directive := range strings.SplitSeq(line, ",") {
			if name, _, _ := strings.Cut(strings.TrimSpace(directive), "="); strings.EqualFold(name, "private") {
				return true
			}
		}
	}
	return false
}

// isEndless reports whether a response goes on until somebody hangs up.
func isEndless(h http.Header) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && kind == "text/event-stream"
}
