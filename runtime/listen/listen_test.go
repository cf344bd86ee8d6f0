package listen_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
)

// start serves h until the test ends and returns the address.
func start(t *testing.T, h http.Handler, o listen.Options) (*listen.Server, string) {
	t.Helper()
	l, err := listen.Open("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := listen.New(l, h, o)
	done := make(chan error)
	go func() { done <- s.Serve() }()
	t.Cleanup(func() {
		s.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s, l.Addr().String()
}

// patience is how long a test waits for what must come.
const patience = time.Minute

// raw sends bytes and returns what comes back until the connection ends.
func raw(t *testing.T, addr string, send ...string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	for _, part := range send {
		if _, err := io.WriteString(c, part); err != nil {
			break
		}
	}
	got, err := io.ReadAll(c)
	if isTimeout(err) {
		t.Errorf("the connection does not end behind %.200q", got)
	}
	return string(got)
}

var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "%s %d", r.Proto, n)
})

func TestOpenSaysWhatIsInTheWay(t *testing.T) {
	l, err := listen.Open("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if !listen.Loopback(l.Addr()) {
		t.Error("127.0.0.1 is no loopback")
	}
	for addr, want := range map[string]string{
		l.Addr().String():  "listen on " + l.Addr().String() + ": the port is in use by another program",
		"127.0.0.1":        `listen on "127.0.0.1": expected HOST:PORT, such as 127.0.0.1:8080`,
		"192.0.2.1:0":      "listen on 192.0.2.1:0: the address is none of this machine's",
		"127.0.0.1:999999": "listen on 127.0.0.1:999999: address 999999: invalid port",
	} {
		if _, err := listen.Open(addr); err == nil || err.Error() != want {
			t.Errorf("%s: got %v want %s", addr, err, want)
		}
	}
}

func TestHeadersAreBounded(t *testing.T) {
	_, addr := start(t, echo, listen.Options{Limits: listen.Limits{HeaderBytes: 16 << 10}})
	ask := func(size int) string {
		return raw(t, addr, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Large: "+strings.Repeat("x", size)+"\r\n\r\n")
	}
	if got := ask(12 << 10); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Errorf("12 KiB: got %.40q", got)
	}
	if got := ask(20 << 10); !strings.HasPrefix(got, "HTTP/1.1 431 ") {
		t.Errorf("20 KiB: got %.40q", got)
	}
}

func TestBodiesAreBounded(t *testing.T) {
	_, addr := start(t, echo, listen.Options{Limits: listen.Limits{BodyBytes: 10}})
	for body, want := range map[string]string{
		"Content-Length: 10\r\n\r\n0123456789":                            "200",
		"Content-Length: 11\r\n\r\n0123456789x":                           "413",
		"Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n":  "200",
		"Transfer-Encoding: chunked\r\n\r\nb\r\n0123456789x\r\n0\r\n\r\n": "413",
	} {
		if got := raw(t, addr, "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"+body); !strings.HasPrefix(got, "HTTP/1.1 "+want) {
			t.Errorf("%q: got %.40q want %s", body, got, want)
		}
	}
}

// TestAClientThatTakesNothing is cut off, and its handler ends; behind another
// answer too, where net/http takes the deadline of writes away.
func TestAClientThatTakesNothing(t *testing.T) {
	for _, before := range []string{"", "GET /short HTTP/1.1\r\nHost: x\r\n\r\n"} {
		ended := make(chan error, 1)
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			block := make([]byte, 1<<20)
			for r.RequestURI != "/short" {
				if _, err := w.Write(block); err != nil {
					ended <- err
					return
				}
			}
		})
		_, addr := start(t, h, listen.Options{Limits: listen.Limits{WriteStall: 100 * time.Millisecond}})
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprint(c, before+"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		select {
		case <-ended:
		case <-time.After(patience):
			t.Errorf("behind %q the handler still writes", before)
		}
	}
}

func TestShutdownLetsRequestsFinish(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { close(started); <-release; fmt.Fprint(w, "done") })
	s, addr := start(t, h, listen.Options{})
	answer := make(chan string)
	go func() { answer <- raw(t, addr, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") }()
	<-started
	stopped := make(chan error)
	go func() { stopped <- s.Shutdown(t.Context()) }()
	for {
		if c, err := net.Dial("tcp", addr); err != nil {
			break
		} else {
			c.Close()
		}
	}
	close(release)
	if got := <-answer; !strings.HasSuffix(got, "done") {
		t.Errorf("got %q", got)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestShutdownHasALimit(t *testing.T) {
	started := make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { close(started); <-r.Context().Done() })
	s, addr := start(t, h, listen.Options{})
	go raw(t, addr, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	<-started
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestRedirect(t *testing.T) {
	_, addr := start(t, listen.Redirect(8443), listen.Options{})
	for request, want := range map[string]string{
		"GET /a?b=c HTTP/1.1\r\nHost: shop.example:8080": "Location: https://shop.example:8443/a?b=c\r\n",
		"POST / HTTP/1.1\r\nHost: shop.example":          "308 Permanent Redirect",
		"GET / HTTP/1.1\r\nHost: [::1]:80":               "Location: https://[::1]:8443/\r\n",
		"GET / HTTP/1.1\r\nHost:":                        "400 Bad Request",
		"OPTIONS * HTTP/1.1\r\nHost: x":                  "400 Bad Request",
	} {
		if got := raw(t, addr, request+"\r\nConnection: close\r\n\r\n"); !strings.Contains(got, want) {
			t.Errorf("%q: got %q want %q", request, got, want)
		}
	}
}

// TestABodyOfUnknownLengthIsNoRequest: chunks mean nothing in HTTP/1.0, and what
// comes behind such a head must not be taken for a request.
func TestABodyOfUnknownLengthIsNoRequest(t *testing.T) {
	_, addr := start(t, echo, listen.Options{})
	hidden := "GET /hidden HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"
	got := raw(t, addr, "POST / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"+hidden)
	if !strings.HasPrefix(got, "HTTP/1.1 400 ") || strings.Count(got, "HTTP/1.") != 1 {
		t.Errorf("got %q", got)
	}
}

func TestRedirectToTheStandardPort(t *testing.T) {
	_, addr := start(t, listen.Redirect(443), listen.Options{})
	for host, want := range map[string]string{
		"shop.example:8080": "https://shop.example/", "shop.example": "https://shop.example/",
		"[::1]:80": "https://[::1]/", "[::1]": "https://[::1]/",
	} {
		got := raw(t, addr, "GET / HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
		if !strings.Contains(got, "Location: "+want+"\r\n") {
			t.Errorf("%s: got %q want %q", host, got, want)
		}
	}
	_, addr = start(t, listen.Redirect(8443), listen.Options{})
	if got := raw(t, addr, "GET / HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n"); !strings.Contains(got, "https://[::1]:8443/") {
		t.Errorf("got %q", got)
	}
}

func TestPlainHTTP2(t *testing.T) {
	_, addr := start(t, echo, listen.Options{PlainHTTP2: true})
	transport := &http.Transport{Protocols: &http.Protocols{}}
	transport.Protocols.SetUnencryptedHTTP2(true)
	defer transport.CloseIdleConnections()
	if got := get(t, transport, "http://"+addr); got != "HTTP/2.0 0" {
		t.Errorf("got %q", got)
	}
}

func get(t *testing.T, transport *http.Transport, url string) string {
	t.Helper()
	resp, err := (&http.Client{Transport: transport}).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return string(body)
}

// trusting accepts the certificates of the tests and asks for a server by name.
func trusting(name string) *http.Transport {
	return &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: name}}
}
