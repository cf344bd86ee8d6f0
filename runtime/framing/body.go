package framing

// Body follows the body of a request to its end. The zero value is at an end.
type Body struct {
	step    step
	left    uint64 // bytes of the body, or of the chunk
	line    int    // bytes of the line that says the size of a chunk
	trailer int    // bytes of trailers
	fields  int    // trailers
	limit   int    // of trailer
}

// step is what the next byte is.
type step uint8

const (
	ended      step = iota
	plain           // of a body with a length
	sizeFirst       // the first digit of the size of a chunk
	sizeMore        // another, or what ends it
	extension       // of the chunk's extensions
	sizeFeed        // the line feed behind them
	data            // of a chunk
	dataReturn      // the end of a chunk
	dataFeed
	fieldFirst // of a trailer, or the end of all
	fieldName
	fieldValue
	fieldFeed
	lastFeed
)

const (
	// maxDigits keeps the size of a chunk within what everybody can count.
	maxDigits = 15
	// maxSizeLine bounds a size with its extensions, which nobody reads.
	maxSizeLine = 256
)

// NewBody returns the body of a message with a head, whose trailers are bounded
// by fieldBytes; 0 is DefaultFieldBytes.
func NewBody(h Head, fieldBytes int) Body {
	if fieldBytes == 0 {
		fieldBytes = DefaultFieldBytes
	}
	switch {
	case h.Length > 0:
		return Body{step: plain, left: uint64(h.Length)}
	case h.Length < 0:
		return Body{step: sizeFirst, limit: fieldBytes}
	}
	return Body{}
}

// Ended reports whether the message is over.
func (b *Body) Ended() bool { return b.step == ended }

// Pass reads on and returns how many of the bytes of p belong to the message:
// all, those up to its end, or those before the one that is wrong. Nothing may
// be read behind that.
func (b *Body) Pass(p []byte) (n int, refused Refusal) {
	for n < len(p) && b.step != ended {
		if b.step == plain || b.step == data {
			some := min(b.left, uint64(len(p)-n))
			n += int(some)
			if b.left -= some; b.left == 0 {
				b.filled()
			}
			continue
		}
		if refused := b.next(p[n]); refused != 0 {
			return n, refused
		}
		n++
	}
	return n, 0
}

// filled goes on behind the last byte of a chunk or a body.
func (b *Body) filled() {
	if b.step == plain {
		b.step = ended
	} else {
		b.step = dataReturn
	}
}

// next reads a byte that is none of the data.
func (b *Body) next(c byte) Refusal {
	switch b.step {
	case sizeFirst, sizeMore:
		return b.size(c)
	case extension:
		return b.extend(c)
	case sizeFeed:
		if c != '\n' {
			return ChunkExtension
		}
		if b.step = data; b.left == 0 {
			b.step = fieldFirst
		}
	case dataReturn:
		b.step = dataFeed
		return expect(c, '\r', ChunkEnd)
	case dataFeed:
		b.step = sizeFirst
		b.left, b.line = 0, 0
		return expect(c, '\n', ChunkEnd)
	case lastFeed:
		if c != '\n' {
			return TrailerField
		}
		b.step = ended
	default:
		return b.trail(c)
	}
	return 0
}

func expect(c, want byte, or Refusal) Refusal {
	if c != want {
		return or
	}
	return 0
}

// size reads the size of a chunk.
func (b *Body) size(c byte) Refusal {
	value, ok := hex(c)
	switch {
	case ok && b.line < maxDigits:
		b.left = b.left<<4 | value
		b.line++
		b.step = sizeMore
	case ok, b.step == sizeFirst:
		return ChunkSize
	case c == '\r':
		b.step = sizeFeed
	case c == ';':
		b.step = extension
	default:
		return ChunkSize
	}
	return 0
}

func hex(c byte) (uint64, bool) {
	switch {
	case '0' <= c && c <= '9':
		return uint64(c - '0'), true
	case 'a' <= c && c <= 'f':
		return uint64(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return uint64(c-'A') + 10, true
	}
	return 0, false
}

// extend reads over the extensions of a chunk.
func (b *Body) extend(c byte) Refusal {
	b.line++
	switch {
	case c == '\r':
		b.step = sizeFeed
	case b.line > maxSizeLine || c < ' ' && c != '\t' || c == 0x7f:
		return ChunkExtension
	}
	return 0
}

// trail reads over trailers.
func (b *Body) trail(c byte) Refusal {
	if b.trailer++; b.trailer > b.limit {
		return LargeTrailer
	}
	switch {
	case b.step == fieldFirst && c == '\r':
		b.step = lastFeed
	case b.step == fieldFirst && tokens[c]:
		if b.fields++; b.fields > MaxFields {
			return LargeTrailer
		}
		b.step = fieldName
	case b.step == fieldName && c == ':':
		b.step = fieldValue
	case b.step == fieldName && tokens[c]:
	case b.step == fieldValue && c == '\r':
		b.step = fieldFeed
	case b.step == fieldValue && (c >= ' ' && c != 0x7f || c == '\t'):
	case b.step == fieldFeed && c == '\n':
		b.step = fieldFirst
	default:
		return TrailerField
	}
	return 0
}
