package report

import "github.com/margay-dev/margay/schema/source"

// Span is a place as machine formats write it. Lines and columns start at 1,
// columns count code points, EndLine and EndColumn are the place behind the
// last character. Offset and Length count bytes of the file as it is on disk,
// byte order mark and encoding included, so that a program can edit the file.
type Span struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Offset    int    `json:"offset"`
	Length    int    `json:"length"`
}

// SpanOf returns the machine form of a place, nil for the zero Span. File
// names have slashes on every platform.
func SpanOf(s source.Span) *Span {
	if s.File == nil {
		return nil
	}
	from, to := s.Position(), s.EndPosition()
	offset := s.File.ByteOffset(s.Start)
	return &Span{
		File: slashed(s.File.Name), Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column,
		Offset: offset, Length: s.File.ByteOffset(s.End) - offset,
	}
}
