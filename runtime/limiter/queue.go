package limiter

import "container/list"

// waiter is a call that waits.
type waiter struct {
	answered chan struct{} // closed when it has its answer
	granted  bool          // the answer; written before answered is closed
	place    *list.Element // guarded by Limiter.mu; nil: not in the queue
}

// join puts a call into the queue, where it may find its answer at once, or
// returns [ErrRejected] when there is no room.
//
// With NewestFirst a newcomer always finds room where there is a queue at all:
// the oldest call is rejected in its stead.
func (l *Limiter) join() (*waiter, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.serve() // a permit may have been freed since the call looked for one
	if l.queue.Len() >= l.room {
		if !l.newest {
			return nil, ErrRejected
		}
		l.answer(l.queue.Front().Value.(*waiter), false)
	}
	w := &waiter{answered: make(chan struct{})}
	w.place = l.queue.PushBack(w)
	l.waiting.Add(1)
	l.serve() // a permit may have been freed before the call was counted
	return w, nil
}

// leave takes a call out of the queue that gives up, and reports false when it
// got its answer first.
func (l *Limiter) leave(w *waiter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.place == nil {
		return false
	}
	l.remove(w)
	return true
}

// serve gives free permits to calls in the queue. l.mu is held.
func (l *Limiter) serve() {
	for l.queue.Len() > 0 && l.take() {
		next := l.queue.Front()
		if l.newest {
			next = l.queue.Back()
		}
		l.answer(next.Value.(*waiter), true)
	}
}

// answer takes a call out of the queue and tells it. l.mu is held.
func (l *Limiter) answer(w *waiter, granted bool) {
	l.remove(w)
	w.granted = granted
	close(w.answered)
}

func (l *Limiter) remove(w *waiter) {
	l.queue.Remove(w.place)
	w.place = nil
	l.waiting.Add(-1)
}
