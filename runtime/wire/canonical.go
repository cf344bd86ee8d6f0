package wire

import "net/textproto"

// canonical returns the canonical form of the name of a header, without new
// memory for those that come often.
func canonical(name string) string {
	if known, ok := known[name]; ok {
		return known
	}
	return textproto.CanonicalMIMEHeaderKey(name)
}

var known = knownNames("Accept-Ranges", "Access-Control-Allow-Credentials", "Access-Control-Allow-Headers",
	"Access-Control-Allow-Methods", "Access-Control-Allow-Origin", "Age", "Allow", "Alt-Svc", "Cache-Control",
	"Connection", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length",
	"Content-Location", "Content-Range", "Content-Security-Policy", "Content-Type", "Date", "Etag", "Expires",
	"Keep-Alive", "Last-Modified", "Link", "Location", "Pragma", "Proxy-Authenticate", "Referrer-Policy",
	"Retry-After", "Server", "Set-Cookie", "Strict-Transport-Security", "Trailer", "Transfer-Encoding", "Upgrade",
	"Vary", "Via", "Www-Authenticate", "X-Content-Type-Options", "X-Correlation-Id", "X-Frame-Options",
	"X-Powered-By", "X-Request-Id", "X-Xss-Protection")

func knownNames(names ...string) map[string]string {
	m := make(map[string]string, 3*len(names))
	for _, name := range names {
		m[name] = name
		lower := []byte(name)
		for i, c := range lower {
			if 'A' <= c && c <= 'Z' {
				lower[i] = c + 'a' - 'A'
			}
		}
		m[string(lower)] = name
	}
	m["ETag"], m["WWW-Authenticate"], m["X-Request-ID"] = "Etag", "Www-Authenticate", "X-Request-Id"
	return m
}
