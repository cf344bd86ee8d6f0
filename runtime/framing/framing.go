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

import "net/http"

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
)

// Error words it, without a text of the client's.
func (r Refusal) Error() string {
	switch r {
	case NoRequestLine:
		return "the first line is no request line"
	case LongLine:
		return "the request line is too long"
	case UnknownVersion:
		return "the version is neither HTTP/1.1 nor HTTP/1.0"
	case BareLineFeed:
		return "a line ends with a line feed alone"
	case FoldedField:
		return "a header goes on in the next line"
	case FieldName:
		return "a header has a malformed name"
	case FieldValue:
		return "a header has a control character in its value"
	case LargeFields:
		return "the headers are too large"
	case ManyFields:
		return "there are too many headers"
	case NoHost:
		return "there is not exactly one Host"
	case OtherHost:
		return "the target names another host than Host does"
	case BadLength:
		return "the Content-Length is no number of bytes"
	case SeveralLengths:
		return "there is more than one Content-Length"
	case BadCoding:
		return "the Transfer-Encoding is not just chunked"
	case OldCoding:
		return "HTTP/1.0 has no Transfer-Encoding"
	case LengthBesideCoding:
		return "there is a Content-Length beside a Transfer-Encoding"
	case NoLength:
		return "HTTP/1.0 has no way to tell the length of the body"
	}
	return r.bodyError()
}

func (r Refusal) bodyError() string {
	switch r {
	case ChunkSize:
		return "the size of a chunk is no number"
	case ChunkExtension:
		return "the extension of a chunk is malformed or too long"
	case ChunkEnd:
		return "a chunk is not as long as it says"
	case TrailerField:
		return "a trailer is malformed"
	case LargeTrailer:
		return "the trailers are too large"
	}
	return "nothing is wrong"
}

// Status is the status that answers it: that of Kestrel where it refuses too.
func (r Refusal) Status() int {
	switch r {
	case LongLine:
		return http.StatusRequestURITooLong
	case UnknownVersion:
		return http.StatusHTTPVersionNotSupported
	case LargeFields, ManyFields:
		return http.StatusRequestHeaderFieldsTooLarge
	}
	return http.StatusBadRequest
}
