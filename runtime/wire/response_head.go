package wire

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"strings"
)

// reply is a response with all that belongs to it, in one piece of memory.
type reply struct {
	http.Response
	content body
}

// headEnd finds the empty line behind a head, of which the first bytes were
// searched before: where the head ends, and where what follows begins. Lines
// end in CR LF or in LF alone (RFC 9112, section 2.2).
func headEnd(b []byte, searched int) (end, next int) {
	for at := max(0, searched-3); ; {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			return -1, 0
		}
		at += i + 1
		switch {
		case at < len(b) && b[at] == '\n':
			return at, at + 1
		case at+1 < len(b) && b[at] == '\r' && b[at+1] == '\n':
			return at, at + 2
		}
	}
}

// parse reads a head, whose lines all end in LF.
func (r *reply) parse(head []byte) error {
	text := string(head)
	line, rest, _ := strings.Cut(text, "\n")
	if err := r.parseStatus(strings.TrimSuffix(line, "\r")); err != nil {
		return err
	}
	header, err := parseFields(rest)
	r.Header = header
	return err
}

// parseStatus reads "HTTP/1.1 200 OK"; the reason may be missing, with its
// space.
func (r *reply) parseStatus(line string) error {
	version, status, ok := strings.Cut(line, " ")
	if !ok || len(version) != len("HTTP/1.1") || version[:7] != "HTTP/1." || version[7] < '0' || version[7] > '9' {
		return protocolError("malformed status line %q", line)
	}
	code, _, _ := strings.Cut(status, " ")
	n, err := strconv.ParseUint(code, 10, 16)
	if err != nil || len(code) != 3 || n < 100 || !isValue(line) {
		return protocolError("malformed status line %q", line)
	}
	r.Status, r.StatusCode = status, int(n)
	r.Proto, r.ProtoMajor, r.ProtoMinor = version, 1, int(version[7]-'0')
	return nil
}

// parseFields reads the lines of a header. The values share the memory of text.
func parseFields(text string) (http.Header, error) {
	n := strings.Count(text, "\n")
	header := make(http.Header, n)
	values := make([]string, 0, n)
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimSuffix(line, "\r")
		whole := len(line)
		for text != "" && (text[0] == ' ' || text[0] == '\t') { // an old way to break lines
			var more string
			more, text, _ = strings.Cut(text, "\n")
			line += "  " + strings.TrimSuffix(more, "\r") // a space for CR and one for LF, as in .NET (resp/123)
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || !isToken(name) {
			return nil, protocolError("malformed header line %q", name)
		}
		if value = trim(value); !isValue(value) {
			return nil, protocolError("invalid value of the header %s", name)
		}
		name = canonical(name)
		if len(line) > whole && (name == "Transfer-Encoding" || name == "Content-Length") {
			return nil, protocolError("a broken line says where the response ends: %s", name)
		}
		if before, repeated := header[name]; repeated {
			header[name] = append(before, value)
			continue
		}
		values = append(values, value)
		header[name] = values[len(values)-1 : len(values) : len(values)]
	}
	return header, nil
}

func trim(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}

// framing returns the length of the body of a response to a method: -1 when its
// end shows only while it is read (RFC 9112, section 6.3).
func framing(r *reply, method string) (length int64, chunked bool, err error) {
	coding, coded := r.Header["Transfer-Encoding"]
	lengths := r.Header["Content-Length"]
	switch {
	case coded && (len(coding) != 1 || !strings.EqualFold(coding[0], "chunked")):
		return 0, false, protocolError("unsupported transfer coding %q", coding)
	case coded && r.ProtoMinor == 0:
		return 0, false, protocolError("a transfer coding in HTTP/1.0")
	}
	length = -1
	for _, text := range lengths {
		n, err := parseLength(text)
		if err != nil || text != lengths[0] { // "05" beside "5" too: not everybody counts so
			return 0, false, protocolError("bad Content-Length %q", lengths)
		}
		length = n
	}
	switch {
	case coded:
		delete(r.Header, "Content-Length")
	case len(lengths) > 1:
		r.Header["Content-Length"] = lengths[:1]
	}
	switch {
	case method == http.MethodHead, r.StatusCode == http.StatusNoContent, r.StatusCode == http.StatusNotModified:
		return 0, false, nil
	case coded:
		return -1, true, nil
	}
	return length, false, nil
}

var errLength = errors.New("no length")

// parseLength reads digits and nothing else.
func parseLength(text string) (int64, error) {
	if text == "" || text[0] < '0' || text[0] > '9' {
		return 0, errLength
	}
	n, err := strconv.ParseUint(text, 10, 63)
	return int64(n), err
}

// headLength is the length that a response to HEAD speaks of.
func headLength(r *reply) int64 {
	if v := r.Header["Content-Length"]; len(v) > 0 {
		n, _ := parseLength(v[0])
		return n
	}
	return -1
}

// announceTrailers takes the names of the trailers out of the header.
func (r *reply) announceTrailers() error {
	names := r.Header["Trailer"]
	delete(r.Header, "Trailer")
	for _, value := range names {
		for name := range strings.SplitSeq(value, ",") {
			if name = canonical(trim(name)); isToken(name) && MayTrail(name) {
				if r.Trailer == nil {
					r.Trailer = http.Header{}
				}
				r.Trailer[name] = nil
			}
		}
	}
	return nil
}
