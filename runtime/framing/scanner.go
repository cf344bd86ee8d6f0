package framing

import "bytes"

// Head is what a head says of its message.
type Head struct {
	// Skip is the number of bytes of empty lines in front of it, which belong to
	// no message (kestrel/013, kestrel/014).
	Skip int
	// Size is the number of its bytes with Skip and the empty line at its end.
	Size int
	// Length is the number of bytes of the body; -1 is a body in chunks.
	Length int64
	// Upgrade tells that the client wants to go over to another protocol: what
	// follows the message may be no HTTP.
	Upgrade bool
}

// Scanner reads one head, which may come in pieces. Its zero value is ready;
// assign the zero value, with FieldBytes, to read the next head.
type Scanner struct {
	// FieldBytes bounds the bytes of header lines; 0 is DefaultFieldBytes.
	FieldBytes int

	head   Head
	line   int  // where the line begins that is read
	sought int  // up to where its end was looked for
	begun  bool // the request line is behind
	old    bool // HTTP/1.0
	post   bool // POST or PUT

	fields, fieldBytes int
	lengths, codings   int
	hosts              int
	host               span // of the value
	authority          span // of the target; empty: it has none
	secure             bool // the scheme of the target is https
}

// span is a part of the head, which may move while it grows.
type span struct{ from, to int }

func (s span) of(b []byte) []byte { return b[s.from:s.to] }

// Scan reads b, which is everything that has come from where the head begins,
// and reports whether the head is whole. Call it again with more, under the
// same first bytes, if not.
func (s *Scanner) Scan(b []byte) (whole bool, refused Refusal) {
	for {
		i := bytes.IndexByte(b[s.sought:], '\n')
		if i < 0 {
			s.sought = len(b)
			return false, s.partial(b[s.line:])
		}
		end := s.sought + i
		s.sought = end + 1
		if end == s.line || b[end-1] != '\r' {
			return false, BareLineFeed
		}
		begin := s.line
		s.line = end + 1
		switch {
		case !s.begun && end-1 == begin:
			if s.head.Skip = s.line; s.line > MaxLine {
				return false, NoRequestLine
			}
		case !s.begun:
			refused = s.requestLine(b, begin, end-1)
		case end-1 == begin:
			s.head.Size = s.line
			return true, s.verdict(b)
		default:
			refused = s.field(b, begin, end-1)
		}
		if refused != 0 {
			return false, refused
		}
	}
}

// Head returns what was read, once Scan says that it is whole.
func (s *Scanner) Head() Head { return s.head }

// partial judges a line whose end has not come, so that nobody waits for it in
// vain.
func (s *Scanner) partial(line []byte) Refusal {
	switch {
	case len(line) == 0:
	case s.begun && s.fieldBytes+len(line) > s.maxFieldBytes()+1:
		return LargeFields
	case !s.begun && len(line) >= MaxLine:
		return LongLine
	case !s.begun && !tokens[line[0]] && line[0] != '\r':
		return NoRequestLine
	}
	return 0
}

func (s *Scanner) maxFieldBytes() int {
	if s.FieldBytes == 0 {
		return DefaultFieldBytes
	}
	return s.FieldBytes
}

// requestLine reads a method, a target and a version with one space between.
func (s *Scanner) requestLine(b []byte, from, to int) Refusal {
	s.begun = true
	line := b[from:to]
	if len(line)+len("\r\n") > MaxLine {
		return LongLine
	}
	method := line[:tokenEnd(line)]
	last := bytes.LastIndexByte(line, ' ')
	if len(method) == 0 || last <= len(method) || line[len(method)] != ' ' || !visible(line[len(method)+1:last]) {
		return NoRequestLine
	}
	s.post = string(method) == "POST" || string(method) == "PUT"
	s.head.Upgrade = string(method) == "CONNECT"
	s.findAuthority(b, from+len(method)+1, from+last)
	switch version := line[last+1:]; {
	case string(version) == "HTTP/1.1":
		return 0
	case string(version) == "HTTP/1.0":
		s.old = true
		return 0
	case len(version) > 0:
		return UnknownVersion // whatever it is, as in Kestrel
	}
	return NoRequestLine
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// field reads a header line.
func (s *Scanner) field(b []byte, from, to int) Refusal {
	line := b[from:to]
	s.fields++
	s.fieldBytes += len(line) + len("\r\n")
	if s.fields > MaxFields {
		return ManyFields
	}
	if s.fieldBytes > s.maxFieldBytes() {
		return LargeFields
	}
	if line[0] == ' ' || line[0] == '\t' {
		return FoldedField
	}
	colon := tokenEnd(line)
	if colon == 0 || colon == len(line) || line[colon] != ':' {
		return FieldName
	}
	if !clean(line[colon+1:]) {
		return FieldValue
	}
	return s.meaning(line[:colon], line[colon+1:], from+colon+1)
}

// meaning looks at the headers that say where a message goes and ends.
func (s *Scanner) meaning(name, value []byte, at int) Refusal {
	switch len(name) {
	case len("Host"):
		if is(name, "host") {
			s.hosts++
			s.host = span{at, at + len(value)}
		}
	case len("Upgrade"):
		if is(name, "upgrade") {
			s.head.Upgrade = true
		}
	case len("Content-Length"):
		if is(name, "content-length") {
			s.lengths++
			return s.length(trim(value))
		}
	case len("Transfer-Encoding"):
		if is(name, "transfer-encoding") {
			s.codings++
			if s.codings > 1 || !is(trim(value), "chunked") {
				return BadCoding
			}
		}
	}
	return 0
}

// length reads a number of bytes: digits and nothing else.
func (s *Scanner) length(value []byte) Refusal {
	if s.lengths > 1 {
		return SeveralLengths
	}
	n := int64(0)
	for _, c := range value {
		if !digit(c) || n > (1<<63-1-int64(c-'0'))/10 {
			return BadLength
		}
		n = n*10 + int64(c-'0')
	}
	if len(value) == 0 {
		return BadLength
	}
	s.head.Length = n
	return 0
}

// verdict judges the head as a whole.
func (s *Scanner) verdict(b []byte) Refusal {
	switch {
	case s.codings > 0 && s.lengths > 0:
		return LengthBesideCoding
	case s.codings > 0 && s.old:
		return OldCoding
	case s.old && s.post && s.lengths == 0:
		return NoLength // kestrel/046
	case s.hosts > 1 || s.hosts == 0 && !s.old:
		return NoHost
	case s.hosts == 1 && s.otherHost(b):
		return OtherHost
	}
	if s.codings > 0 {
		s.head.Length = -1
	}
	return 0
}
