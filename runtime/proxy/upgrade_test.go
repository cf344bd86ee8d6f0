package proxy

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"
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
		_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
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
