package access

import (
	"io"
	"sync"
	"time"
)

// Writer gathers what is written and passes it on when there is much of it, and
// at the latest after a moment. Make one with NewWriter.
type Writer struct {
	mu      sync.Mutex
	to      io.Writer   // guarded by mu
	buffer  []byte      // guarded by mu
	waiting *time.Timer // guarded by mu: nil while the buffer is empty
	err     error       // guarded by mu: the first one
}

const (
	// enough is how much is passed on at once, and moment how long it waits.
	enough = 32 << 10
	moment = 100 * time.Millisecond
)

// NewWriter returns a Writer to w. Close it to lose nothing.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Write takes one or more whole lines. The error is that of an earlier one.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buffer = append(w.buffer, p...)
	if len(w.buffer) >= enough {
		w.flush()
	} else if w.waiting == nil {
		w.waiting = time.AfterFunc(moment, w.late)
	}
	return len(p), w.err
}

func (w *Writer) late() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
}

// flush passes everything on. mu is held.
func (w *Writer) flush() {
	if w.waiting != nil {
		w.waiting.Stop()
		w.waiting = nil
	}
	if len(w.buffer) == 0 {
		return
	}
	if _, err := w.to.Write(w.buffer); err != nil && w.err == nil {
		w.err = err
	}
	w.buffer = w.buffer[:0]
}

// Close passes on what is left and returns the first error of all.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	return w.err
}
