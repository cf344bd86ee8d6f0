package listen

import (
	"net"
	"os"
	"sync"
	"time"
)

// patience is the reading side of a connection for net/http, which moves its
// deadline several times for every request, and reads one byte on a goroutine
// of its own while a handler runs, to notice that the client has gone. Both
// cost as much as reading the request does.
//
// Here a deadline that is put off is not moved: when the old one passes, the
// read is begun again. And the read of one byte waits a moment before it asks
// the system; for a handler that is done by then it never does.
type patience struct {
	conn net.Conn

	mu      sync.Mutex
	wanted  time.Time // guarded by mu: the deadline that was asked for; zero: none
	armed   time.Time // guarded by mu: the one that the connection has
	past    bool      // guarded by mu: reads are to end at once
	reading bool      // guarded by mu: a read is waiting in the system
	raw     bool      // guarded by mu: somebody took the connection over

	lingering bool          // guarded by mu: a read of one byte waits for its moment
	wake      chan struct{} // ends its waiting
	ticking   bool          // guarded by mu: tick is going to be called
	ticks     int           // guarded by mu: since it waits
	ticker    *time.Timer
}

// moment is how long a read of one byte waits before it asks the system, up to
// twice as long.
const moment = 25 * time.Millisecond

func newPatience(c net.Conn) *patience {
	return &patience{conn: c, wake: make(chan struct{}, 1)}
}

func (p *patience) read(b []byte) (int, error) {
	p.mu.Lock()
	if len(b) == 1 && !p.raw && !p.past {
		p.linger()
	}
	for !p.past {
		p.reading = true
		p.mu.Unlock()
		n, err := p.conn.Read(b)
		p.mu.Lock()
		p.reading = false
		if n > 0 || err == nil || !isTimeout(err) {
			p.mu.Unlock()
			return n, err
		}
		if !p.wanted.IsZero() && !time.Now().Before(p.wanted) {
			break
		}
		if err := p.arm(p.wanted); err != nil {
			p.mu.Unlock()
			return 0, err
		}
	}
	p.mu.Unlock()
	return 0, os.ErrDeadlineExceeded
}

func isTimeout(err error) bool {
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}

// linger waits until the moment is over or the read is no longer wanted. The
// lock is held, but not while it waits.
func (p *patience) linger() {
	p.lingering, p.ticks = true, 0
	if !p.ticking {
		p.ticking = true
		if p.ticker == nil {
			p.ticker = time.AfterFunc(moment, p.tick)
		} else {
			p.ticker.Reset(moment)
		}
	}
	p.mu.Unlock()
	<-p.wake
	p.mu.Lock()
	p.lingering = false
}

// tick goes on for as long as reads of one byte come, so that a fast handler
// does not cost a timer.
func (p *patience) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ticking = p.lingering
	if !p.lingering {
		return
	}
	if p.ticks++; p.ticks < 2 {
		p.ticker.Reset(moment)
		return
	}
	p.ticking = false
	p.stir()
}

// stir ends the waiting of linger. The lock is held.
func (p *patience) stir() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// arm moves the deadline of the connection. The lock is held.
func (p *patience) arm(t time.Time) error {
	p.armed = t
	return p.conn.SetReadDeadline(t)
}

// setDeadline is SetReadDeadline. A deadline that the connection has and that
// is sooner than t, or passed, is left alone: the read that it ends begins again.
func (p *patience) setDeadline(t time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.past = !t.IsZero() && !t.After(time.Now()); p.past {
		if p.lingering {
			p.stir()
		}
		if p.reading {
			return p.arm(t)
		}
		return nil
	}
	p.wanted = t
	if !t.IsZero() && (p.armed.IsZero() || t.Before(p.armed)) {
		return p.arm(t)
	}
	return nil
}

// release is called when the connection is taken over: from then on reads ask
// the system at once.
func (p *patience) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.raw = true
	if p.lingering {
		p.stir()
	}
}
