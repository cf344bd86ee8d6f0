package admin

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// stateVersion is that of the JSON. Within a version members are added, never
// changed.
const stateVersion = 1

// state is everything that the page shows.
type state struct {
	Version int    `json:"version"`
	Name    string `json:"name,omitempty"`
	Started string `json:"started"`
	Ready   bool   `json:"ready"`
	// Movable says whether breakers can be moved at all.
	Movable bool         `json:"movable"`
	Plan    planSummary  `json:"plan"`
	Reload  reloadRecord `json:"reload"`
	// Schemes are the authentication schemes, by name.
	Schemes []schemeRecord `json:"schemes"`
	Routes  []row          `json:"routes"`
}

type planSummary struct {
	Digest   string `json:"digest,omitempty"`
	Ocelot   string `json:"ocelot,omitempty"` // empty is the documentation
	Provider string `json:"provider"`
	Routes   int    `json:"routes"`
}

type reloadRecord struct {
	Generation int    `json:"generation"`
	LoadedAt   string `json:"loadedAt"`
	Failures   int    `json:"failures"`
	// Error says why the last reload was refused; empty since one that went well.
	Error    string `json:"error,omitempty"`
	FailedAt string `json:"failedAt,omitempty"`
}

func (a *admin) stateOf(p *plan.Plan, rows []row) *state {
	return &state{
		Version: stateVersion, Name: a.Name, Started: stamp(a.started), Ready: a.Ready(), Movable: a.Token != "",
		Plan:   planSummary{Digest: p.Digest, Ocelot: p.Profile.Ocelot, Provider: string(p.Profile.Provider), Routes: len(p.Routes)},
		Reload: a.reloaded(), Schemes: a.schemes(), Routes: rows,
	}
}

func (a *admin) reloaded() reloadRecord {
	last := a.History.Last()
	r := reloadRecord{Generation: last.Generation, LoadedAt: stamp(last.LoadedAt), Failures: last.Failures}
	if last.Err != nil {
		r.Error, r.FailedAt = a.Mask(last.Err.Error()), stamp(last.FailedAt)
	}
	return r
}

func (a *admin) state(w http.ResponseWriter, _ *http.Request) { respond(w, a.stateOf(a.rows())) }

// reasons words why a route is not served.
func reasons(r proxy.Refusal) string {
	var all []string
	for _, u := range r.Unenforced {
		all = append(all, u.Setting+": "+u.Reason)
	}
	return strings.Join(all, "; ")
}

// respond writes a value as JSON.
func respond(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(value) // a client that went away needs nothing more
}

// now is the time as the clients see it, for what is left of a break.
func now() string { return stamp(time.Now()) }
