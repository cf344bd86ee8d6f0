package wire

import (
	"context"
	"sync"
	"time"
)

// pool keeps the idle connections to one address. The one that was used last
// goes first, so that those which are not needed grow old.
type pool struct {
	client  *Client
	address string

	mu    sync.Mutex
	idle  []*conn     // guarded by mu
	sweep *time.Timer // guarded by mu; nil: nothing is idle
}

// take returns an idle connection, or nil.
func (p *pool) take() *conn {
	p.mu.Lock()
	n := len(p.idle)
	if n == 0 {
		p.mu.Unlock()
		return nil
	}
	c := p.idle[n-1]
	p.idle[n-1] = nil
	p.idle = p.idle[:n-1]
	p.mu.Unlock()
	return c
}

// dial opens a connection.
func (p *pool) dial(ctx context.Context) (*conn, error) {
	nc, err := p.client.options.Dial(ctx, "tcp", p.address)
	if err != nil {
		return nil, err
	}
	return newConn(p, nc), nil
}

// put keeps a connection that is ready for the next request.
func (p *pool) put(c *conn) {
	o := &p.client.options
	if o.Lifetime < 0 || o.Lifetime > 0 && c.used.Sub(c.born) >= o.Lifetime {
		c.close()
		return
	}
	p.mu.Lock()
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
