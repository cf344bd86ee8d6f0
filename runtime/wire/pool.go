package wire

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// pool keeps the idle connections to one address. The one that was used last
// goes first, so that those which are not needed grow old. Where there may be so
// many connections only, requests wait for one in the order in which they came.
type pool struct {
	client  *Client
	address string

	mu      sync.Mutex
	idle    []*conn     // guarded by mu
	sweep   *time.Timer // guarded by mu; nil: nothing is idle
	open    int         // guarded by mu: idle, in use or being dialled
	waiting list.List   // guarded by mu: of *waiter. Nothing is idle while somebody waits.
}

// get returns an idle connection, or a new one if none is left and there may be
// another, or else what the next exchange leaves.
func (p *pool) get(ctx context.Context) (c *conn, reused bool, err error) {
	p.mu.Lock()
	if c := p.pop(); c != nil {
		p.mu.Unlock()
		return c, true, nil
	}
	if w := p.enter(); w != nil {
		if c, err = p.await(ctx, w); c != nil || err != nil {
			return c, true, err
		}
	}
	c, err = p.dial(ctx)
	return c, false, err
}

// fresh returns a new connection, which may take the place of an idle one.
func (p *pool) fresh(ctx context.Context) (*conn, error) {
	p.mu.Lock()
	var old *conn
	if p.full() {
		old = p.pop()
	}
	if old != nil {
		p.mu.Unlock()
	} else if w := p.enter(); w != nil {
		var err error
		if old, err = p.await(ctx, w); err != nil {
			return nil, err
		}
	}
	if old != nil {
		old.giveWay()
	}
	return p.dial(ctx)
}

// pop takes the connection that was used last; nil: none is idle. The caller
// holds mu.
func (p *pool) pop() *conn {
	n := len(p.idle)
	if n == 0 {
		return nil
	}
	c := p.idle[n-1]
	p.idle[n-1] = nil
	p.idle = p.idle[:n-1]
	return c
}

// dial opens a connection, for which there is a place.
func (p *pool) dial(ctx context.Context) (*conn, error) {
	nc, err := p.client.options.Dial(ctx, "tcp", p.address)
	if err != nil {
		p.leave()
		return nil, err
	}
	return newConn(p, nc), nil
}

// put keeps a connection that is ready for the next request, or hands it to
// whoever has waited longest.
func (p *pool) put(c *conn) {
	o := &p.client.options
	if o.Lifetime < 0 || o.Lifetime > 0 && c.used.Sub(c.born) >= o.Lifetime {
		c.close()
		return
	}
	p.mu.Lock()
	if p.hand(c) {
		p.mu.Unlock()
		return
	}
	if len(p.idle) >= o.MaxIdle {
		p.mu.Unlock()
		c.close()
		return
	}
	p.idle = append(p.idle, c)
	if p.sweep == nil {
		p.sweep = time.AfterFunc(o.IdleTimeout, p.expire)
	}
	p.mu.Unlock()
}

// expire closes what was idle for too long.
func (p *pool) expire() {
	o := &p.client.options
	now := time.Now()
	p.mu.Lock()
	old := 0
	for old < len(p.idle) && now.Sub(p.idle[old].used) >= o.IdleTimeout {
		old++
	}
	gone := append([]*conn(nil), p.idle[:old]...)
	p.idle = append(p.idle[:0], p.idle[old:]...)
	clear(p.idle[len(p.idle):cap(p.idle)])
	if len(p.idle) == 0 {
		p.sweep = nil
	} else {
		p.sweep.Reset(o.IdleTimeout - now.Sub(p.idle[0].used))
	}
	p.mu.Unlock()
	for _, c := range gone {
		c.close()
	}
}

func (p *pool) clear() {
	p.mu.Lock()
	gone := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range gone {
		c.close()
	}
}

func (p *pool) len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle)
}
