package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority issues certificates for a test.
type authority struct {
	t           *testing.T
	dir         string
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
	serial      int64
}

func newAuthority(t *testing.T, dir string) *authority {
	t.Helper()
	a := &authority{t: t, dir: dir}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	a.key = a.newKey()
	a.certificate = a.sign(template, template, &a.key.PublicKey)
	a.write("ca.pem", "CERTIFICATE", a.certificate.Raw)
	return a
}

func (a *authority) newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	return key
}

func (a *authority) sign(template, parent *x509.Certificate, key *ecdsa.PublicKey) *x509.Certificate {
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, key, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		a.t.Fatal(err)
	}
	return certificate
}

func (a *authority) write(name, kind string, raw []byte) {
	text := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw})
	if err := os.WriteFile(filepath.Join(a.dir, name), text, 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// issue writes NAME.crt and NAME.key for a host, and returns the number of the
// certificate.
func (a *authority) issue(name, host string) int64 {
	a.t.Helper()
	a.serial++
	key := a.newKey()
	certificate := a.sign(&x509.Certificate{
		SerialNumber: big.NewInt(a.serial + 100), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		NotBefore:   time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}, a.certificate, &key.PublicKey)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	a.write(name+".key", "PRIVATE KEY", private)
	a.write(name+".crt", "CERTIFICATE", certificate.Raw)
	return certificate.SerialNumber.Int64()
}

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// backend serves with the certificate NAME and takes only clients that the
// authority knows.
func (a *authority) backend(name string) *httptest.Server {
	a.t.Helper()
	pair, err := tls.LoadX509KeyPair(filepath.Join(a.dir, name+".crt"), filepath.Join(a.dir, name+".key"))
	if err != nil {
		a.t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s asked %s", r.TLS.PeerCertificates[0].Subject.CommonName, r.Host)
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: a.pool(), ClientAuth: tls.RequireAndVerifyClientCert}
	server.StartTLS()
	a.t.Cleanup(server.Close)
	return server
}

const secureGateway = `{
  "Routes": [
    { "UpstreamPathTemplate": "/checked/{x}", "DownstreamPathTemplate": "/{x}", "DownstreamScheme": "https",
      "DownstreamHostAndPorts": [{ "Host": "orders.svc", "Port": 443 }] },
    { "UpstreamPathTemplate": "/unchecked/{x}", "DownstreamPathTemplate": "/{x}", "DownstreamScheme": "https",
      "DangerousAcceptAnyServerCertificateValidator": true, "DownstreamHostAndPorts": [{ "Host": "other.svc", "Port": 443 }] }
  ]
}
`

func TestTLSOnBothSides(t *testing.T) {
	dir := t.TempDir()
	a := newAuthority(t, dir)
	first := a.issue("shop", "shop.example")
	a.issue("backend", "orders.svc")
	a.issue("gateway", "gateway.example")
	backend := strings.TrimPrefix(a.backend("backend").URL, "https://")
	if err := os.WriteFile(filepath.Join(dir, "ocelot.json"), []byte(secureGateway), 0o644); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"serve", "--listen", "127.0.0.1:0", "--admin", "off", "--redirect", "127.0.0.1:0", "--tls-cert", "shop.crt", "--tls-key", "shop.key",
		"--backend", "*=" + backend, "--backend-ca", "ca.pem", "--backend-cert", "gateway.crt", "--backend-key", "gateway.key"}
	gateway := running(t, dir, append(arguments, "ocelot.json")...)
	client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{RootCAs: a.pool(), ServerName: "shop.example"}}}
	ask := func(p *process, path string) (*http.Response, string) {
		resp, err := client.Get("https://" + p.listen + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp, string(text)
	}

	resp, text := ask(gateway, "/checked/1")
	if resp.StatusCode != 200 || resp.ProtoMajor != 2 || text != "gateway.example asked orders.svc" {
		t.Errorf("got %s %s %q", resp.Proto, resp.Status, text)
	}
	if resp, _ := ask(gateway, "/unchecked/1"); resp.StatusCode != 503 {
		t.Errorf("a route that checks no certificate: got %s", resp.Status)
	}
	eventually(t, "it says which route is not served, and what would serve it", func() bool {
		_, why, said := strings.Cut(gateway.stdout.String(), "not served: /unchecked/{x}: ")
		return said && strings.Contains(why, "--allow-any-certificate")
	})

	plain := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	req, _ := http.NewRequest("POST", "http://"+gateway.redirect+"/checked/1?x=y", nil)
	req.Host = "shop.example"
	if resp, err := plain.Do(req); err != nil || resp.StatusCode != 308 || !strings.HasSuffix(resp.Header.Get("Location"), "/checked/1?x=y") || !strings.HasPrefix(resp.Header.Get("Location"), "https://shop.example:") {
		t.Errorf("redirect: got %v %v", resp, err)
	}

	second := a.issue("shop", "shop.example")
	eventually(t, "the new certificate is shown", func() bool {
		resp, _ := ask(gateway, "/checked/1")
		serial := resp.TLS.PeerCertificates[0].SerialNumber.Int64()
		if serial != first && serial != second {
			t.Errorf("got certificate %d", serial)
		}
		return serial == second
	})
	if err := gateway.stop(); err != nil {
		t.Error(err)
	}

	// With consent, the certificate of another name will do.
	allowing := running(t, dir, append(arguments, "--allow-any-certificate", "ocelot.json")...)
	if resp, text := ask(allowing, "/unchecked/1"); resp.StatusCode != 200 || text != "gateway.example asked other.svc" {
		t.Errorf("got %s %q", resp.Status, text)
	}
	// Without the authority, no backend is trusted.
	distrusting := running(t, dir, append(arguments[:13:13], "ocelot.json")...)
	if resp, _ := ask(distrusting, "/checked/1"); resp.StatusCode != 502 {
		t.Errorf("an unknown authority: got %s want 502", resp.Status)
	}
}
