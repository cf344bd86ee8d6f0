package listen

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/margay-dev/margay/runtime/framing"
)

// Limits bound what one client can take. The zero value holds the defaults,
// which are those of Kestrel where it has one (limits-kestrel).
type Limits struct {
	// HeaderTimeout is the time for a request's line and headers: 30 s.
	HeaderTimeout time.Duration
	// IdleTimeout ends a connection without requests: 130 s.
	IdleTimeout time.Duration
	// HeaderBytes bounds the header lines: 32 KiB. Beyond is 431. The request line
	// is bounded by itself: 8 KiB, beyond is 414. Nor can there be more than 100
	// headers, beyond is 431.
	HeaderBytes int
	// BodyBytes bounds a body: 30 000 000 bytes. Beyond is 413. Negative is no
	// bound.
	BodyBytes int64
	// BodyRate is the number of bytes a second below which a client is given up
	// while it sends a body, after Grace: 240. Negative is no bound.
	BodyRate int
	// Grace is the time in which a client may send nothing at all: 5 s.
	Grace time.Duration
	// WriteStall ends a connection whose client takes nothing for as long: 30 s.
	WriteStall time.Duration
	// Connections is the number of connections at a time; others wait until one
	// ends. 0 is no bound.
	Connections int
}

func (l Limits) filled() Limits {
	l.HeaderTimeout = cmp.Or(l.HeaderTimeout, 30*time.Second)
	l.IdleTimeout = cmp.Or(l.IdleTimeout, 130*time.Second)
	l.HeaderBytes = cmp.Or(l.HeaderBytes, framing.DefaultFieldBytes)
	l.BodyBytes = cmp.Or(l.BodyBytes, 30_000_000)
	l.BodyRate = cmp.Or(l.BodyRate, 240)
	l.Grace = cmp.Or(l.Grace, 5*time.Second)
	l.WriteStall = cmp.Or(l.WriteStall, 30*time.Second)
	return l
}

// Options say how a server works. The zero value serves plain HTTP/1.1 with the
// default limits.
type Options struct {
	Limits Limits
	// Certificates make it a TLS server, which speaks HTTP/2 too; nil is plain.
	Certificates *Certificates
	// PlainHTTP2 takes HTTP/2 without TLS from clients that know of it.
	PlainHTTP2 bool
	// Logger is told what goes wrong with connections, on the level Debug: it is
	// mostly clients that go away. Nil: nobody.
	Logger *slog.Logger
	// OnRefused is told of every request that the handler does not get to see, on
	// the goroutine of the connection; nil: nobody is. A request with a fault in
	// its body is the handler's.
	OnRefused func(Refusal)
	// Delay is how long Shutdown goes on serving, with a request to clients to
	// leave, before it stops listening.
	Delay time.Duration
}

// Server serves one listener.
type Server struct {
	listener net.Listener
	http     *http.Server
	delay    time.Duration
	rules    *rules
}

// New returns a server of h on l, which it closes in the end. H sees no request
// of HTTP/1 that breaks the rules of RFC 9112 or the limits: it is answered 400,
// 414, 431 or 505, and its connection ends (runtime/framing says what is
// refused).
func New(l net.Listener, h http.Handler, o Options) *Server {
	limits := o.Limits.filled()
	rules := &rules{fieldBytes: limits.HeaderBytes, headerTimeout: limits.HeaderTimeout, preface: o.PlainHTTP2,
		logger: o.Logger, onRefused: o.OnRefused}
	s := &Server{delay: o.Delay, rules: rules}
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(o.PlainHTTP2)
	s.http = &http.Server{
		Handler: lawful(bounded(h, limits), rules),
		// The handler answers OPTIONS * too.
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            limits.HeaderTimeout,
		IdleTimeout:                  limits.IdleTimeout,
		MaxHeaderBytes:               framing.MaxLine + limits.HeaderBytes, // strict connections take no more
		Protocols:                    protocols,
		HTTP2:                        &http.HTTP2Config{WriteByteTimeout: limits.WriteStall, SendPingTimeout: limits.WriteStall},
		ConnContext:                  withConn,
	}
	if o.Certificates == nil {
		s.listener = plain{guard(l, limits), rules}
	} else {
		protocols.SetHTTP2(true)
		s.http.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: o.Certificates.pick, NextProtos: []string{"h2", "http/1.1"}}
		s.listener = secure(guard(l, limits), s.http.TLSConfig, rules)
	}
	logger := o.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	s.http.ErrorLog = slog.NewLogLogger(logger.Handler(), slog.LevelDebug)
	return s
}

// Serve serves until Shutdown or Close, and returns nil then.
func (s *Server) Serve() error {
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Addr returns the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Shutdown stops: clients are asked to leave, for as long as Options.Delay new
// requests are still taken, then none, and those on their way may finish until
// ctx is done. Then it cuts what is left and returns the cause of ctx.
func (s *Server) Shutdown(ctx context.Context) error {
	if s.delay > 0 {
		s.http.SetKeepAlivesEnabled(false)
		wait := time.NewTimer(s.delay)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-ctx.Done():
		}
	}
	if err := s.http.Shutdown(ctx); err != nil {
		s.Close()
		return context.Cause(ctx)
	}
	return nil
}

// Close cuts everything at once.
func (s *Server) Close() error {
	s.rules.closed.Store(true)
	return s.http.Close()
}
