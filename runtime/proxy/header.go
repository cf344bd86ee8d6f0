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
	case "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Te", "Trailer", "Transfer-Encoding", "Upgrade":
		return true
	}
	return false
}

// endToEnd returns a copy of a header without what is about one connection.
func endToEnd(h http.Header) http.Header {
	out := make(http.Header, len(h)+2)
	named := h["Connection"]
	for name, values := range h {
		if !hopByHop(name) && (named == nil || !isNamed(named, name)) {
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

// passed returns the client's header as it is sent on: the very map where
// nothing in it is about one connection.
func (x *Exchange) passed() http.Header {
	h := x.Request.Header
	clean := true
	for name := range h {
		if hopByHop(name) {
			clean = false
			break
		}
	}
	upgrade := x.Upgrade()
	if clean && !x.proxy.options.ForwardedHeaders && h["User-Agent"] != nil {
		return h
	}
	out := x.Header()
	if h["User-Agent"] == nil {
		out["User-Agent"] = nil // else the library adds its own
	}
	if upgrade != "" {
		out["Connection"], out["Upgrade"] = []string{"Upgrade"}, []string{upgrade}
	}
	return out
}
