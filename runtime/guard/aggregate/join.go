// Package aggregate makes one answer of the answers of several routes, as
// Ocelot's MultiplexingMiddleware and SimpleJsonResponseAggregator do
// (recordings ag-*): a JSON object with one member for each route, a list where
// a route was asked more than once.
//
// Ocelot pastes what a route answers between the braces, whatever it is. Here
// an answer that is not JSON becomes JSON: a text a string, nothing null, and a
// failure an object that says what failed.
package aggregate

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// Part is the answer to one call of a route.
type Part struct {
	// Key is the name of the route in the joined object.
	Key string
	// Status, ContentType and Body are those of the answer.
	Status      int
	ContentType string
	Body        []byte
}

// Join returns the joined object. Routes stand in the order of their first
// part; of several parts of one route those without content are left out.
func Join(parts []Part) []byte {
	var keys []string
	byKey := map[string][]*Part{}
	for i := range parts {
		p := &parts[i]
		if byKey[p.Key] == nil {
			keys = append(keys, p.Key)
		}
		byKey[p.Key] = append(byKey[p.Key], p)
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, key := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(key))
		b.WriteByte(':')
		writeMember(&b, byKey[key])
	}
	b.WriteByte('}')
	return b.Bytes()
}

func writeMember(b *bytes.Buffer, parts []*Part) {
	if len(parts) == 1 {
		b.Write(parts[0].json())
		return
	}
	b.WriteByte('[')
	first := true
	for _, p := range parts {
		if len(bytes.TrimSpace(p.Body)) == 0 && p.Status < http.StatusBadRequest {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.Write(p.json())
	}
	b.WriteByte(']')
}

// json returns the part as JSON: its own where it is some.
func (p *Part) json() []byte {
	text := p.text()
	switch {
	case json.Valid(text):
		return text
	case p.Status >= http.StatusBadRequest:
		return p.failure(text)
	case len(bytes.TrimSpace(text)) == 0:
		return []byte("null")
	}
	return quoted(string(text))
}

// failure describes a failed call in the manner of RFC 9457.
func (p *Part) failure(text []byte) []byte {
	return encoded(struct {
		Title  string `json:"title,omitempty"`
		Status int    `json:"status"`
		Detail string `json:"detail,omitempty"`
	}{http.StatusText(p.Status), p.Status, string(bytes.TrimSpace(text))})
}

// text returns the body in UTF-8, read as its type says.
func (p *Part) text() []byte {
	_, parameters, err := mime.ParseMediaType(p.ContentType)
	charset := strings.Trim(parameters["charset"], `"' `)
	if err != nil || charset == "" || strings.EqualFold(charset, "utf-8") {
		return valid(bytes.TrimPrefix(p.Body, []byte("\ufeff")))
	}
	encoding, err := htmlindex.Get(charset)
	if err != nil {
		return valid(p.Body)
	}
	text, err := encoding.NewDecoder().Bytes(p.Body)
	if err != nil {
		return valid(p.Body)
	}
	return valid(text)
}

func valid(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	return bytes.ToValidUTF8(text, []byte("\ufffd"))
}

func quoted(text string) []byte { return encoded(text) }

// encoded returns a value as JSON, without regard to HTML.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return []byte("null") // texts and numbers always encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
