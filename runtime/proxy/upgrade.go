package proxy

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"sync"
)

// upgradeOf returns the protocol that a request asks to go over to: websocket or
// none. Behind any other one, such as h2c, more requests would follow that no
// guard sees. A request with a body has not ended where the protocol would begin.
func upgradeOf(r *http.Request) string {
	u := r.Header["Upgrade"]
	if len(u) != 1 || r.ProtoMajor != 1 || r.ProtoMinor < 1 || r.ContentLength != 0 || !isNamed(r.Header["Connection"], "Upgrade") {
		return ""
	}
	protocol := textproto.TrimString(u[0])
	if !strings.EqualFold(protocol, "websocket") {
		return ""
	}
	return protocol
}

// errSwitch is a backend that goes over to a protocol that nobody asked for.
var errSwitch = errors.New("the backend switches to a protocol that was not asked for")

// upgrade connects the client with the backend after 101. An error means that
// the client can still be answered otherwise.
func (x *Exchange) upgrade(response *http.Response) error {
	backend, ok := response.Body.(io.ReadWriteCloser)
	if !ok || x.writer == nil || !strings.EqualFold(response.Header.Get("Upgrade"), x.Upgrade()) {
		response.Body.Close()
		return errSwitch
	}
	client, buffered, err := http.NewResponseController(x.writer).Hijack()
	if err != nil {
		backend.Close()
		return err
	}
	end := x.proxy.upgrades.begin(client, backend)
	defer end()
	response.Body = nil
	response.Header["Connection"] = []string{"Upgrade"}
	if x.err = errors.Join(response.Write(buffered), buffered.Flush()); x.err == nil {
		x.sent = splice(client, buffered.Reader, backend)
	}
	return nil
}

// splice copies both ways until both sides have ended or one has broken, and
// returns how much went to the client.
func splice(client net.Conn, from *bufio.Reader, backend io.ReadWriteCloser) (sent int64) {
	var both sync.WaitGroup
	both.Go(func() {
		_, err := io.Copy(backend, from)
		passEnd(err, backend, client)
	})
	both.Go(func() {
		var err error
		sent, err = io.Copy(client, backend)
		passEnd(err, client, backend)
	})
	both.Wait()
	return sent
}

// passEnd tells one side that the other has said all. Where it can't be told, or
// something is broken, nobody must wait any longer: both are closed.
func passEnd(err error, to, from io.Closer) {
	half, ok := to.(interface{ CloseWrite() error })
	if err == nil && ok && half.CloseWrite() == nil {
		return
	}
	to.Close()
	from.Close()
}

// upgrades are the connections that went over to another protocol.
type upgrades struct {
	mu    sync.Mutex
	open  map[io.Closer]io.Closer // guarded by mu: client to backend
	empty chan struct{}           // guarded by mu: closed when open is empty; nil: nobody waits
}

// begin counts a pair of connections, and returns what ends it.
func (u *upgrades) begin(client, backend io.Closer) (end func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.open == nil {
		u.open = map[io.Closer]io.Closer{}
	}
	u.open[client] = backend
	return func() {
		client.Close()
		backend.Close()
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.open, client)
		if len(u.open) == 0 && u.empty != nil {
			close(u.empty)
			u.empty = nil
		}
	}
}

func (u *upgrades) drain(ctx context.Context) error {
	u.mu.Lock()
	if len(u.open) == 0 {
		u.mu.Unlock()
		return nil
	}
	if u.empty == nil {
		u.empty = make(chan struct{})
	}
	empty := u.empty
	u.mu.Unlock()
	select {
	case <-empty:
		return nil
	case <-ctx.Done():
		u.cut()
		return context.Cause(ctx)
	}
}

func (u *upgrades) cut() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for client, backend := range u.open {
		client.Close()
		backend.Close()
	}
}
