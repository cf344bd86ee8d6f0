//go:build unix

package main

import (
	"crypto/tls"
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
		resp, err := (&http.Client{Timeout: 2 * time.Minute}).Get(fmt.Sprintf("http://%s/r1/%d", gateway.listen, i))
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

// TestAnExhaustedGatewayComesBack: a gateway that may take more connections than
// it has files cannot accept any more, with TLS or without, and goes on when
// clients leave.
func TestAnExhaustedGatewayComesBack(t *testing.T) {
	dir := t.TempDir()
	gatewayOf(t, filepath.Join(dir, "ocelot.json"), 1, 0)
	newAuthority(t, dir).issue("front", "localhost")
	backend := running(t, dir, "demo", "--listen", "127.0.0.1:0")
	for scheme, args := range map[string][]string{"http": nil, "https": {"--tls-cert", "front.crt", "--tls-key", "front.key"}} {
		t.Run(scheme, func(t *testing.T) {
			args := append([]string{"serve", "--listen", "127.0.0.1:0", "--admin", "off", "--log-level", "debug", "--max-connections", "1000", "--backend", "*=" + backend.listen, "ocelot.json"}, args...)
			gateway := limited(t, dir, 80, args...)
			var clients []net.Conn
			for range 90 {
				c, err := net.Dial("tcp", gateway.listen)
				if err != nil {
					t.Fatal(err)
				}
				clients = append(clients, c)
			}
			eventually(t, "no file is left", func() bool { return strings.Contains(gateway.said(), "too many open files") })
			for _, c := range clients {
				c.Close()
			}
			eventually(t, "requests are answered again", func() bool { return answers(scheme + "://" + gateway.listen + "/r0/x") })
			if err := gateway.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// answers reports whether a URL is answered 200 on a new connection, whoever
// issued the certificate.
func answers(url string) bool {
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport, Timeout: time.Minute}).Get(url)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// TestLimitsOfClients asks for too much and too slowly.
func TestLimitsOfClients(t *testing.T) {
	dir := t.TempDir()
	gatewayOf(t, filepath.Join(dir, "ocelot.json"), 1, 0)
	backend := newWitness(t)
	gateway := running(t, dir, "serve", "--listen", "127.0.0.1:0", "--admin", "off", "--max-header", "8KiB", "--max-body", "1KiB", "--backend", "*="+backend.addr(), "ocelot.json")
	impatient := running(t, dir, "serve", "--listen", "127.0.0.1:0", "--admin", "off", "--header-timeout", "300ms", "--backend", "*="+backend.addr(), "ocelot.json")
	const ask = "GET /r0/x HTTP/1.1\r\nHost: x\r\n"
	const post = "POST /r0/x HTTP/1.1\r\nHost: x\r\n"
	t.Run("all", func(t *testing.T) {
		for name, tc := range map[string]struct {
			gateway    *process
			send, want string // statuses of which one answers; none: the connection ends
		}{
			"fits":          {gateway, ask + "Connection: close\r\nX: " + strings.Repeat("x", 6<<10) + "\r\n\r\n", "200"},
			"large headers": {gateway, ask + "X: " + strings.Repeat("x", 9<<10) + "\r\n\r\n", "431"},
			"many headers":  {gateway, ask + strings.Repeat("X: x\r\n", 100) + "\r\n", "431"},
			"a long target": {gateway, "GET /r0/" + strings.Repeat("x", 9<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n", "414"},
			"a new version": {gateway, "GET /r0/x HTTP/1.2\r\nHost: x\r\n\r\n", "505"},
			"large body":    {gateway, post + "Content-Length: 2048\r\n\r\n" + strings.Repeat("x", 2048), "413"},
			"large chunks":  {gateway, post + "Transfer-Encoding: chunked\r\n\r\n800\r\n" + strings.Repeat("x", 2048) + "\r\n0\r\n\r\n", "413"},
			"endless body":  {gateway, post + "Content-Length: 9223372036854775807\r\n\r\nx", "413"},
			// The timeout of the route may come first.
			"slow body":     {gateway, post + "Content-Length: 100\r\n\r\nhello", "408 503"},
			"slow chunks":   {gateway, post + "Transfer-Encoding: chunked\r\n\r\n64\r\nhello", "408 503"},
			"silent body":   {gateway, post + "Content-Length: 100\r\n\r\n", "408 503"},
			"silent chunks": {gateway, post + "Transfer-Encoding: chunked\r\n\r\n", "408 503"},
			"slow headers":  {impatient, ask + "X:", ""},
			"slow line":     {impatient, "GET", ""},
			"silent":        {impatient, "", ""},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c, err := net.Dial("tcp", tc.gateway.listen)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				_ = c.SetDeadline(time.Now().Add(time.Minute))
				fmt.Fprint(c, tc.send)
				got, err := io.ReadAll(c)
				if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
					t.Errorf("the connection does not end")
				}
				status := ""
				if rest, ok := strings.CutPrefix(string(got), "HTTP/1.1 "); ok {
					status, _, _ = strings.Cut(rest, " ")
				}
				if (status == "") != (tc.want == "") || !strings.Contains(tc.want, status) {
					t.Errorf("got %.100q, want %s", got, tc.want)
				}
			})
		}
	})
	if !answers("http://" + gateway.listen + "/r0/x") {
		t.Error("others are not served any more")
	}
	if strings.Contains(gateway.said()+impatient.said(), "OnCircuitOpened") {
		t.Error("a client opened a circuit")
	}
}
