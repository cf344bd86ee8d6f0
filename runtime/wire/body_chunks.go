package wire

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

const (
	// maxLine bounds the line of a chunk.
	maxLine = 4 << 10
	// maxOverhead bounds what the lines of chunks take beyond their data: more is
	// an attack, not a body.
	maxOverhead = 16 << 10
)

// chunkIsHere reports whether a text between two chunks holds what lets a read
// return: a byte of data, or the end behind the last chunk.
func chunkIsHere(text []byte, begun bool) bool {
	if begun {
		text = text[min(len("\r\n"), len(text)):]
	}
	line, rest, whole := bytes.Cut(text, []byte("\n"))
	if size, err := chunkSize(bytes.TrimSuffix(line, []byte("\r"))); whole && err == nil && size == 0 {
		return bytes.HasPrefix(rest, []byte("\r\n")) || bytes.Contains(rest, []byte("\n\r\n"))
	}
	return len(rest) > 0
}

// nextChunk reads the line in front of a chunk. It returns io.EOF behind the
// last one.
func (b *body) nextChunk() error {
	if b.begun {
		if line, err := b.line(); err != nil || len(line) != 0 {
			return malformedChunk(err)
		}
	}
	line, err := b.line()
	if err != nil {
		return malformedChunk(err)
	}
	size, err := chunkSize(line)
	if err != nil {
		return err
	}
	b.begun = true
	b.overhead = max(0, b.overhead+len(line)+4-16-int(min(2*size, maxOverhead)))
	if b.overhead > maxOverhead {
		return protocolError("too many small chunks with long lines")
	}
	if b.left = size; size > 0 {
		return nil
	}
	if err := b.readTrailer(); err != nil {
		return err
	}
	return io.EOF
}

func malformedChunk(err error) error {
	switch err {
	case nil:
		return protocolError("a chunk is longer than its size")
	case io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

// chunkSize reads the size of a chunk. Extensions mean nothing here.
func chunkSize(line []byte) (int64, error) {
	digits, _, _ := bytes.Cut(bytes.TrimRight(line, " \t"), []byte(";"))
	if len(digits) == 0 || len(digits) > 15 || digits[0] == '+' || digits[0] == '-' || bytes.IndexByte(digits, '_') >= 0 ||
		!isValue(string(line)) {
		return 0, protocolError("malformed size of a chunk")
	}
	n, err := strconv.ParseInt(string(digits), 16, 64)
	if err != nil {
		return 0, protocolError("malformed size of a chunk")
	}
	return n, nil
}

// line reads a line that ends in CR LF and returns it without.
func (b *body) line() ([]byte, error) {
	c := b.conn
	for searched := 0; ; {
		if i := bytes.IndexByte(c.buffer[c.from+searched:c.to], '\n'); i >= 0 {
			end := c.from + searched + i
			line := c.buffer[c.from:end]
			c.from = end + 1
			if len(line) == 0 || line[len(line)-1] != '\r' {
				return nil, protocolError("a line of a chunk ends in LF without CR")
			}
			return line[:len(line)-1], nil
		}
		if searched = c.to - c.from; searched > maxLine {
			return nil, protocolError("the line of a chunk is longer than %d bytes", maxLine)
		}
		if err := c.fill(); err != nil {
			return nil, c.blame(err)
		}
	}
}

// readTrailer reads what stands behind the last chunk.
func (b *body) readTrailer() error {
	limit := b.conn.pool.client.options.MaxHeaderBytes
	var text []byte
	for {
		line, err := b.line()
		if err != nil {
			return malformedChunk(err)
		}
		if len(line) == 0 {
			break
		}
		if text = append(append(text, line...), "\r\n"...); len(text) > limit { // a second CR stays one too many
			return protocolError("the trailers are longer than %d bytes", limit)
		}
	}
	if len(text) == 0 {
		return nil
	}
	fields, err := parseFields(string(text))
	if err != nil {
		return err
	}
	for name, values := range fields {
		if MayTrail(name) {
			if *b.trailer == nil {
				*b.trailer = http.Header{}
			}
			(*b.trailer)[name] = values
		}
	}
	return nil
}
