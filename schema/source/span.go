package source

// Span is a half-open range of a file's text. The zero Span is nowhere.
type Span struct {
	File       *File
	Start, End int
}

// Spanner is anything that has a place in a file.
type Spanner interface{ Span() Span }

// Span returns s itself, so that a Span is a Spanner.
func (s Span) Span() Span { return s }

// IsZero says whether the span is nowhere.
func (s Span) IsZero() bool { return s.File == nil }

// Text returns the text that the span covers; "" for the zero Span.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return string(s.File.Text[s.Start:s.End])
}

// Position returns the place of the span's first character; the zero Position
// for the zero Span.
func (s Span) Position() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.Start)
}

// EndPosition returns the place after the span's last character; the zero
// Position for the zero Span.
func (s Span) EndPosition() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.End)
}

// Join returns the smallest span that covers both. Spans of different files
// do not join: the receiver is returned. A zero Span joins to the other.
func (s Span) Join(other Span) Span {
	switch {
	case s.File == nil:
		return other
	case other.File != s.File:
		return s
	}
	return Span{s.File, min(s.Start, other.Start), max(s.End, other.End)}
}
