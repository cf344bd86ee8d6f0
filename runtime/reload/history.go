package reload

import (
	"sync"
	"time"
)

// History remembers how reloads ended. The zero value has seen none; it is safe
// for concurrent use.
type History struct {
	mu  sync.Mutex
	now Outcome // guarded by mu
}

// Outcome is what a History knows.
type Outcome struct {
	// Generation counts what was loaded, the start included.
	Generation int
	// LoadedAt is when what is in force was loaded.
	LoadedAt time.Time
	// Failures counts what was refused.
	Failures int
	// Err is why the last reload was refused, at FailedAt; nil since one that
	// went well.
	Err      error
	FailedAt time.Time
}

// Succeeded notes that something was loaded and is in force.
func (h *History) Succeeded() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now.Generation++
	h.now.LoadedAt, h.now.Err = time.Now(), nil
}

// Failed notes that something was refused, and why. What was in force stays.
func (h *History) Failed(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now.Failures++
	h.now.Err, h.now.FailedAt = err, time.Now()
}

// Last returns what is known.
func (h *History) Last() Outcome {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}
