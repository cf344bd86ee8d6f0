package framing

import "net/http"

// OfRequest judges a request that a server has parsed already: what it holds
// against the limits of Kestrel can still be seen then, what its bytes were
// cannot. It is for HTTP/2, whose framing has one reading, and for handlers
// that stand behind any server.
func OfRequest(r *http.Request) Refusal {
	if r.ProtoMajor == 1 {
		switch {
		case r.ProtoMinor > 1:
			return UnknownVersion
		case r.ProtoMinor == 0 && r.ContentLength == 0 && r.Header["Content-Length"] == nil &&
			(r.Method == http.MethodPost || r.Method == http.MethodPut):
			return NoLength // kestrel/046
		}
	}
	if len(r.Method)+len(r.RequestURI)+len("  HTTP/1.1\r\n") > MaxLine {
		return LongLine
	}
	if len(r.Header) <= MaxFields/2 {
		return 0 // their bytes are bounded anyway
	}
	lines := 1 // Host
	for _, values := range r.Header {
		lines += len(values)
	}
	if lines > MaxFields {
		return ManyFields
	}
	return 0
}
