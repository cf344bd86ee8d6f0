package validate

import (
	"bytes"
	"strings"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// directivesOf returns the directives in the files of a gateway.
func directivesOf(loaded *load.Result) []directive {
	var all []directive
	for i := range loaded.Texts {
		text := &loaded.Texts[i]
		if text.File == nil || !bytes.Contains(text.File.Text, []byte(mark)) {
			continue
		}
		code := codeLines{file: text.File}
		for _, c := range text.Comments {
			at := source.Span{File: text.File, Start: int(c.Start), End: int(c.End)}
			if d, ok := parseDirective(strings.Trim(at.Text(), "/* \t\r\n"), at, &code); ok {
				all = append(all, d)
			}
		}
		all = append(all, memberDirectives(loaded.Tree, text.Root, &code)...)
	}
	return all
}

// parseDirective reads the text of a comment. A directive covers its own line
// and, where nothing stands before it on that line, the next one that is no
// comment.
func parseDirective(body string, at source.Span, code *codeLines) (directive, bool) {
	rest, ok := strings.CutPrefix(body, mark)
	if !ok {
		return directive{}, false
	}
	whole := false
	if after, file := strings.CutPrefix(rest, "-file"); file {
		rest, whole = after, true
	}
	d := directive{at: at}
	d.rule, d.reason, _ = strings.Cut(strings.TrimSpace(rest), " ")
	d.reason = strings.TrimSpace(d.reason)
	if whole {
		d.to = len(at.File.Text) + 1
		return d, true
	}
	line := at.Position().Line
	d.from = at.File.LineStart(line)
	next := line + 1
	if len(bytes.TrimSpace(at.File.Text[d.from:at.Start])) == 0 {
		next = code.from(next) + 1
	}
	d.to = at.File.LineStart(next)
	return d, true
}

// codeLines finds lines that are no comment. It remembers the last comments that
// it has passed: thousands of directives may stand one below the other.
type codeLines struct {
	file *source.File
	// first is the first line of these comments, code the one behind them.
	first, code int
}

// from returns the number of the first line from a given one on that is no
// comment.
func (c *codeLines) from(line int) int {
	if line < c.first || line >= c.code {
		for c.first, c.code = line, line; isComment(c.file.Line(c.code)); {
			c.code++
		}
	}
	return c.code
}

func isComment(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(line), []byte("//"))
}

// memberDirectives finds the members "//" of strict JSON. They cover the
// object that they stand in.
func memberDirectives(tree *syntax.Tree, root syntax.ID, code *codeLines) []directive {
	var all []directive
	for c := range tree.Children(root) {
		if kind := tree.Node(c).Kind; kind == syntax.Object || kind == syntax.Array {
			all = append(all, memberDirectives(tree, c, code)...)
			continue
		}
		if tree.Key(c) != "//" || tree.Node(c).Kind != syntax.String {
			continue
		}
		at := tree.Span(c)
		if d, ok := parseDirective(tree.Text(c), at, code); ok {
			if object := tree.Span(root); d.to <= len(at.File.Text) {
				d.from, d.to = object.Start, object.End
			}
			all = append(all, d)
		}
	}
	return all
}
