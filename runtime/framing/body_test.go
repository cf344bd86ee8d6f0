package framing_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/framing"
)

// pass follows a body that comes in pieces of a size.
func pass(head framing.Head, text string, size int) (n int, ended bool, refused framing.Refusal) {
	b := framing.NewBody(head, 0)
	for n < len(text) && !b.Ended() && refused == 0 {
		var some int
		some, refused = b.Pass([]byte(text[n:min(n+size, len(text))]))
		n += some
	}
	return n, b.Ended(), refused
}

func TestBodies(t *testing.T) {
	for _, tc := range []struct {
		length int64
		text   string
		want   int // bytes that belong to it
		ended  bool
		wrong  framing.Refusal
	}{
		{0, "GET", 0, true, 0},
		{5, "helloGET", 5, true, 0},
		{5, "hell", 4, false, 0},
		{-1, "5\r\nhello\r\n0\r\n\r\nGET", 15, true, 0},
		{-1, "5\r\nhello\r\n5\r\nhel", 16, false, 0},
		{-1, "A;a=\"b\";c\r\n0123456789\r\n000\r\n\r\nGET", 30, true, 0},
		{-1, "0\r\nX: 1\r\nY:\r\n\r\nGET", 15, true, 0},
		{-1, "000000000000005\r\nhello\r\n0\r\n\r\n", 29, true, 0},

		{-1, "0000000000000005\r\nhello\r\n0\r\n\r\n", 15, false, framing.ChunkSize},
		{-1, "ffffffffffffffff1\r\n", 15, false, framing.ChunkSize},
		{-1, "\r\n", 0, false, framing.ChunkSize},
		{-1, "0x5\r\n", 1, false, framing.ChunkSize},
		{-1, "+5\r\n", 0, false, framing.ChunkSize},
		{-1, "-5\r\n", 0, false, framing.ChunkSize},
		{-1, " 5\r\n", 0, false, framing.ChunkSize},
		{-1, "5 \r\nhello\r\n", 1, false, framing.ChunkSize},
		{-1, "5\nhello\r\n", 1, false, framing.ChunkSize},
		{-1, ";a\r\n", 0, false, framing.ChunkSize},
		{-1, "5\rx\nhello\r\n", 2, false, framing.ChunkExtension},
		{-1, "5;a\nhello\r\n", 3, false, framing.ChunkExtension},
		{-1, "5;a\rb\r\nhello\r\n", 4, false, framing.ChunkExtension},
		{-1, "5;\x00\r\nhello\r\n", 2, false, framing.ChunkExtension},
		{-1, "5;" + strings.Repeat("a", 300) + "\r\nhello\r\n", 257, false, framing.ChunkExtension},
		{-1, "3\r\nhello\r\n", 6, false, framing.ChunkEnd},
		{-1, "5\r\nhello\n0\r\n", 8, false, framing.ChunkEnd},
		{-1, "5\r\nhello\r0", 9, false, framing.ChunkEnd},
		{-1, "0\r\n\n", 3, false, framing.TrailerField},
		{-1, "0\r\n\rx", 4, false, framing.TrailerField},
		{-1, "0\r\nX : 1\r\n\r\n", 4, false, framing.TrailerField},
		{-1, "0\r\n X: 1\r\n\r\n", 3, false, framing.TrailerField},
		{-1, "0\r\nX: 1\n\r\n", 7, false, framing.TrailerField},
		{-1, "0\r\nX: \x00\r\n\r\n", 6, false, framing.TrailerField},
		{-1, "0\r\nGET / HTTP/1.1\r\n\r\n", 6, false, framing.TrailerField},
		{-1, "0\r\n" + strings.Repeat("X:\r\n", 101), 403, false, framing.LargeTrailer},
		{-1, "0\r\nX: " + strings.Repeat("a", 33<<10), 3 + 32<<10, false, framing.LargeTrailer},
	} {
		for _, size := range []int{1 << 20, 1, 3} {
			n, ended, refused := pass(framing.Head{Length: tc.length}, tc.text, size)
			if n != tc.want || ended != tc.ended || refused != tc.wrong {
				t.Errorf("%.40q in pieces of %d: got %d bytes, ended %v, %q, want %d, %v, %q", tc.text, size, n, ended,
					refused.Error(), tc.want, tc.ended, tc.wrong.Error())
			}
		}
	}
}
