package admin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// changes are the rows that are new since the last event, and what else may be.
type changes struct {
	Now     string         `json:"now"`
	Ready   bool           `json:"ready"`
	Reload  reloadRecord   `json:"reload"`
	Schemes []schemeRecord `json:"schemes"`
	Routes  []row          `json:"routes"`
}

// whole is the first event, and the first one after a change of plan.
type whole struct {
	Now string `json:"now"`
	*state
}

// pulse is how long a follower waits at most for an event: by its absence a
// page knows that it has lost the connection.
const pulse = 2 * time.Second

// events sends "state" and then "changes", as server-sent events, until the
// client goes away.
func (a *admin) events(w http.ResponseWriter, r *http.Request) {
	leave, ok := a.board.follow()
	if !ok {
		plain(w, http.StatusServiceUnavailable, "too many pages follow")
		return
	}
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	s := &stream{admin: a, w: w}
	for {
		v, more := a.board.view()
		if err := s.send(v); err != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-more:
		}
	}
}

// stream is one follower.
type stream struct {
	*admin
	w    http.ResponseWriter
	seen view // what it knows
	sent time.Time
	told told
}

// told is what a follower knows beside the routes.
type told struct {
	ready   bool
	reload  reloadRecord
	schemes []schemeRecord
}

func (t told) equals(other told) bool {
	return t.ready == other.ready && t.reload == other.reload && slices.Equal(t.schemes, other.schemes)
}

// send sends what is new in a view, or nothing if there is nothing.
func (s *stream) send(v view) error {
	tell := told{s.Ready(), s.reloaded(), s.schemes()}
	if s.seen.plan != v.plan || len(s.seen.rows) != len(v.rows) {
		s.seen, s.told = v, tell
		return s.event("state", whole{now(), s.stateOf(v.plan, v.rows)})
	}
	changed := v.since(s.seen.look)
	if len(changed) == 0 && tell.equals(s.told) && time.Since(s.sent) < pulse {
		return nil
	}
	s.seen, s.told = v, tell
	return s.event("changes", changes{Now: now(), Ready: tell.ready, Reload: tell.reload, Schemes: tell.schemes, Routes: changed})
}

func (s *stream) event(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	s.sent = time.Now()
	if _, err := fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", name, text); err != nil {
		return err
	}
	return http.NewResponseController(s.w).Flush()
}
