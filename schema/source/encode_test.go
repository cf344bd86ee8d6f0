package source_test

import (
	"testing"

	"github.com/margay-dev/margay/schema/source"
)

// A text survives being written and read again in every encoding.
func TestEncode(t *testing.T) {
	for e := source.UTF8; e <= source.UTF32BE; e++ {
		for _, text := range []string{"", "{}", "a\r\nä€😀\uFFFD\x00z"} {
			file := source.NewFile("a.json", e.Encode([]byte(text)))
			if string(file.Text) != text || file.Encoding != e && text != "" {
				t.Errorf("%v: got %q as %v, want %q", e, file.Text, file.Encoding, text)
			}
			if len(file.Invalid) != 0 {
				t.Errorf("%v: got invalid bytes at %v", e, file.Invalid)
			}
		}
	}
}
