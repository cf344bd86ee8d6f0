package proxy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

func TestTransportsSwitchProtocols(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
			http.ReadRequest(r)
			io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nfirst\n")
			line, _ := r.ReadString('\n')
			time.Sleep(100 * time.Millisecond) // longer than a moment
			io.WriteString(conn, line)
		})
		req := request(t, "GET", address, nil)
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "echo")
		resp, err := tr.Send(req.Context(), req, nil)
		if err != nil {
			t.Fatal(err)
		}
		stream := resp.Body.(io.ReadWriteCloser)
		defer stream.Close()
		r := bufio.NewReader(stream)
		if line, err := r.ReadString('\n'); line != "first\n" {
			t.Errorf("got %q, %v", line, err)
		}
		io.WriteString(stream, "second\n")
		if line, err := r.ReadString('\n'); line != "second\n" {
			t.Errorf("got %q, %v", line, err)
		}
	})
}

// heard collects the responses with 1xx.
type heard []int

func (h *heard) Interim(status int, _ http.Header) { *h = append(*h, status) }

func TestTransportsTellOfInterimResponses(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		address := scripted(t, says("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
		var got heard
		resp, err := tr.Send(t.Context(), request(t, "GET", address, nil), &got)
		if err != nil || resp.StatusCode != 200 || fmt.Sprint(got) != "[102 103]" {
			t.Errorf("got %v, %v", got, err)
		}
	})
}

// TestTransportsTellNobodyBehindTheirBack: once Send has returned, the answer to
// the client is written, and nothing else may be.
func TestTransportsTellNobodyBehindTheirBack(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
			http.ReadRequest(r)
			for {
				if _, err := io.WriteString(conn, "HTTP/1.1 102 Processing\r\n\r\n"); err != nil {
					return
				}
				time.Sleep(20 * time.Microsecond)
			}
		})
		for range 50 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			var late lateInterim
			if _, err := tr.Send(ctx, request(t, "GET", address, nil), &late); err == nil {
				t.Error("no error")
			}
			late.returned.Store(true)
			cancel()
			time.Sleep(time.Millisecond)
			if late.told.Load() {
				t.Fatal("an interim response was told of behind Send")
			}
		}
	})
}

// lateInterim notes whether it is called too late.
type lateInterim struct{ returned, told atomic.Bool }

func (l *lateInterim) Interim(int, http.Header) {
	time.Sleep(50 * time.Microsecond)
	if l.returned.Load() {
		l.told.Store(true)
	}
}
