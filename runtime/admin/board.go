package admin

import (
	"sync"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
)

// board holds the rows for those who follow them. It looks at the breakers only
// while somebody does, once for all of them. Each follower remembers what it
// has seen, so that a slow one keeps nobody waiting and loses nothing.
type board struct {
	rows     func() (*plan.Plan, []row)
	interval time.Duration

	mu        sync.Mutex
	followers int           // guarded by mu
	stop      chan struct{} // guarded by mu: ends the looking
	now       view          // guarded by mu
	tick      chan struct{} // guarded by mu: closed with the next look
}

// view is what a board knows at one time. Its slices do not change.
type view struct {
	// plan is that of the rows: another one has other rows.
	plan *plan.Plan
	// look counts the looks, and seen holds for each row the look that found it
	// changed.
	look int
	rows []row
	seen []int
}

// maxFollowers bounds the connections that are held open.
const maxFollowers = 64

func newBoard(rows func() (*plan.Plan, []row), interval time.Duration) *board {
	return &board{rows: rows, interval: interval, tick: make(chan struct{})}
}

// follow begins to follow; leave ends it. It fails where there is no room.
func (b *board) follow() (leave func(), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.followers >= maxFollowers {
		return nil, false
	}
	if b.followers++; b.followers == 1 {
		b.stop = make(chan struct{})
		b.refresh()
		go b.watch(b.stop)
	}
	return b.leave, true
}

func (b *board) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.followers--; b.followers == 0 {
		close(b.stop)
	}
}

func (b *board) watch(stop <-chan struct{}) {
	ticker := time.NewTicker(b.interval)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			b.look()
		}
	}
}

// look looks at once, as something is known to have changed.
func (b *board) look() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refresh()
}

// refresh makes a new view and wakes the followers. mu is held.
func (b *board) refresh() {
	of, rows := b.rows()
	old := b.now
	next := view{plan: of, look: old.look + 1, rows: rows, seen: make([]int, len(rows))}
	for i := range rows {
		next.seen[i] = next.look
		if old.plan == of && i < len(old.rows) && old.rows[i] == rows[i] {
			next.seen[i] = old.seen[i]
		}
	}
	b.now = next
	close(b.tick)
	b.tick = make(chan struct{})
}

// view returns what is known, and a channel that tells when there is more.
func (b *board) view() (view, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now, b.tick
}

// since returns the rows that have changed after a look.
func (v *view) since(look int) []row {
	changed := []row{}
	for i, at := range v.seen {
		if at > look {
			changed = append(changed, v.rows[i])
		}
	}
	return changed
}
