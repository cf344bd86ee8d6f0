package listen

import (
	"context"
	"io"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/framing"
)

// strict hands net/http a request of HTTP/1 only when its head is whole and has
// one reading (runtime/framing), and its body no further than that goes. In
// place of a head that is refused net/http gets one that says so, which the
// server's handler answers: so the answers to the requests before it come first.
//
// What has come is looked at where net/http wants to have it, and is held back
// only when a head comes in pieces or more follows behind a request. What
// follows is not looked at before the next request is asked for: it belongs to
// another protocol if the client goes over to one.
//
// Reads are made by one goroutine at a time, as net/http does.
type strict struct {
	net.Conn
	rules *rules

	raw     atomic.Bool // somebody took the connection over
	later   bool        // a request was read before
	scanner framing.Scanner
	body    framing.Body
	upgrade bool // the client wants to go over to another protocol
	// held is what has come and is not handed out, but for its first early bytes.
	held  []byte
	early int
	// cleared is how much of held may be handed out.
	cleared int
	memory  []byte          // what held is a part of
	store   *[holdSize]byte // the same, from the pool; nil: it is not from there
	failed  error           // of the framing; nothing comes behind it
	refused atomic.Bool     // the same, for Close
	// fault is what the client did wrong with the body of the request; nil: nothing.
	// It is there before net/http takes the client for gone.
	fault atomic.Pointer[error]
}

// rules are what the strict connections of a listener have in common.
type rules struct {
	fieldBytes    int
	headerTimeout time.Duration
	// preface admits HTTP/2 without TLS.
	preface bool
	logger  *slog.Logger
	// onRefused is told of the requests that are refused; nil: nobody is.
	onRefused func(Refusal)
	refused   refusals
	closed    atomic.Bool // nobody is waited for any more
	stores    sync.Pool   // of *[holdSize]byte
}

// holdSize is what most heads fit in that come in pieces.
const holdSize = 8 << 10

// plain is a listener of strict connections.
type plain struct {
	net.Listener
	rules *rules
}

// Accept waits for a connection.
func (l plain) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return newStrict(c, l.rules), nil
}

func newStrict(c net.Conn, r *rules) *strict {
	return &strict{Conn: c, rules: r, scanner: framing.Scanner{FieldBytes: r.fieldBytes}}
}

// Read hands out a part of a request.
func (c *strict) Read(p []byte) (int, error) {
	switch {
	case len(p) == 0:
		return c.Conn.Read(p)
	case c.raw.Load():
		return c.readRaw(p)
	case c.cleared > 0:
		return c.hand(p), nil
	case c.failed != nil:
		return 0, c.failed
	case !c.body.Ended():
		return c.readBody(p)
	case len(p) == 1 && c.early == 0:
		return c.readAhead(p)
	case len(c.held) == 0:
		return c.readWhole(p)
	}
	return c.readPieces(p)
}

// readWhole reads a head that comes in one piece, into p.
func (c *strict) readWhole(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n == 0 {
		return 0, err
	}
	whole := c.scan(p[:n])
	head := c.scanner.Head()
	if whole && head.Skip == 0 {
		c.begin(head)
		c.hold(p[head.Size:n])
		return head.Size, nil
	}
	if c.failed == nil {
		c.hold(p[:n])
	}
	if whole {
		c.clear(head)
		return c.hand(p), nil
	}
	return c.readPieces(p)
}

// readPieces reads until a head is whole.
func (c *strict) readPieces(p []byte) (int, error) {
	for first := true; c.failed == nil; first = false {
		if c.scan(c.held) {
			c.clear(c.scanner.Head())
			break
		}
		if c.raw.Load() {
			return c.readRaw(p)
		}
		if first && c.later {
			// net/http waits as for an idle connection until it sees something.
			_ = c.Conn.SetReadDeadline(time.Now().Add(c.rules.headerTimeout))
		}
		if c.failed == nil {
			if err := c.more(); err != nil {
				return 0, err
			}
		}
	}
	return c.hand(p), nil
}

// clear hands a head that is held over to hand.
func (c *strict) clear(head framing.Head) {
	out := max(head.Skip, c.early)
	c.drop(out)
	c.cleared = head.Size - out
	c.begin(head)
}

