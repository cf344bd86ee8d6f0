package access

import (
	"bytes"
	"io"
	"sync"
	"time"
)

// Writer gathers what is written and passes it on when there is much of it, and
// at the latest after a moment. What cannot be passed on waits, within bounds,
// and goes on where it broke off, so that no line is torn. Make one with
// NewWriter; it is safe for concurrent use.
type Writer struct {
	options Options

	mu      sync.Mutex
	to      io.Writer   // guarded by mu
	buffer  []byte      // guarded by mu: whole lines, unless torn
	waiting *time.Timer // guarded by mu: nil while nothing is to be passed on
	torn    bool        // guarded by mu: the first line of buffer was begun elsewhere
	failing error       // guarded by mu: of the last write; nil, it went well
	first   error       // guarded by mu: the first one of all
	lost    int         // guarded by mu: lines since it began to fail
}

// Options are what a caller may choose. The zero value is the default.
type Options struct {
	// Trouble is told when writing begins to fail, and with nil when it goes well
	// again, with the number of lines that were lost meanwhile. Nil: nobody is. It
	// must not write to the same Writer.
	Trouble func(err error, lost int)
}

const (
	// enough is how much is passed on at once, and moment how long it waits.
	enough = 32 << 10
	moment = 100 * time.Millisecond
	// most is how much waits where it cannot be passed on, for a pause between
	// two attempts.
	most  = 1 << 20
	pause = time.Second
)

// NewWriter returns a Writer to w. Close it to lose nothing.
func NewWriter(w io.Writer, o Options) *Writer {
	if o.Trouble == nil {
		o.Trouble = func(error, int) {}
	}
	return &Writer{options: o, to: w}
}

// Write takes one or more whole lines. It never fails: what becomes of them is
// told to Options.Trouble and by Close.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failing != nil && len(w.buffer)+len(p) > most {
		w.lost += bytes.Count(p, []byte{'\n'})
		return len(p), nil
	}
	w.buffer = append(w.buffer, p...)
	switch {
	case w.failing == nil && len(w.buffer) >= enough:
		w.flush()
	case w.waiting == nil:
		w.waiting = time.AfterFunc(moment, w.late)
	}
	return len(p), nil
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
	n, err := w.to.Write(w.buffer)
	if n > 0 {
		w.torn = w.buffer[n-1] != '\n'
		w.buffer = w.buffer[:copy(w.buffer, w.buffer[n:])]
	}
	w.judge(err)
	if len(w.buffer) > 0 {
		w.waiting = time.AfterFunc(pause, w.late)
	}
}

// judge notes how a write went. mu is held.
func (w *Writer) judge(err error) {
	before := w.failing
	w.failing = err
	if err != nil && w.first == nil {
		w.first = err
	}
	if (err == nil) == (before == nil) {
		return
	}
	w.options.Trouble(err, w.lost)
	if err == nil {
		w.lost = 0
	}
}

// Turn passes lines on to another writer from now on, those that wait included,
// and returns the one before, to which nothing is written any more. A line is in
// one of the two, whole.
func (w *Writer) Turn(to io.Writer) io.Writer {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.to
	w.to = to
	if w.torn { // the rest of a line would mean nothing
		end := bytes.IndexByte(w.buffer, '\n')
		w.buffer = w.buffer[:copy(w.buffer, w.buffer[end+1:])]
		w.torn = false
		w.lost++
	}
	w.flush()
	return before
}

// Close passes on what is left. The error is the first one of all, if a line
// was lost.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	if w.waiting != nil {
		w.waiting.Stop()
		w.waiting = nil
	}
	if len(w.buffer) > 0 || w.lost > 0 || w.failing != nil {
		return w.first
	}
	return nil
}
