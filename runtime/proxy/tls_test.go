package proxy

import (
	"bufio"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// secure is a backend with TLS that says by which protocol it was asked, and
// the certificates to trust it by.
func secure(t *testing.T) (*httptest.Server, *Certificates) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello\n")
			return
		}
		io.WriteString(w, r.Proto)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return s, &Certificates{Roots: roots}
}

func toTLS(version string, policy plan.VersionPolicy) func(*plan.Route) {
	return func(r *plan.Route) {
		r.Backend.Scheme, r.Backend.HTTPVersion, r.Backend.VersionPolicy = "https", version, policy
	}
}

func TestVersionsOfHTTPWithTLS(t *testing.T) {
	s, trusted := secure(t)
	for _, test := range []struct {
		version string
		policy  plan.VersionPolicy
		want    string
	}{
		{"", "", "HTTP/1.1"},
		{"1.1", plan.OrHigher, "HTTP/2.0"},
		{"2.0", plan.OrLower, "HTTP/2.0"},
		{"2.0", plan.Exact, "HTTP/2.0"},
		{"3.0", plan.OrLower, "HTTP/2.0"},
		{"3.0", plan.Exact, ""},
	} {
		_, front := serve(t, backendPlan(t, s, toTLS(test.version, test.policy)), Options{Certificates: trusted})
		if _, body := get(t, front.URL+"/a/x"); body != test.want {
			t.Errorf("version %q %q: the backend was asked by %q, want %q", test.version, test.policy, body, test.want)
		}
	}
}

func TestUpgradesGoByHTTP1WhereHTTP2IsPreferred(t *testing.T) {
	s, trusted := secure(t)
	_, front := serve(t, backendPlan(t, s, toTLS("2.0", plan.OrLower)), Options{Certificates: trusted})
	conn := dial(t, front)
	fmt.Fprintf(conn, "GET /a/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("got %v, %v", resp, err)
	}
	if line, err := r.ReadString('\n'); err != nil || line != "hello\n" {
		t.Errorf("got %q, %v", line, err)
	}
}

// TestCertificatesOfBackendsAreVerified, unless the route says otherwise and may.
func TestCertificatesOfBackendsAreVerified(t *testing.T) {
	s, _ := secure(t)
	any := func(r *plan.Route) { r.Backend.AnyCertificate = true }
	for _, test := range []struct {
		name   string
		change func(*plan.Route)
		o      Options
		status int
	}{
		{"unknown authority", func(*plan.Route) {}, Options{}, http.StatusBadGateway},
		{"any, which nobody allowed", any, Options{}, http.StatusServiceUnavailable},
		{"any", any, Options{AnyCertificate: true}, http.StatusOK},
	} {
		_, front := serve(t, backendPlan(t, s, toTLS("", ""), test.change), test.o)
		if resp, _ := get(t, front.URL+"/a/x"); resp.StatusCode != test.status {
			t.Errorf("%s: got %d, want %d", test.name, resp.StatusCode, test.status)
		}
	}
}
