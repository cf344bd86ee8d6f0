package framing_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/framing"
	"pgregory.net/rapid"
)

// composed draws a message from parts of which most are right and some are
// those of known attacks.
func composed(t *rapid.T) string {
	one := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	end := func() string {
		return one("end", "\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r", "\r\r\n", "\n\r\n")
	}
	var b strings.Builder
	b.WriteString(one("before", "", "", "", "\r\n", "\n", " "))
	b.WriteString(one("method", "GET", "POST", "POST", "PUT", "PRI", "g,t", "") + one("space", " ", " ", " ", "  ", "\t"))
	b.WriteString(one("target", "/", "/a?b", "*", "http://x/", "http://y", "//x", "/\x00", "/\xe9", "/a b"))
	b.WriteString(one("version", " HTTP/1.1", " HTTP/1.1", " HTTP/1.0", " HTTP/1.2", " HTTP/2.0", "  HTTP/1.1", "") + end())
	for range rapid.IntRange(0, 4).Draw(t, "fields") {
		name := one("name", "Host", "Content-Length", "content-length", "Transfer-Encoding", "TRANSFER-ENCODING", "Transfer_Encoding",
			"X", "Connection", "Upgrade", "Trailer", "", "Content-Length\x00", " X", "Expect")
		value := one("value", "x", "y", "5", "05", "+5", "5, 5", "0", "chunked", " chunked ", "Chunked", "chunked, chunked", "gzip",
			"\x0bchunked", "close", "\"", "a\x00", "\xe9", "")
		b.WriteString(name + one("colon", ":", ": ", ": ", " : ", ":\t", "") + value + end())
	}
	b.WriteString(end())
	for range rapid.IntRange(0, 3).Draw(t, "chunks") {
		size := one("size", "5", "0", "5;a", "5 ", "0005", "+5", "0x5", "5\t;a=\"b\"", "ffffffffffffffff", "5;\n", "")
		b.WriteString(size + end() + one("data", "hello", "hello", "", "hell", "hello!", "X: 1") + end())
	}
	b.WriteString(one("behind", "", "0\r\n\r\n", "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n"))
	return b.String()
}

// TestComposedMessagesHaveOneReading is FuzzOneReading with messages that come
// further than most.
func TestComposedMessagesHaveOneReading(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := composed(rt)
		head, whole, _ := scan(t, text, 1<<20)
		if !whole {
			return
		}
		n, ended, wrong := pass(head, text[head.Size:], rapid.IntRange(1, 100).Draw(rt, "size"))
		agree(t, text[head.Skip:], head, n, ended, wrong)
	})
}

// BenchmarkScan reads the head of a browser's request, 500 bytes.
func BenchmarkScan(b *testing.B) {
	head := []byte(browser)
	b.ReportAllocs()
	b.SetBytes(int64(len(head)))
	for b.Loop() {
		s := framing.Scanner{}
		if whole, _ := s.Scan(head); !whole {
			b.Fatal("it is refused")
		}
	}
}

const browser = "GET /orders/17?page=3 HTTP/1.1\r\nHost: gateway.example.com\r\n" +
	"User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n" +
	"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\n" +
	"Accept-Encoding: gzip, deflate, br, zstd\r\nReferer: https://gateway.example.com/orders\r\nConnection: keep-alive\r\n" +
	"Cookie: session=0123456789abcdef0123456789abcdef\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\n\r\n"

// BenchmarkPass follows a body of chunks.
func BenchmarkPass(b *testing.B) {
	for name, size := range map[string]int{"10": 10, "1000": 1000, "100000": 100000} {
		b.Run(name, func(b *testing.B) {
			text := []byte(strings.Repeat("3e8\r\n"+strings.Repeat("x", 1000)+"\r\n", size/1000) + "a\r\n0123456789\r\n0\r\n\r\n")
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				body := framing.NewBody(framing.Head{Length: -1}, 0)
				if _, refused := body.Pass(text); refused != 0 || !body.Ended() {
					b.Fatal(refused)
				}
			}
		})
	}
}
