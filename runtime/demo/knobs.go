package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Knobs say how the backend behaves. The zero value answers 200 at once.
type Knobs struct {
	// Path is the prefix of the paths that they are for; empty is all.
	Path string
	// Latency is how long every answer takes, plus up to Jitter.
	Latency, Jitter time.Duration
	// ErrorRate is the part of the requests, 0 to 1, that is answered with
	// Status; 0 is 503.
	ErrorRate float64
	Status    int
	// HangRate is the part that is never answered, ResetRate the part whose
	// connection is reset.
	HangRate, ResetRate float64
	// Size is the least number of bytes of an answer.
	Size int
}

func (k Knobs) delay(chance float64) time.Duration {
	return k.Latency + time.Duration(chance*float64(k.Jitter))
}

// knobsJSON is the form of knobs on the control path. The names are those of
// the query.
type knobsJSON struct {
	Path      string  `json:"path"`
	Latency   string  `json:"latency"`
	Jitter    string  `json:"jitter"`
	ErrorRate float64 `json:"error-rate"`
	Status    int     `json:"status"`
	HangRate  float64 `json:"hang-rate"`
	ResetRate float64 `json:"reset-rate"`
	Size      int     `json:"size"`
}

func (b *Backend) control(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
	case http.MethodPost:
		if err := b.turn(r.URL.Query()); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	case http.MethodDelete:
		b.reset()
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Requests", strconv.FormatUint(b.count.Load(), 10))
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	_ = enc.Encode(b.shown())
}

func (b *Backend) shown() []knobsJSON {
	b.mu.RLock()
	defer b.mu.RUnlock()
	shown := []knobsJSON{}
	for _, k := range b.rules {
		shown = append(shown, knobsJSON{k.Path, k.Latency.String(), k.Jitter.String(), k.ErrorRate, k.Status, k.HangRate, k.ResetRate, k.Size})
	}
	return shown
}

// turn sets the knobs that a query names.
func (b *Backend) turn(query url.Values) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	k, at := Knobs{Path: query.Get("path")}, -1
	for i := range b.rules {
		if b.rules[i].Path == k.Path {
			k, at = b.rules[i], i
		}
	}
	for _, name := range order(query) {
		values := query[name]
		if err := k.Set(name, values[len(values)-1]); err != nil {
			return err
		}
	}
	if at < 0 {
		b.rules = append(b.rules, k)
		b.sort()
		return nil
	}
	b.rules[at] = k
	return nil
}

// order returns the names of the knobs in a query, the status first: a rate
// that is named too has the last word.
func order(query url.Values) []string {
	names := slices.Sorted(maps.Keys(query))
	names = slices.DeleteFunc(names, func(name string) bool { return name == "path" })
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case a == "status":
			return -1
		case b == "status":
			return 1
		}
		return 0
	})
	return names
}

// Set sets the knob of a name to a value as people write it: "latency=20ms",
// "error-rate=0.5", "status=500". A status alone is that of all answers.
func (k *Knobs) Set(name, value string) (err error) {
	switch name {
	case "latency":
		k.Latency, err = duration(value)
	case "jitter":
		k.Jitter, err = duration(value)
	case "error-rate":
		k.ErrorRate, err = rate(value)
	case "hang-rate":
		k.HangRate, err = rate(value)
	case "reset-rate":
		k.ResetRate, err = rate(value)
	case "size":
		k.Size, err = whole(value, 0, 1<<30)
	case "status":
		if k.Status, err = whole(value, 200, 599); k.ErrorRate == 0 {
			k.ErrorRate = 1
		}
	default:
		return fmt.Errorf("there is no knob %q; there are latency, jitter, error-rate, status, hang-rate, reset-rate, size", name)
	}
	if err != nil {
		return fmt.Errorf("%s is %q; expected %w", name, value, err)
	}
	return nil
}

func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil || d < 0 {
		return 0, errors.New("a time such as 20ms or 3s")
	}
	return d, nil
}

func rate(text string) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return 0, errors.New("a part from 0 to 1")
	}
	return f, nil
}

func whole(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("a whole number from %d to %d", least, most)
	}
	return n, nil
}
