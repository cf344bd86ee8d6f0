package listen

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/framing"
)

// repeating is a connection on which the same request comes again and again, one
// to a read.
type repeating struct {
	net.Conn
	request []byte
}

func (c repeating) Read(p []byte) (int, error)      { return copy(p, c.request), nil }
func (c repeating) SetReadDeadline(time.Time) error { return nil }

const (
	short   = "GET /orders/17 HTTP/1.1\r\nHost: gateway.example.com\r\nUser-Agent: bench\r\n\r\n"
	browser = "GET /orders/17?page=3 HTTP/1.1\r\nHost: gateway.example.com\r\n" +
		"User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n" +
		"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\n" +
		"Accept-Encoding: gzip, deflate, br, zstd\r\nReferer: https://gateway.example.com/orders\r\nConnection: keep-alive\r\n" +
		"Cookie: session=0123456789abcdef0123456789abcdef\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\n\r\n"
)

// BenchmarkStrictRead is what a request costs more than without a look at its
// bytes; net/http alone is how long it takes to parse it.
func BenchmarkStrictRead(b *testing.B) {
	for name, text := range map[string]string{"short": short, "browser": browser} {
		conn := repeating{request: []byte(text)}
		p := make([]byte, 4096)
		for kind, r := range map[string]io.Reader{"without": conn, "strict": newStrict(conn, &rules{})} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if n, err := r.Read(p); n != len(text) || err != nil {
						b.Fatal(n, err)
					}
				}
			})
		}
		b.Run(name+"/net-http", func(b *testing.B) {
			b.ReportAllocs()
			r := bufio.NewReader(conn)
			for b.Loop() {
				if _, err := http.ReadRequest(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkServe answers requests on one connection of loopback, with and
// without a look at their bytes.
func BenchmarkServe(b *testing.B) {
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for name, strictly := range map[string]bool{"without": false, "strict": true} {
		b.Run(name, func(b *testing.B) {
			l, err := Open("127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			s := New(l, h, Options{})
			if !strictly {
				s.listener = s.listener.(plain).Listener
			}
			go s.Serve()
			defer s.Close()
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			answer := make([]byte, 4096)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := io.WriteString(c, browser); err != nil {
					b.Fatal(err)
				}
				if _, err := c.Read(answer); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestStrictReadsAllocateNothing, neither for heads in one piece nor for those
// in two or with others behind them.
func TestStrictReadsAllocateNothing(t *testing.T) {
	for name, text := range map[string]string{
		"whole": short, "two": short + short, "body": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
		"chunks": "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	} {
		c := newStrict(repeating{request: []byte(text)}, &rules{})
		p := make([]byte, 4096)
		allocs := testing.AllocsPerRun(1000, func() {
			if _, err := c.Read(p); err != nil {
				t.Fatal(err)
			}
		})
		if allocs > 0.1 { // memory from a pool may be collected
			t.Errorf("%s: %v allocations a read", name, allocs)
		}
	}
	pieces := newStrict(&halves{text: short}, &rules{})
	p := make([]byte, 4096)
	if allocs := testing.AllocsPerRun(1000, func() {
		if n, err := pieces.Read(p); n != len(short) || err != nil {
			t.Fatal(n, err)
		}
	}); allocs > 0.1 {
		t.Errorf("pieces: %v allocations a read", allocs)
	}
}

// halves is a connection on which requests come in two pieces.
type halves struct {
	net.Conn
	text string
	at   int
}

func (c *halves) Read(p []byte) (int, error) {
	part := c.text[:20]
	if c.at++; c.at%2 == 0 {
		part = c.text[20:]
	}
	return copy(p, part), nil
}

func (c *halves) SetReadDeadline(time.Time) error { return nil }

// TestMemoryIsNotKept: a connection that holds nothing has no memory of its own.
func TestMemoryIsNotKept(t *testing.T) {
	c := newStrict(&halves{text: short}, &rules{})
	if _, err := c.Read(make([]byte, 4096)); err != nil {
		t.Fatal(err)
	}
	if c.held != nil || c.memory != nil || c.store != nil {
		t.Error("memory is kept")
	}
	if c.scanner.Head() != (framing.Head{}) {
		t.Error("the scanner is not ready for another head")
	}
}
