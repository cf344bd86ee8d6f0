package guard_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// The handshake of a WebSocket passes every guard, where Ocelot lets it past
// (ws-auth).
func TestUpgradesPassTheGuards(t *testing.T) {
	g := start(t, testOptions(), nil,
		plan.Route{Authentication: known("TestA"), RateLimit: &plan.RateLimit{Limit: 2, Period: 30_000, ClientHeader: "Oc-Client", StatusCode: 429},
			Cache: &plan.Cache{TTL: 60_000}, ResponseHeaders: []plan.HeaderTransform{{Name: "X-New", Kind: plan.SetHeader, Value: "1"}}},
		plan.Route{ClientIPs: &plan.ClientIPs{Blocked: []string{"127.0.0.1"}}})
	g.answer = func(w http.ResponseWriter, r *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		line, _ := buffered.ReadString('\n')
		fmt.Fprint(conn, "echo "+line)
	}
	for _, tt := range []struct {
		path, authorization string
		want                int
	}{{"/r0/1", "", 401}, {"/r0/1", "TestA u", 101}, {"/r0/1", "TestA u", 429}, {"/r1/1", "", 403}} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", g.front.URL+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Oc-Client": {"a"}, "Authorization": {tt.authorization}}
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != tt.want {
			t.Errorf("%s %q: got %d, want %d", tt.path, tt.authorization, resp.StatusCode, tt.want)
		}
		if resp.StatusCode == http.StatusSwitchingProtocols {
			talk(t, resp)
		}
		resp.Body.Close()
	}
}

func talk(t *testing.T, resp *http.Response) {
	t.Helper()
	conn, ok := resp.Body.(io.ReadWriter)
	if !ok {
		t.Fatal("no connection")
	}
	fmt.Fprint(conn, "hello\n")
	got, err := io.ReadAll(conn)
	if err != nil || strings.TrimSpace(string(got)) != "echo hello" || resp.Header.Get("X-New") != "1" {
		t.Errorf("got %q, %v, %v", got, err, resp.Header)
	}
}
