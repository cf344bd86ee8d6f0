package proxy

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/wire"
)

// eachTransport runs a test with every transport: they are held to one suite.
func eachTransport(t *testing.T, f func(t *testing.T, tr Transport)) {
	t.Run("wire", func(t *testing.T) {
		w := &watchedWire{}
		w.Client = wire.New(wire.Options{Dial: w.dial})
		defer w.CloseIdleConnections()
		f(t, w)
	})
	t.Run("library", func(t *testing.T) {
		w := &watchedLibrary{left: make(chan struct{}, 1000)}
		w.library = newTransports(&Options{Library: true, Dial: w.dial}).library(transportKey{lifetime: -1})
		defer w.CloseIdleConnections()
		f(t, w)
	})
}

// watchedLibrary tells of the connections that it leaves.
type watchedLibrary struct {
	library
	left chan struct{}
}

func (w *watchedLibrary) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &leavable{Conn: conn, leave: sync.OnceFunc(func() { w.left <- struct{}{} })}, nil
}

type leavable struct {
	net.Conn
	leave func()
}

func (c *leavable) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// watchedWire remembers the connection that it opened last.
type watchedWire struct {
	*wire.Client
	last atomic.Pointer[net.TCPConn]
}

func (w *watchedWire) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	w.last.Store(conn.(*net.TCPConn))
	return conn, nil
}

// noticed waits until a transport can see what came on an idle connection. The
// library reads on a goroutine of its own, and closes the connection then. The
// own transport looks before it uses one: what the backend did must be there by
// then, and a busy system delivers late.
func noticed(t *testing.T, tr Transport) {
	t.Helper()
	switch w := tr.(type) {
	case *watchedLibrary:
		select {
		case <-w.left:
		case <-time.After(time.Minute):
			t.Error("nothing was noticed")
		}
	case *watchedWire:
		raw, err := w.last.Load().SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		for until := time.Now().Add(time.Minute); !hasSomething(raw); time.Sleep(time.Millisecond) {
			if time.Now().After(until) {
				t.Fatal("nothing has come")
			}
		}
	}
}

// hasSomething reports whether a read of a connection would not wait: bytes are
// there, its end, or a reset. It takes nothing away.
func hasSomething(raw syscall.RawConn) (is bool) {
	err := raw.Control(func(fd uintptr) {
		_, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		is = err != syscall.EAGAIN
	})
	return is || err != nil
}

// scripted is a server that lets a function talk to each connection.
func scripted(t *testing.T, talk func(n int, conn *net.TCPConn, r *bufio.Reader)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for n := 0; ; n++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				conn.SetDeadline(time.Now().Add(time.Minute))
				talk(n, conn.(*net.TCPConn), bufio.NewReader(conn))
			}()
		}
	}()
	return l.Addr().String()
}

// says answers every request of a connection with a text, and closes it then
// if the text says so.
func says(text string) func(int, *net.TCPConn, *bufio.Reader) {
	return func(_ int, conn *net.TCPConn, r *bufio.Reader) {
		for {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			io.Copy(io.Discard, req.Body)
			io.WriteString(conn, text)
			if strings.Contains(text, "close") {
				return
			}
		}
	}
}

func request(t *testing.T, method, address string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+address+"/x", body)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// exchanged sends a request and reads the response to its end.
func exchanged(tr Transport, req *http.Request) (*http.Response, string, error) {
	resp, err := tr.Send(req.Context(), req, nil)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, string(body), err
}
