//go:build unix

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// limited starts margay with a limit of open files.
func limited(t *testing.T, dir string, files int, args ...string) *process {
	t.Helper()
	margay, err := programIn(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, files)
	p, err := launch("/bin/sh", dir, os.Environ(), append([]string{"-c", script, margay}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.cmd.ProcessState == nil {
			p.kill()
		}
		if t.Failed() {
			t.Logf("standard error:\n%s", p.said())
		}
	})
	return p
}

// TestClientsCannotUseUpAllFiles opens more connections than the gateway may
// have files, and says nothing on them. Requests wait until the silent ones are
// given up; backends are still reached, files are still read, nothing ends.
func TestClientsCannotUseUpAllFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "ocelot.json")
	gatewayOf(t, file, 2, 0)
	backend := running(t, dir, "demo", "--listen", "127.0.0.1:0")
	gateway := limited(t, dir, 100, "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--header-timeout", "1s", "--backend", "*="+backend.listen, "ocelot.json")
	for range 110 {
		c, err := net.Dial("tcp", gateway.listen)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprint(c, "GET /r0/x HTTP/1.1\r\nHost: x\r\nX-Slow:")
	}
	for i := range 5 {
		resp, err := (&http.Client{Timeout: time.Minute}).Get(fmt.Sprintf("http://%s/r1/%d", gateway.listen, i))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("got %s", resp.Status)
		}
	}
	loaded := generation(t, gateway.admin)
	gatewayOf(t, file, 2, 1)
	eventually(t, "it is reloaded", func() bool { return generation(t, gateway.admin) > loaded })
	if err := gateway.stop(); err != nil {
		t.Error(err)
	}
}

// TestLimitsOfClients asks for too much and too slowly.
func TestLimitsOfClients(t *testing.T) {
	dir := t.TempDir()
	gatewayOf(t, filepath.Join(dir, "ocelot.json"), 1, 0)
	backend := running(t, dir, "demo", "--listen", "127.0.0.1:0")
	gateway := running(t, dir, "serve", "--listen", "127.0.0.1:0", "--admin", "off", "--max-header", "8KiB", "--max-body", "1KiB", "--header-timeout", "3s", "--backend", "*="+backend.listen, "ocelot.json")
	for name, tc := range map[string]struct{ send, want string }{
		"fits":          {"GET /r0/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: " + strings.Repeat("x", 6<<10) + "\r\n\r\n", "HTTP/1.1 200 "},
		"large headers": {"GET /r0/x HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 9<<10) + "\r\n\r\n", "HTTP/1.1 431 "},
		"a long target": {"GET /r0/" + strings.Repeat("x", 9<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 414 "},
		"many headers":  {"GET /r0/x HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: x\r\n", 100) + "\r\n", "HTTP/1.1 431 "},
		"a new version": {"GET /r0/x HTTP/1.2\r\nHost: x\r\n\r\n", "HTTP/1.1 505 "},
		"large body":    {"POST /r0/x HTTP/1.1\r\nHost: x\r\nContent-Length: 2048\r\n\r\n" + strings.Repeat("x", 2048), "HTTP/1.1 413 "},
		"large chunks":  {"POST /r0/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n800\r\n" + strings.Repeat("x", 2048) + "\r\n0\r\n\r\n", "HTTP/1.1 413 "},
		"slow headers":  {"GET /r0/x HTTP/1.1\r\nHost: x\r\nX:", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := net.Dial("tcp", gateway.listen)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(time.Minute))
			fmt.Fprint(c, tc.send)
			got := make([]byte, len(tc.want))
			if _, err := io.ReadFull(c, got); err != nil || string(got) != tc.want {
				t.Errorf("got %q %v, want %q", got, err, tc.want)
			}
			if tc.want != "" {
				return
			}
			if rest, err := io.ReadAll(c); err != nil || strings.HasPrefix(string(rest), "HTTP/1.1 200") {
				t.Errorf("got %q %v, want the connection to be closed", rest, err)
			}
		})
	}
	if strings.Contains(gateway.said(), "OnCircuitOpened") {
		t.Error("a client opened a circuit")
	}
}
