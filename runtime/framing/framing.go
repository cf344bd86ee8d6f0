// Package framing reads where requests of HTTP/1.1 and HTTP/1.0 begin and end,
// from the bytes of a connection, before anybody parses them.
//
// Two programs that see the ends of a request in different places let a client
// hide a second request in the first. A parser in between mends what it can and
// tells nobody: net/http takes lines without a carriage return, folded headers,
// and a Content-Length beside chunks. So nothing is mended here. A [Scanner]
// reads heads and a [Body] what follows them, by the grammar of RFC 9112 and
// nothing else; what has two readings is refused with a [Refusal].
//
// The limits of a head are those of Kestrel, which runs under Ocelot
// (recordings of group 10). The package allocates nothing, keeps no bytes and
// knows no connections.
package framing

import (
	"iter"
	"net/http"
)

// Limits of heads that nobody can move, as in Kestrel with its defaults.
const (
	// MaxLine is the number of bytes of a request line, its end included
	// (kestrel/069). Beyond is 414.
	MaxLine = 8 << 10
	// MaxFields is the number of header lines (kestrel/073). Beyond is 431.
	MaxFields = 100
	// DefaultFieldBytes is the number of bytes of all header lines, their ends
	// included (kestrel/078), unless told otherwise. Beyond is 431.
	DefaultFieldBytes = 32 << 10
)

// Refusal says what is wrong with the bytes of a request. The zero value is
// nothing.
type Refusal uint8

// What is wrong with a request.
const (
	NoRequestLine Refusal = iota + 1
	LongLine
	UnknownVersion
	BareLineFeed
	FoldedField
	FieldName
	FieldValue
	LargeFields
	ManyFields
	NoHost
	OtherHost
	BadLength
	SeveralLengths
	BadCoding
	OldCoding
	LengthBesideCoding
	NoLength
	ChunkSize
	ChunkExtension
	ChunkEnd
	TrailerField
	LargeTrailer

	// Kinds is one more than the last.
	Kinds
)

// refusals say of each its name, its words and its status, which is that of
// Kestrel where it refuses too.
var refusals = [Kinds]struct {
	name, words string
	status      int
}{
	{"none", "nothing is wrong", 0},
	NoRequestLine:      {"no-request-line", "the first line is no request line", http.StatusBadRequest},
	LongLine:           {"long-line", "the request line is too long", http.StatusRequestURITooLong},
	UnknownVersion:     {"unknown-version", "the version is neither HTTP/1.1 nor HTTP/1.0", http.StatusHTTPVersionNotSupported},
	BareLineFeed:       {"bare-line-feed", "a line ends with a line feed alone", http.StatusBadRequest},
	FoldedField:        {"folded-field", "a header goes on in the next line", http.StatusBadRequest},
	FieldName:          {"field-name", "a header has a malformed name", http.StatusBadRequest},
	FieldValue:         {"field-value", "a header has a control character in its value", http.StatusBadRequest},
	LargeFields:        {"large-fields", "the headers are too large", http.StatusRequestHeaderFieldsTooLarge},
	ManyFields:         {"many-fields", "there are too many headers", http.StatusRequestHeaderFieldsTooLarge},
	NoHost:             {"no-host", "there is not exactly one Host", http.StatusBadRequest},
	OtherHost:          {"other-host", "the target names another host than Host does", http.StatusBadRequest},
	BadLength:          {"bad-length", "the Content-Length is no number of bytes", http.StatusBadRequest},
	SeveralLengths:     {"several-lengths", "there is more than one Content-Length", http.StatusBadRequest},
	BadCoding:          {"bad-coding", "the Transfer-Encoding is not just chunked", http.StatusBadRequest},
	OldCoding:          {"old-coding", "HTTP/1.0 has no Transfer-Encoding", http.StatusBadRequest},
	LengthBesideCoding: {"length-beside-coding", "there is a Content-Length beside a Transfer-Encoding", http.StatusBadRequest},
	NoLength:           {"no-length", "HTTP/1.0 has no way to tell the length of the body", http.StatusBadRequest},
	ChunkSize:          {"chunk-size", "the size of a chunk is no number", http.StatusBadRequest},
	ChunkExtension:     {"chunk-extension", "the extension of a chunk is malformed or too long", http.StatusBadRequest},
	ChunkEnd:           {"chunk-end", "a chunk is not as long as it says", http.StatusBadRequest},
	TrailerField:       {"trailer-field", "a trailer is malformed", http.StatusBadRequest},
	LargeTrailer:       {"large-trailer", "the trailers are too large", http.StatusBadRequest},
}

// All returns every refusal.
func All() iter.Seq[Refusal] {
	return func(yield func(Refusal) bool) {
		for r := Refusal(1); r < Kinds && yield(r); r++ {
		}
	}
}

// Error words it, without a text of the client's.
func (r Refusal) Error() string { return refusals[r].words }

// Name is what metrics call it, such as "length-beside-coding".
func (r Refusal) Name() string { return refusals[r].name }

// Status is the status that answers it; 0 of the zero value.
func (r Refusal) Status() int { return refusals[r].status }
