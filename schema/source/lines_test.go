package source_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/schema/source"
)

// TestLinesAgreeWithCounting holds positions and lines of texts over several
// chunks, with and without carriage returns, against counting from the start.
func TestLinesAgreeWithCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{"\n", "\n\n", "ab\n", strings.Repeat("x", 5000), strings.Repeat("y\n", 3000), "z"}
		if rapid.Bool().Draw(t, "carriage returns") {
			pieces = append(pieces, "\r\n", "\r")
		}
		text := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "text"), ""))
		file := source.NewFile("a.json", text)
		unified := bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte(" \n")), []byte("\r"), []byte("\n"))
		if got, want := file.Lines(), bytes.Count(unified, []byte("\n"))+1; got != want {
			t.Fatalf("got %d lines, want %d", got, want)
		}
		for range 20 {
			at := rapid.IntRange(0, len(text)).Draw(t, "offset")
			line := bytes.Count(unified[:at], []byte("\n")) + 1
			start := bytes.LastIndexByte(unified[:at], '\n') + 1
			p := file.Position(at)
			if p.Line != line || p.Column != at-start+1 {
				t.Fatalf("offset %d: got %d:%d, want %d:%d", at, p.Line, p.Column, line, at-start+1)
			}
			if got := file.LineStart(line); got != start {
				t.Fatalf("line %d: got start %d, want %d", line, got, start)
			}
			end := bytes.IndexByte(unified[start:], '\n')
			if end < 0 {
				end = len(text) - start
			}
			if got, want := string(file.Line(line)), strings.TrimRight(string(text[start:start+end]), "\r"); got != want {
				t.Fatalf("line %d: got %.40q, want %.40q", line, got, want)
			}
		}
	})
}
