package wire

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// check returns why a request cannot be sent.
func check(req *http.Request, http10 bool) error {
	switch {
	case req.URL == nil || req.URL.Host == "":
		return protocolError("the request has no host")
	case req.URL.Scheme != "http":
		return protocolError("the scheme %q is none of plain HTTP/1.1", req.URL.Scheme)
	case !isToken(method(req)):
		return protocolError("invalid method %q", req.Method)
	case http10 && hasBody(req) && req.ContentLength <= 0:
		return protocolError("a body of unknown length can't be sent by HTTP/1.0")
	}
	return nil
}

func method(req *http.Request) string {
	if req.Method == "" {
		return http.MethodGet
	}
	return req.Method
}

// hasBody reports whether a request has a body. A length of 0 is then unknown,
// as for every client.
func hasBody(req *http.Request) bool { return req.Body != nil && req.Body != http.NoBody }

func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}

// writtenByUs reports whether a header, in canonical form, is written by
// whoever frames the message and not copied from the request.
func writtenByUs(name string) bool {
	switch name {
	case "Host", "Content-Length", "Transfer-Encoding", "Trailer":
		return true
	}
	return false
}

// appendHead appends the head of a request. Names are sorted: what is sent does
// not depend on the order of a map.
func appendHead(b []byte, req *http.Request, http10 bool) ([]byte, error) {
	b = append(b, method(req)...)
	b = append(b, ' ')
	target := req.URL.RequestURI()
	if !isTarget(target) {
		return nil, protocolError("invalid request target %q", target)
	}
	b = append(b, target...)
	if http10 {
		b = append(b, " HTTP/1.0\r\nHost: "...)
	} else {
		b = append(b, " HTTP/1.1\r\nHost: "...)
	}
	host := req.Host
	if host == "" {
		host = req.URL.Host
	}
	if !isValue(host) {
		return nil, protocolError("invalid host %q", host)
	}
	b = append(b, host...)
	b = append(b, "\r\n"...)
	b, err := appendFields(b, req.Header)
	if err != nil {
		return nil, err
	}
	return append(appendFraming(b, req), "\r\n"...), nil
}

func appendFields(b []byte, h http.Header) ([]byte, error) {
	var few [24]string
	names := few[:0]
	for name := range h {
		if !writtenByUs(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if !isToken(name) {
			return nil, protocolError("invalid header name %q", name)
		}
		for _, value := range h[name] {
			if !isValue(value) {
				return nil, protocolError("invalid value of the header %s", name) // it may be a secret
			}
			b = append(b, name...)
			b = append(b, ": "...)
			b = append(b, value...)
			b = append(b, "\r\n"...)
		}
	}
	return b, nil
}

// appendFraming says how long the body is. Methods that usually have one say so
// when they have none, others when the header does.
func appendFraming(b []byte, req *http.Request) []byte {
	switch {
	case !hasBody(req):
		switch method(req) {
		case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodDelete, http.MethodConnect:
			if said := req.Header["Content-Length"]; len(said) != 1 || said[0] != "0" {
				return b
			}
		}
		return append(b, "Content-Length: 0\r\n"...)
	case req.ContentLength > 0:
		b = append(b, "Content-Length: "...)
		b = strconv.AppendInt(b, req.ContentLength, 10)
		return append(b, "\r\n"...)
	}
	b = append(b, "Transfer-Encoding: chunked\r\n"...)
	if len(req.Trailer) > 0 {
		names := make([]string, 0, len(req.Trailer))
		for name := range req.Trailer {
			if isToken(name) && MayTrail(name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		if len(names) > 0 {
			b = append(b, "Trailer: "...)
			b = append(b, strings.Join(names, ", ")...)
			b = append(b, "\r\n"...)
		}
	}
	return b
}

// MayTrail reports whether a header, in canonical form, may stand behind a body:
// it has a meaning there, and does not change how the message is read, where it
// goes or who it is from (RFC 9110, section 6.5.1).
func MayTrail(name string) bool {
	switch name {
	case "Content-Length", "Transfer-Encoding", "Trailer", "Host", "Connection", "Content-Encoding", "Content-Type",
		"Content-Range", "Te", "Upgrade", "Keep-Alive", "Proxy-Connection", "Authorization", "Set-Cookie", "Cookie":
		return false
	}
	return true
}
