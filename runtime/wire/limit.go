package wire

import (
	"container/list"
	"context"
)

// waiter is a request that waits until it may have a connection.
type waiter struct {
	place *list.Element // in pool.waiting
	given chan *conn    // nil: the place of one that has ended
}

// full reports whether there may be no other connection. The caller holds mu.
func (p *pool) full() bool {
	limit := p.client.options.MaxConnections
	return limit > 0 && p.open >= limit
}

// enter takes a place for a new connection, or queues for one and returns how it
// is told. The caller holds mu, which is released.
func (p *pool) enter() *waiter {
	defer p.mu.Unlock()
	if !p.full() {
		p.open++
		return nil
	}
	w := &waiter{given: make(chan *conn, 1)}
	w.place = p.waiting.PushBack(w)
	return w
}

// await waits for a connection, or for a place for one, which is then nil.
func (p *pool) await(ctx context.Context, w *waiter) (*conn, error) {
	select {
	case c := <-w.given:
		return c, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	p.waiting.Remove(w.place)
	p.mu.Unlock()
	select {
	case c := <-w.given: // too late: it is the next one's
		if c == nil {
			p.leave()
		} else {
			p.put(c)
		}
	default:
	}
	return nil, context.Cause(ctx)
}

// hand gives a connection, or the place of one that has ended, to whoever has
// waited longest. It reports whether somebody has. The caller holds mu.
func (p *pool) hand(c *conn) bool {
	first := p.waiting.Front()
	if first == nil {
		return false
	}
	p.waiting.Remove(first).(*waiter).given <- c
	return true
}

// leave gives up the place of a connection.
func (p *pool) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.hand(nil) {
		p.open--
	}
}
