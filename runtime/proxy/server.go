package proxy

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// ServerOptions are the limits of a server for clients. The zero value is the
// default.
type ServerOptions struct {
	// MaxBodyBytes bounds the body of a request; 0: 30 000 000, as in Kestrel; a
	// negative one is no bound.
	MaxBodyBytes int64
	// HeaderTimeout bounds the time in which the head of a request must come.
	// 0: 30 seconds, as in Kestrel.
	HeaderTimeout time.Duration
	// IdleTimeout closes idle connections. 0: 130 seconds, as in Kestrel.
	IdleTimeout time.Duration
}

// Limits of Kestrel that Ocelot does not change (recordings of group 10).
const (
	maxBodyBytes   = 30_000_000
	maxHeaderBytes = 32 << 10
	maxHeaders     = 100
	maxRequestLine = 8 << 10
)

// NewServer returns a server for a proxy that speaks HTTP/1.1 and, with TLS or
// without, HTTP/2. A body may take as long as it takes; a head may not.
func NewServer(h http.Handler, o ServerOptions) *http.Server {
	if o.MaxBodyBytes == 0 {
		o.MaxBodyBytes = maxBodyBytes
	}
	if o.HeaderTimeout == 0 {
		o.HeaderTimeout = 30 * time.Second
	}
	if o.IdleTimeout == 0 {
		o.IdleTimeout = 130 * time.Second
	}
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler:                      limited{h, o.MaxBodyBytes},
		ReadHeaderTimeout:            o.HeaderTimeout,
		IdleTimeout:                  o.IdleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		Protocols:                    protocols,
		DisableGeneralOptionsHandler: true,
	}
}

// limited refuses what is too large.
type limited struct {
	http.Handler
	body int64
}

// ServeHTTP refuses too many headers and too long request lines, and lets nobody
// read more of a body than the limit.
func (l limited) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := 1 // Host
	for _, values := range r.Header {
		n += len(values)
	}
	switch {
	case r.ProtoMajor == 1 && r.ProtoMinor > 1:
		refuse(w, http.StatusHTTPVersionNotSupported)
		return
	case !r.ProtoAtLeast(1, 1) && bodiless(r) && (r.Method == http.MethodPost || r.Method == http.MethodPut):
		refuse(w, http.StatusBadRequest) // how long its body is nobody can tell (kestrel/046)
		return
	case n > maxHeaders:
		refuse(w, http.StatusRequestHeaderFieldsTooLarge)
		return
	case r.ProtoMajor == 1 && len(r.Method)+len(r.RequestURI)+len("  HTTP/1.1\r\n") > maxRequestLine:
		refuse(w, http.StatusRequestURITooLong)
		return
	case l.body > 0 && r.ContentLength > l.body:
		r.Body = oversized{r.Body}
	case l.body > 0 && r.ContentLength < 0:
		r.Body = http.MaxBytesReader(w, r.Body, l.body)
	}
	l.Handler.ServeHTTP(w, r)
}

// refuse answers a request of which nothing more is read.
func refuse(w http.ResponseWriter, status int) {
	w.Header()["Connection"] = []string{"close"}
	w.Header()["Content-Length"] = []string{"0"}
	w.WriteHeader(status)
}

// oversized is a body whose length is above the limit.
type oversized struct{ io.ReadCloser }

// errOversized is the outcome of a request with such a body, which is not read.
var errOversized = &StatusError{Status: http.StatusRequestEntityTooLarge, Header: http.Header{"Connection": {"close"}},
	Err: errors.New("the body of the request is larger than allowed")}

// Read refuses.
func (oversized) Read([]byte) (int, error) { return 0, errOversized }
