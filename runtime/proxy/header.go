package proxy

import (
	"net/http"
	"net/textproto"
	"strings"
)

// hopByHop reports whether a header, in canonical form, is about one connection
// (RFC 9110, section 7.6.1) or is written by whoever frames the message.
func hopByHop(name string) bool {
	switch name {
	case "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
		"Http2-Settings":
		return true
	}
	return false
}

// endToEnd returns a copy of the header of a request without what is about one
// connection.
func endToEnd(r *http.Request) http.Header {
	out := make(http.Header, len(r.Header)+2)
	without := bodiless(r)
	for name, values := range r.Header {
		if stays(name, without) {
			out[name] = append([]string(nil), values...)
		}
	}
	return out
}

// isNamed reports whether the values of Connection name a header.
func isNamed(connection []string, name string) bool {
	for _, value := range connection {
		for option := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(textproto.TrimString(option), name) {
				return true
			}
		}
	}
	return false
}

// ofContent reports whether a header is about a body, so that it is not sent
// where there is none (hdr-req/033 to 035).
func ofContent(name string) bool {
	switch name {
	case "Content-Type", "Content-Encoding", "Content-Language", "Content-Location", "Content-Range", "Content-Md5",
		"Content-Disposition":
		return true
	}
	return false
}

// ofResponse reports whether a header means nothing in a request, so that
// Ocelot drops it there (body-req/034).
func ofResponse(name string) bool {
	return name == "Allow" || name == "Expires" || name == "Last-Modified"
}

// stays reports whether a header of a request goes on to the backend.
func stays(name string, bodiless bool) bool {
	switch name[0] {
	case 'C':
		return name != "Connection" && !(bodiless && ofContent(name))
	case 'A', 'E', 'L':
		return !ofResponse(name)
	}
	return !hopByHop(name)
}

// bodiless reports whether a request says neither how long its body is nor that
// it comes in chunks.
func bodiless(r *http.Request) bool { return r.ContentLength == 0 && r.Header["Content-Length"] == nil }

// passed returns the client's header as it is sent on: the very map where
// everything in it stays.
func (x *Exchange) passed() http.Header {
	h := x.Request.Header
	clean := !x.proxy.options.ForwardedHeaders && h["User-Agent"] != nil
	without := bodiless(x.Request)
	for name := range h {
		if !stays(name, without) {
			clean = false
			break
		}
	}
	if clean {
		return h
	}
	return x.Header()
}

// complete adds what concerns the new connection to a header of our own.
func (x *Exchange) complete(out http.Header) {
	if out["User-Agent"] == nil {
		out["User-Agent"] = nil // else the library adds its own
	}
	if x.proxy.options.ForwardedHeaders {
		x.forwarded(out)
	}
	if upgrade := x.Upgrade(); upgrade != "" && x.served.upgrades {
		out["Connection"], out["Upgrade"] = []string{"Upgrade"}, []string{upgrade}
	} else if trailersWanted(x.Request.Header["Te"]) {
		out["Te"] = []string{"trailers"}
	}
}

// trailersWanted reports whether a client reads trailers.
func trailersWanted(te []string) bool {
	for _, value := range te {
		for coding := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(textproto.TrimString(coding), "trailers") {
				return true
			}
		}
	}
	return false
}

// forwarded says who asked. What the client says of that itself is not passed
// on: nobody here knows which of it to believe.
func (x *Exchange) forwarded(out http.Header) {
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"} {
		own(out, name)
	}
	out["X-Forwarded-For"] = []string{x.ClientIP()}
	out["X-Forwarded-Host"] = []string{x.Request.Host}
	out["X-Forwarded-Proto"] = []string{x.scheme()}
}
