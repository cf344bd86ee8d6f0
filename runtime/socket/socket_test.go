package socket_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/socket"
)

// pair returns both ends of a TCP connection.
func pair(t testing.TB) (a, b net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	a, err = net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if b, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

// TestWhatIsWrittenArrives, also where it is far more than a socket takes at
// once and the reader is slow to begin.
func TestWhatIsWrittenArrives(t *testing.T) {
	a, b := pair(t)
	a, b = socket.Wrap(a), socket.Wrap(b)
	sent := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
	written := make(chan error, 1)
	go func() {
		n, err := a.Write(sent)
		if err == nil && n != len(sent) {
			err = io.ErrShortWrite
		}
		written <- errors.Join(err, a.(interface{ CloseWrite() error }).CloseWrite())
	}()
	got, err := io.ReadAll(b)
	if err != nil || !bytes.Equal(got, sent) {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
	if n, err := b.Read(nil); n != 0 || err != nil {
		t.Errorf("a read of nothing: got %d, %v", n, err)
	}
	if _, err := b.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("behind the end: got %v", err)
	}
}

// TestErrorsAreThoseOfAConnection: callers tell deadlines, closed connections and
// clients that are gone apart by them.
func TestErrorsAreThoseOfAConnection(t *testing.T) {
	a, b := pair(t)
	w := socket.Wrap(a)
	w.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	_, err := w.Read(make([]byte, 1))
	var timeout net.Error
	if !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("a deadline: got %v", err)
	}
	large := make([]byte, 64<<20)
	w.SetWriteDeadline(time.Now().Add(2 * time.Second))
	if n, err := w.Write(large); !errors.Is(err, os.ErrDeadlineExceeded) || n == 0 {
		t.Errorf("a deadline of a write: got %d, %v", n, err)
	}
	w.SetDeadline(time.Time{})

	reading := make(chan error, 1)
	go func() {
		_, err := w.Read(make([]byte, 1))
		reading <- err
	}()
	b.Close() // with unread bytes: it is reset
	if err := <-reading; err == nil || err == io.EOF {
		t.Errorf("a reset: got %v", err)
	}
	if _, err := w.Write([]byte("x")); err == nil {
		t.Error("a write to a connection that was reset: no error")
	} else if _, ok := errors.AsType[*net.OpError](err); !ok {
		t.Errorf("a write to a connection that was reset: got %T", err)
	}
	w.Close()
	if _, err := w.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed: got %v", err)
	}
}

// TestACloseEndsARead that waits.
func TestACloseEndsARead(t *testing.T) {
	a, _ := pair(t)
	w := socket.Wrap(a)
	reading := make(chan error, 1)
	go func() {
		_, err := w.Read(make([]byte, 1))
		reading <- err
	}()
	time.Sleep(10 * time.Millisecond)
	w.Close()
	select {
	case err := <-reading:
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("got %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the read still waits")
	}
}

// TestOtherConnectionsStayAsTheyAre.
func TestOtherConnectionsStayAsTheyAre(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if socket.Wrap(a) != a {
		t.Error("a pipe was wrapped")
	}
}

func BenchmarkPingPong(b *testing.B) {
	for name, wrap := range map[string]func(net.Conn) net.Conn{"socket": socket.Wrap, "net": func(c net.Conn) net.Conn { return c }} {
		b.Run(name, func(b *testing.B) {
			here, there := pair(b)
			here, there = wrap(here), wrap(there)
			go io.Copy(struct{ io.Writer }{there}, struct{ io.Reader }{there})
			p := make([]byte, 1024)
			b.ReportAllocs()
			for b.Loop() {
				here.Write(p)
				io.ReadFull(here, p)
			}
		})
	}
}
