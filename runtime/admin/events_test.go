package admin_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/margay-dev/margay/runtime/admin"
)

// follower reads server-sent events.
type follower struct {
	t      *testing.T
	events *bufio.Scanner
	close  func()
	data   string // of the last event
}

func follow(t *testing.T, url string) *follower {
	t.Helper()
	resp, err := http.Get(url + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(resp.Status, resp.Header)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<24)
	return &follower{t: t, events: lines, close: func() { resp.Body.Close() }}
}

// next returns the name and the rows of the next event.
func (f *follower) next() (name string, routes []row) {
	f.t.Helper()
	for f.events.Scan() {
		line := f.events.Text()
		if after, ok := strings.CutPrefix(line, "event: "); ok {
			name = after
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			f.data = data
			var s struct{ Routes []row }
			if err := json.Unmarshal([]byte(data), &s); err != nil {
				f.t.Fatal(err)
			}
			return name, s.Routes
		}
	}
	f.t.Fatal("the events ended: ", f.events.Err())
	return "", nil
}

func TestEvents(t *testing.T) {
	f := newFixture(t, protected("/a"), protected("/b"))
	server := httptest.NewServer(admin.New(f.options))
	defer server.Close()
	x := follow(t, server.URL)
	defer x.close()
	if name, routes := x.next(); name != "state" || len(routes) != 2 {
		t.Errorf("got %s with %d routes first", name, len(routes))
	}
	f.turn("status=500")
	f.ask("/b")
	f.ask("/b")
	for {
		name, routes := x.next()
		if name != "changes" {
			t.Fatalf("got %s", name)
		}
		for _, r := range routes {
			if r.ID != "/b" {
				t.Errorf("got %s, which has not changed", r.ID)
			}
		}
		if len(routes) == 1 && routes[0].Circuit.State == "open" {
			break
		}
	}
	if err := f.proxy.Swap(f.plan(protected("/b"), protected("/c"), protected("/d"))); err != nil {
		t.Fatal(err)
	}
	for name := ""; name != "state"; {
		var routes []row
		if name, routes = x.next(); name == "state" && (len(routes) != 3 || routes[0].Circuit.State != "open") {
			t.Errorf("after another plan: got %+v", routes)
		}
	}
}

// TestManyFollow has more pages than there is room for follow while calls go on
// and plans change.
func TestManyFollow(t *testing.T) {
	f := newFixture(t, protected("/a"))
	server := httptest.NewServer(admin.New(f.options))
	defer server.Close()
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			x := follow(t, server.URL)
			defer x.close()
			for range 3 {
				x.next()
			}
			for name, n := "", 0; name != "state" && n < 200; n++ {
				name, _ = x.next()
			}
		})
	}
	for i := range 20 {
		f.ask("/a")
		if err := f.proxy.Swap(f.plan(protected("/a"), protected(fmt.Sprint("/", i)))); err != nil {
			t.Error(err)
		}
	}
	stop := make(chan struct{})
	var swaps sync.WaitGroup
	swaps.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				if err := f.proxy.Swap(f.plan(protected("/a"), protected(fmt.Sprint("/x", i)))); err != nil {
					t.Error(err)
				}
			}
		}
	})
	group.Wait()
	close(stop)
	swaps.Wait()
}

func TestTooManyFollow(t *testing.T) {
	f := newFixture(t, protected("/a"))
	server := httptest.NewServer(admin.New(f.options))
	defer server.Close()
	for range 64 {
		x := follow(t, server.URL)
		defer x.close()
		x.next()
	}
	resp, err := http.Get(server.URL + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("got %s", resp.Status)
	}
}
