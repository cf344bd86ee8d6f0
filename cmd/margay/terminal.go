package main

import (
	"cmp"
	"io"
	"os"

	"golang.org/x/term"
)

// usualWidth is the width of what is no terminal.
const usualWidth = 80

// terminal returns the file descriptor of a stream that is a terminal.
func terminal(w io.Writer) (int, bool) {
	file, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	fd := int(file.Fd())
	return fd, term.IsTerminal(fd)
}

// width returns the number of columns of a stream.
func width(w io.Writer) int { return cmp.Or(screen(w), usualWidth) }

// screen returns the number of columns of a terminal; 0 for what is none.
func screen(w io.Writer) int {
	fd, ok := terminal(w)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(fd)
	if err != nil || columns <= 0 {
		return usualWidth
	}
	return columns
}

// colored says whether a stream shows colours: it is a terminal that can, or
// FORCE_COLOR (force-color.org) says so, as for the log of a CI job; and NO_COLOR
// (no-color.org) does not object. What is written with --output has none.
func colored(w io.Writer) bool {
	if _, ok := w.(*os.File); !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	if forced := os.Getenv("FORCE_COLOR"); forced != "" {
		return forced != "0"
	}
	_, ok := terminal(w)
	return ok && os.Getenv("TERM") != "dumb"
}
