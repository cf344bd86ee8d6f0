package admin_test

import (
	"errors"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/admin"
	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/guard/bearer"
	"github.com/margay-dev/margay/runtime/guard/guardtest"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

var (
	errDown   = errors.New("get https://id.example: connection refused, hunter2")
	keysCame  = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	fetchedAt = keysCame.Add(time.Hour)
)

// down is an issuer that never gave a key, and old one that gave two before.
func down(name string) guard.SchemeKeys {
	return guard.SchemeKeys{Name: name, Keys: bearer.Keys{Issuer: "https://id.example", Err: errDown, FailedAt: fetchedAt, Failures: 3}}
}

func old(name string) guard.SchemeKeys {
	k := down(name)
	k.Count, k.Fetched = 2, keysCame
	return k
}

func good(name string) guard.SchemeKeys {
	return guard.SchemeKeys{Name: name, Keys: bearer.Keys{Issuer: "https://id.example", Count: 2, Fetched: keysCame}}
}

func authenticated(path string, schemes ...string) plan.Route {
	r := protected(path)
	r.Authentication = &plan.Authentication{Schemes: schemes}
	return r
}

// guarded is a fixture whose schemes are known, so that its routes are served.
func guarded(t *testing.T, keys *keyring, routes ...plan.Route) *fixture {
	set := guard.New(guard.Options{Schemes: map[string]guard.Scheme{"A": guardtest.Words("A"), "B": guardtest.Words("B")}})
	f := newFixtureOf(t, proxy.Options{Guards: set.Guards}, routes...)
	f.options.Keys = keys.get
	return f
}

func TestKeysThatCannotBeFetchedShow(t *testing.T) {
	var keys keyring
	f := guarded(t, &keys, authenticated("/a", "A"), authenticated("/both", "A", "B"), authenticated("/b", "B"), protected("/open"))
	f.options.Mask = strings.NewReplacer("hunter2", "***").Replace
	h := admin.New(f.options)
	for _, tc := range []struct {
		name    string
		keys    []guard.SchemeKeys
		trouble map[string]string
		ready   string
		metrics []string
		state   []string
	}{
		{"both are well", []guard.SchemeKeys{good("A"), good("B")}, map[string]string{"/a": "", "/both": "", "/b": "", "/open": ""}, "ready\n",
			[]string{`margay_scheme_keys{scheme="A"} 2`, `margay_scheme_keys_last_fetch_successful{scheme="B"} 1`, `margay_scheme_keys_fetched_timestamp_seconds{scheme="A"} 1.777863721e+09`},
			[]string{`"name": "A"`, `"keys": 2`, `"fetchedAt": "2026-05-04T03:02:01.000Z"`}},
		{"one never came", []guard.SchemeKeys{down("A"), good("B")},
			map[string]string{"/a": `no client of the scheme "A"`, "/both": `no client of the scheme "A"`, "/b": "", "/open": ""},
			"ready\ndegraded: no client of the scheme \"A\" can be recognised\n",
			[]string{`margay_scheme_keys{scheme="A"} 0`, `margay_scheme_keys_last_fetch_successful{scheme="A"} 0`, `margay_scheme_keys_fetch_failures_total{scheme="A"} 3`, `margay_scheme_keys_fetched_timestamp_seconds{scheme="A"} 0`},
			[]string{`"error": "get https://id.example: connection refused, ***"`, `"failedAt": "2026-05-04T04:02:01.000Z"`}},
		{"the old ones serve on", []guard.SchemeKeys{good("A"), old("B")},
			map[string]string{"/a": "", "/both": "those at hand serve on", "/b": "those at hand serve on", "/open": ""}, "ready\n",
			[]string{`margay_scheme_keys{scheme="B"} 2`, `margay_scheme_keys_last_fetch_successful{scheme="B"} 0`}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			keys.put(tc.keys...)
			rows := rowsOf(t, h)
			for id, want := range tc.trouble {
				if got := rows[id].Trouble; (got == "") != (want == "") || !strings.Contains(got, want) || rows[id].Refused != "" {
					t.Errorf("%s: got %q, want %q", id, got, want)
				}
			}
			if status, body := do(h, "GET", "/readyz"); status != 200 || body != tc.ready {
				t.Errorf("got %d %q", status, body)
			}
			contains(t, h, "/metrics", tc.metrics)
			contains(t, h, "/api/state", tc.state)
		})
	}
}

// TestKeysAreFollowed sends what becomes of keys although no route has changed.
func TestKeysAreFollowed(t *testing.T) {
	var keys keyring
	keys.put(good("A"))
	server := httptest.NewServer(admin.New(guarded(t, &keys, protected("/open")).options))
	defer server.Close()
	x := follow(t, server.URL)
	defer x.close()
	if name, _ := x.next(); name != "state" {
		t.Errorf("got %s first", name)
	}
	keys.put(down("A"))
	for !strings.Contains(x.data, `"schemes":[{"name":"A","issuer":"https://id.example","keys":0,"failures":3,"error":"get `) {
		if name, routes := x.next(); name != "changes" || len(routes) != 0 {
			t.Errorf("got %s with %d routes", name, len(routes))
		}
	}
}

// keyring is what a set of guards knows of keys.
type keyring struct {
	mu   sync.Mutex
	keys []guard.SchemeKeys // guarded by mu
}

func (k *keyring) put(keys ...guard.SchemeKeys) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.keys = keys
}

func (k *keyring) get() []guard.SchemeKeys {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.keys
}
