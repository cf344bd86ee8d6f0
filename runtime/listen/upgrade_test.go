package listen_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/listen"
)

// TestConnectionsCanBeTakenOver echoes on a connection after an upgrade. Each
// side can end its half.
func TestConnectionsCanBeTakenOver(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		text, _ := io.ReadAll(buffered)
		fmt.Fprintf(conn, "heard %s", text)
		if err := conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
			t.Error(err)
		}
	})
	_, addr := start(t, h, listen.Options{})
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello")
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(c)
	if line, _ := reader.ReadString('\n'); !strings.HasPrefix(line, "HTTP/1.1 101 ") {
		t.Fatalf("got %q", line)
	}
	rest, _ := io.ReadAll(reader)
	if !strings.HasSuffix(string(rest), "\r\n\r\nheard hello") {
		t.Errorf("got %q", rest)
	}
}
