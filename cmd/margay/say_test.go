package main

import "testing"

func TestInColumns(t *testing.T) {
	for _, tt := range []struct {
		name, message string
		columns       int
		want          string
	}{
		{"no terminal", "margay: one line stays one line", 0, "margay: one line stays one line\n"},
		{"wide enough", "margay: short", 20, "margay: short\n"},
		{"narrow", "margay: one line becomes three", 16, "margay: one\n  line becomes\n  three\n"},
		{"a margin is kept", "  help: one line becomes two", 20, "  help: one line\n    becomes two\n"},
		{"lines stay apart", "a: the first\nb: the second", 10, "a: the\n  first\nb: the\n  second\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := inColumns(tt.message, tt.columns); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}
