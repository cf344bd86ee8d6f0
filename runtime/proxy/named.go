package proxy

import (
	"maps"
	"net/http"
	"net/textproto"
	"strings"
)

// withoutNamed returns a request without the headers that its Connection names,
// which are about the client's connection only (RFC 9110, section 7.6.1). They go
// before anybody looks at the request: where a guard saw a header that the
// backend does not get, a client could be taken for one that it is not, or have
// the answer to one question kept for another.
func withoutNamed(r *http.Request) *http.Request {
	connection := r.Header["Connection"]
	if connection == nil {
		return r
	}
	var less *http.Request
	for _, value := range connection {
		for option := range strings.SplitSeq(value, ",") {
			name := textproto.CanonicalMIMEHeaderKey(textproto.TrimString(option))
			if r.Header[name] == nil || hopByHop(name) || everybodys(name) {
				continue
			}
			if less == nil {
				less = new(http.Request)
				*less = *r
				less.Header = maps.Clone(r.Header)
			}
			delete(less.Header, name)
		}
	}
	if less != nil {
		return less
	}
	return r
}

// everybodys reports whether a header, in canonical form, is for everybody on the
// way, so that nobody may name it in Connection. A client that does so wants to
// hide from the backend what somebody in front of the gateway says of it; the
// header stays.
func everybodys(name string) bool {
	for _, prefix := range []string{"Accept", "Content-", "If-", "Sec-", "X-Forwarded-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	switch name {
	case "Authorization", "Baggage", "Cache-Control", "Cookie", "Date", "Expect", "Forwarded", "From", "Max-Forwards", "Origin",
		"Pragma", "Range", "Referer", "Traceparent", "Tracestate", "True-Client-Ip", "User-Agent", "Via", "X-Client-Ip",
		"X-Correlation-Id", "X-Real-Ip", "X-Request-Id":
		return true
	}
	return false
}

// Own takes the headers of the client away that could be taken for one of the
// gateway's own, which a guard is about to write: those of that name, and those
// that differ from it in marks such as hyphens and underscores, which backends
// by CGI or WSGI do not tell apart.
func (x *Exchange) Own(name string) { own(x.Header(), name) }

func own(h http.Header, name string) {
	for other := range h {
		if looksLike(other, name) {
			delete(h, other)
		}
	}
}

// looksLike reports whether two names have the same letters and digits in the
// same places.
func looksLike(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if plainByte(a[i]) != plainByte(b[i]) {
			return false
		}
	}
	return true
}

// plainByte puts letters into lower case, and one mark in place of all.
func plainByte(c byte) byte {
	switch {
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		return c
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	}
	return '_'
}