// scan looks at what has come of a head, and reports whether it is whole. It
// refuses it, or takes it for HTTP/2, by the way.
func (c *strict) scan(b []byte) bool {
	if !c.later && c.rules.preface && b[0] == preface[0] {
		n := min(len(b), len(preface))
		if string(b[:n]) == preface[:n] {
			if n == len(preface) {
				c.raw.Store(true)
			}
			return false
		}
	}
	whole, refused := c.scanner.Scan(b)
	if refused != 0 {
		c.refuse(refused)
	}
	return whole && refused == 0
}

// preface is what a client says first that speaks HTTP/2 (RFC 9113, section 3.4).
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// begin starts a message whose head is whole.
func (c *strict) begin(head framing.Head) {
	c.body = framing.NewBody(head, c.rules.fieldBytes)
	c.upgrade, c.later, c.early = head.Upgrade, true, 0
	if c.fault.Load() != nil {
		c.fault.Store(nil)
	}
	c.scanner = framing.Scanner{FieldBytes: c.rules.fieldBytes}
}

// readBody reads no further than the body goes.
func (c *strict) readBody(p []byte) (int, error) {
	var used int
	var refused framing.Refusal
	if len(c.held) > 0 {
		used, refused = c.body.Pass(p[:copy(p, c.held)])
		c.drop(used)
	} else {
		n, err := c.Conn.Read(p)
		if n == 0 {
			if err != nil && isTimeout(err) {
				c.fault.Store(&err)
			}
			return 0, err
		}
		used, refused = c.body.Pass(p[:n])
		c.hold(p[used:n])
	}
	if refused != 0 {
		c.report(refused)
		var fault error = refused
		c.failed = fault
		c.fault.Store(&fault)
	}
	if used == 0 {
		return 0, c.failed
	}
	return used, nil
}

// Fault returns what the client did wrong with the body of the request; nil if
// nothing.
func (c *strict) Fault() error {
	if fault := c.fault.Load(); fault != nil {
		return *fault
	}
	return nil
}

// readAhead reads the byte by which net/http learns, while a handler runs, that
// the client is still there. Empty lines in front of a request are no sign, but
// for another protocol every byte is.
func (c *strict) readAhead(p []byte) (int, error) {
	for at := 0; ; at++ {
		if at == len(c.held) {
			n, err := c.Conn.Read(p)
			if n == 0 {
				return 0, err
			}
			c.hold(p[:n])
		}
		if b := c.held[at]; c.upgrade || b != '\r' && b != '\n' || at >= framing.MaxLine {
			p[0], c.early = b, at+1
			return 1, nil
		}
	}
}

// readRaw hands out what is held before it reads on.
func (c *strict) readRaw(p []byte) (int, error) {
	if c.early > 0 {
		c.drop(c.early)
		c.early = 0
	}
	if len(c.held) > 0 {
		c.cleared = len(c.held)
		return c.hand(p), nil
	}
	return c.Conn.Read(p)
}

// refuse puts a request in place of the one that is refused, by a version that
// none has. A byte of it that was handed out makes its method a longer one.
func (c *strict) refuse(why framing.Refusal) {
	c.report(why)
	c.rules.tell(Refusal{Remote: c.RemoteAddr().String(), Why: why})
	c.drop(len(c.held))
	c.hold(strconv.AppendInt([]byte("GET /"), int64(why.Status()), 10))
	c.hold([]byte(" HTTP/1.9\r\nHost: refused\r\n\r\n"))
	c.cleared, c.early, c.failed = len(c.held), 0, io.EOF
}

func (c *strict) report(why framing.Refusal) {
	c.refused.Store(true)
	c.rules.refused.count(why)
	if l := c.rules.logger; l != nil && l.Enabled(context.Background(), slog.LevelDebug) {
		l.Debug("a request is refused", "client", c.RemoteAddr().String(), "why", why.Error())
	}
}

// SetDeadline bounds reads and writes. Who calls it has taken the connection
// over from net/http.
func (c *strict) SetDeadline(t time.Time) error {
	c.raw.Store(true)
	return c.Conn.SetDeadline(t)
}

// NetConn returns the connection beneath.
func (c *strict) NetConn() net.Conn { return c.Conn }
