package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/prose"
)

// say writes a message for people to standard error. Without a terminal it stays
// one line, so that logs can be searched for it.
func (p *program) say(format string, args ...any) error {
	_, err := io.WriteString(p.stderr, inColumns(printable(fmt.Sprintf(format, args...)), screen(p.stderr)))
	return err
}

// inColumns breaks the lines of a message for a terminal; columns is 0 where
// there is none. What a line goes on with stands two columns further in.
func inColumns(message string, columns int) string {
	if columns == 0 {
		return message + "\n"
	}
	var b strings.Builder
	for line := range strings.SplitSeq(message, "\n") {
		text := strings.TrimLeft(line, " ")
		margin := line[:len(line)-len(text)]
		prose.Paragraph(&b, margin, margin+"  ", text, columns)
	}
	return b.String()
}
