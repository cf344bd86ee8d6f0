package proxy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// TestOnlyWebSocketsAreUpgrades: behind another protocol, such as HTTP/2, more
// requests would reach the backend past all guards; and what follows the head
// of a request with a body is not the other protocol yet.
func TestOnlyWebSocketsAreUpgrades(t *testing.T) {
	server := backend(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%q %q", r.Header.Get("Upgrade"), r.Header.Get("Http2-Settings"))
	})
	_, front := serve(t, backendPlan(t, server), Options{})
	for head, want := range map[string]string{
		"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n":                                        `"websocket" ""`,
		"Connection: keep-alive, upgrade\r\nUpgrade: WebSocket\r\n\r\n":                            `"WebSocket" ""`,
		"Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n\r\n":               `"" ""`,
		"Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n\r\n":                                   `"" ""`,
		"Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n\r\nhello":              `"" ""`,
		"Connection: Upgrade\r\nUpgrade: websocket\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": `"" ""`,
	} {
		conn, err := net.Dial("tcp", front.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		fmt.Fprint(conn, "GET /a/x HTTP/1.1\r\nHost: x\r\n"+head)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 100)
		n, _ := resp.Body.Read(got)
		if string(got[:n]) != want {
			t.Errorf("%q: the backend saw %s, want %s", head, got[:n], want)
		}
	}
}

// TestAnUpgradeEndsWithItsClient: a backend that has nothing to say must learn
// that nobody is there any more.
func TestAnUpgradeEndsWithItsClient(t *testing.T) {
	gone := make(chan struct{})
	server := backend(t, func(w http.ResponseWriter, r *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		_, _ = io.Copy(io.Discard, buffered)
		close(gone)
	})
	observer := telemetry.ObserverFunc(func(context.Context, telemetry.Event) {})
	timed := func(r *plan.Route) { r.AttemptTimeout = 60_000 }
	_, front := serve(t, backendPlan(t, server, timed), Options{Observer: observer})
	conn, err := net.Dial("tcp", front.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "GET /a/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	if resp, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || resp.StatusCode != 101 {
		t.Fatalf("got %v, %v", resp, err)
	}
	conn.Close()
	select {
	case <-gone:
	case <-time.After(time.Minute):
		t.Error("the backend still waits for the client")
	}
}

// TestAnUpgradeEndsWithABrokenSide: a client that takes nothing is cut off, also
// while it is connected and silent.
func TestAnUpgradeEndsWithABrokenSide(t *testing.T) {
	client, browser := net.Pipe()
	backend, service := net.Pipe()
	defer browser.Close()
	defer service.Close()
	_ = client.SetWriteDeadline(time.Unix(1, 0)) // as after a stall
	ended := make(chan struct{})
	go func() {
		splice(client, bufio.NewReader(client), backend)
		close(ended)
	}()
	fmt.Fprint(service, "hello")
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the other direction still waits")
	}
}
