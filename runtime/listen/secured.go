package listen

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"time"
)

// secured is a listener whose connections have shaken hands, so that those of
// HTTP/1 can be read strictly. net/http gets connections of HTTP/2 as they are,
// which it takes in no other form, and failed ones, which it reports.
type secured struct {
	net.Listener
	config *tls.Config
	rules  *rules

	begin  sync.Once
	shaken chan net.Conn
	errs   chan error
	ctx    context.Context // ends with the listener
	cancel context.CancelFunc
}

func secure(l net.Listener, config *tls.Config, r *rules) *secured {
	s := &secured{Listener: l, config: config, rules: r, shaken: make(chan net.Conn), errs: make(chan error)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Accept waits for a connection that has shaken hands, however long others take
// to do so.
func (s *secured) Accept() (net.Conn, error) {
	s.begin.Do(func() { go s.accept() })
	select {
	case c := <-s.shaken:
		return c, nil
	case err := <-s.errs:
		return nil, err
	case <-s.ctx.Done():
		return nil, net.ErrClosed
	}
}

// accept takes connections. After an error it waits until somebody has it.
func (s *secured) accept() {
	for {
		c, err := s.Listener.Accept()
		if err == nil {
			go s.shake(c)
			continue
		}
		select {
		case s.errs <- err:
		case <-s.ctx.Done():
			return
		}
	}
}

func (s *secured) shake(c net.Conn) {
	secure := tls.Server(c, s.config)
	_ = secure.SetReadDeadline(time.Now().Add(s.rules.headerTimeout))
	err := secure.HandshakeContext(s.ctx)
	_ = secure.SetReadDeadline(time.Time{})
	var shaken net.Conn = secure
	if err == nil && secure.ConnectionState().NegotiatedProtocol != "h2" {
		shaken = &secureStrict{strict: newStrict(secure, s.rules), secure: secure}
	}
	select {
	case s.shaken <- shaken:
	case <-s.ctx.Done():
		c.Close()
	}
}

func (s *secured) Close() error {
	s.cancel()
	return s.Listener.Close()
}

// secureStrict is a strict connection with TLS.
type secureStrict struct {
	*strict
	secure *tls.Conn
}

// ConnectionState returns what net/http says of TLS in requests.
func (c *secureStrict) ConnectionState() tls.ConnectionState { return c.secure.ConnectionState() }
