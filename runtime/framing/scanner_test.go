package framing_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/framing"
)

// scan reads a head that comes in pieces of a size, and checks that pieces make
// no difference.
func scan(t testing.TB, head string, size int) (framing.Head, bool, framing.Refusal) {
	t.Helper()
	s := framing.Scanner{}
	for n := size; ; n += size {
		n = min(n, len(head))
		whole, refused := s.Scan([]byte(head[:n]))
		if whole || refused != 0 || n == len(head) {
			return s.Head(), whole && refused == 0, refused
		}
	}
}

func TestHeads(t *testing.T) {
	for _, tc := range []struct {
		head string
		want framing.Refusal
		body int64
	}{
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 0, 0},
		{"GET / HTTP/1.0\r\n\r\n", 0, 0},
		{"GET / HTTP/1.1\r\nHost:\r\n\r\n", 0, 0},
		{"OPTIONS * HTTP/1.1\r\nHost: x\r\nX: \t a\tb \xe9 \r\nY:\r\n\r\n", 0, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\ncontent-LENGTH:\t7 \r\n\r\n", 0, 7},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 007\r\n\r\n", 0, 7},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9223372036854775807\r\n\r\n", 0, 1<<63 - 1},
		{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n", 0, -1},
		{"GET http://x/a HTTP/1.1\r\nHost: X\r\n\r\n", 0, 0},
		{"GET http://x:80/a HTTP/1.1\r\nHost: x\r\n\r\n", 0, 0},
		{"GET http://x HTTP/1.1\r\nHost: x:80\r\n\r\n", 0, 0},
		{"GET https://x?a HTTP/1.1\r\nHost: x:443\r\n\r\n", 0, 0},
		{"GET /http://y/ HTTP/1.1\r\nHost: x\r\n\r\n", 0, 0},

		{"GET / HTTP/1.1\nHost: x\r\n\r\n", framing.BareLineFeed, 0},
		{"\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", framing.BareLineFeed, 0},
		{"GET / HTTP/1.1\r\nHost: x\n\r\n", framing.BareLineFeed, 0},
		{"GET / HTTP/1.1\r\nHost: x\r\n\n", framing.BareLineFeed, 0},
		{"GET / HTTP/1.1\rHost: x\r\n\r\n", framing.NoRequestLine, 0},
		{"GET  / HTTP/1.1\r\nHost: x\r\n\r\n", framing.NoRequestLine, 0},
		{"GET /  HTTP/1.1\r\nHost: x\r\n\r\n", framing.NoRequestLine, 0},
		{"GET / HTTP/1.1 \r\nHost: x\r\n\r\n", framing.NoRequestLine, 0},
		{" GET / HTTP/1.1\r\nHost: x\r\n\r\n", framing.NoRequestLine, 0},
		{"GET /\r\n", framing.NoRequestLine, 0},
		{"GET\t/ HTTP/1.1\r\n", framing.NoRequestLine, 0},
		{"GET /\x00 HTTP/1.1\r\n", framing.NoRequestLine, 0},
		{"GET /a b HTTP/1.1\r\n", framing.NoRequestLine, 0},
		{"G(T / HTTP/1.1\r\n", framing.NoRequestLine, 0},
		{"\x16\x03\x01\x02", framing.NoRequestLine, 0},
		{"GET / HTTP/1.10\r\n", framing.UnknownVersion, 0},
		{"GET / HTTP/1\r\n", framing.UnknownVersion, 0},
		{"GET / FTP/1.1\r\n", framing.UnknownVersion, 0},
		{"GET / \r\n", framing.NoRequestLine, 0},
		{"GET / HTTP/1.2\r\n", framing.UnknownVersion, 0},
		{"GET / http/1.1\r\n", framing.UnknownVersion, 0},
		{"PRI * HTTP/2.0\r\n\r\n", framing.UnknownVersion, 0},
		{"GET / HTTP/1.1\r\n X: 1\r\nHost: x\r\n\r\n", framing.FoldedField, 0},
		{"GET / HTTP/1.1\r\nHost: x\r\nX: 1\r\n\t2\r\n\r\n", framing.FoldedField, 0},
		{"GET / HTTP/1.1\r\nHost : x\r\n\r\n", framing.FieldName, 0},
		{"GET / HTTP/1.1\r\nHost\x00: x\r\n\r\n", framing.FieldName, 0},
		{"GET / HTTP/1.1\r\n: x\r\n\r\n", framing.FieldName, 0},
		{"GET / HTTP/1.1\r\nHost: x\r\nContent-Length\x0b: 1\r\n\r\n", framing.FieldName, 0},
		{"GET / HTTP/1.1\r\nHost: x\r\nXyz\r\n\r\n", framing.FieldName, 0},
		{"GET / HTTP/1.1\r\nHost: x\r\nX\xe9: 1\r\n\r\n", framing.FieldName, 0},
		{"GET / HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n", framing.FieldValue, 0},
		{"GET / HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n", framing.FieldValue, 0},
		{"GET / HTTP/1.1\r\nHost: x\r\nX: \x80 long enough for words \x7f\r\n\r\n", framing.FieldValue, 0},
		{"GET / HTTP/1.1\r\nX: y\r\n\r\n", framing.NoHost, 0},
		{"GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", framing.NoHost, 0},
		{"GET http://y/ HTTP/1.1\r\nHost: x\r\n\r\n", framing.OtherHost, 0},
		{"GET http://x:443/ HTTP/1.1\r\nHost: x\r\n\r\n", framing.OtherHost, 0},
		{"GET http://u@x/ HTTP/1.1\r\nHost: x\r\n\r\n", framing.OtherHost, 0},
		{"GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n", framing.OtherHost, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +7\r\n\r\n", framing.BadLength, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -7\r\n\r\n", framing.BadLength, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7, 7\r\n\r\n", framing.BadLength, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x7\r\n\r\n", framing.BadLength, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", framing.BadLength, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9223372036854775808\r\n\r\n", framing.BadLength, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\nContent-Length: 7\r\n\r\n", framing.SeveralLengths, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", framing.BadCoding, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", framing.BadCoding, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n", framing.BadCoding, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \x0bchunked\r\n\r\n", framing.FieldValue, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n\r\n", framing.BadCoding, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", framing.BadCoding, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 7\r\n\r\n", framing.LengthBesideCoding, 0},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n", framing.LengthBesideCoding, 0},
		{"POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", framing.OldCoding, 0},
		{"POST / HTTP/1.0\r\nHost: x\r\n\r\n", framing.NoLength, 0},
	} {
		for _, size := range []int{1 << 20, 1, 3} {
			head, whole, refused := scan(t, tc.head, size)
			if refused != tc.want || whole != (tc.want == 0) {
				t.Errorf("%q in pieces of %d: got %v, %q, want %q", tc.head, size, whole, refused.Error(), tc.want.Error())
			} else if whole && (head.Length != tc.body || head.Size != len(tc.head)) {
				t.Errorf("%q: got %+v, want a body of %d", tc.head, head, tc.body)
			}
		}
	}
}

// TestLimits are Kestrel's, to the byte (kestrel/069 to 078).
func TestLimits(t *testing.T) {
	line := func(n int) string {
		return "GET /" + strings.Repeat("a", n-len("GET / HTTP/1.1\r\n")) + " HTTP/1.1\r\nHost: x\r\n\r\n"
	}
	fields := func(n int) string {
		return "GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", n-len("Host: x\r\nX: \r\n")) + "\r\n\r\n"
	}
	count := func(n int) string { return "GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: 1\r\n", n-1) + "\r\n" }
	for name, tc := range map[string]struct {
		head string
		want int
	}{
		"a line":       {line(8192), 0},
		"a long line":  {line(8193), http.StatusRequestURITooLong},
		"headers":      {fields(32768), 0},
		"large ones":   {fields(32769), http.StatusRequestHeaderFieldsTooLarge},
		"many":         {count(100), 0},
		"too many":     {count(101), http.StatusRequestHeaderFieldsTooLarge},
		"an endless":   {strings.Repeat("a", 8192), http.StatusRequestURITooLong},
		"endless ones": {"GET / HTTP/1.1\r\nX: " + strings.Repeat("a", 32<<10), http.StatusRequestHeaderFieldsTooLarge},
		"empty lines":  {strings.Repeat("\r\n", 5000), http.StatusBadRequest},
	} {
		for _, size := range []int{1 << 20, 1000} {
			_, whole, refused := scan(t, tc.head, size)
			if whole != (tc.want == 0) || refused != 0 && refused.Status() != tc.want || refused == 0 && tc.want != 0 {
				t.Errorf("%s: got %v, %q", name, whole, refused.Error())
			}
		}
	}
	s := framing.Scanner{FieldBytes: 100}
	if _, refused := s.Scan([]byte(fields(101))); refused != framing.LargeFields {
		t.Errorf("got %v", refused)
	}
}

func TestWhatAHeadSays(t *testing.T) {
	for text, want := range map[string]framing.Head{
		"\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\nmore":           {Skip: 4, Size: 31},
		"GET / HTTP/1.1\r\nHost: x\r\nuPGRADE: websocket\r\n\r\n": {Size: 47, Upgrade: true},
		"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n":                 {Size: 33, Upgrade: true},
	} {
		if got, whole, refused := scan(t, text, 1<<20); !whole || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, refused, want)
		}
	}
}

// TestEveryRefusalHasWords, a name and a status that refuses, of its own.
func TestEveryRefusalHasWords(t *testing.T) {
	seen := map[string]bool{"": true}
	last := framing.Refusal(0)
	for r := range framing.All() {
		if seen[r.Error()] || seen[r.Name()] || r.Status() < 400 {
			t.Errorf("%d: %q, %q, %d", r, r.Name(), r.Error(), r.Status())
		}
		seen[r.Error()], seen[r.Name()], last = true, true, r
	}
	if last != framing.LargeTrailer {
		t.Errorf("the last one is %q", last.Name())
	}
}
