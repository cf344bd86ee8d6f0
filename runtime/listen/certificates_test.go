package listen_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
)

// issue writes a certificate for a name, with a number of its own.
func issue(t *testing.T, pair listen.KeyPair, name string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, pair.Certificate, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})))
	write(t, pair.Key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func pairIn(dir, name string) listen.KeyPair {
	return listen.KeyPair{Certificate: filepath.Join(dir, name+".crt"), Key: filepath.Join(dir, name+".key")}
}

// serial returns the number of the certificate that a client is shown.
func serial(t *testing.T, addr, name string) int64 {
	t.Helper()
	c, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, ServerName: name})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

func TestCertificatesByNameAndReload(t *testing.T) {
	dir := t.TempDir()
	a, b := pairIn(dir, "a"), pairIn(dir, "b")
	issue(t, a, "a.example", 1)
	issue(t, b, "b.example", 2)
	certificates, err := listen.ReadCertificates(a, b)
	if err != nil {
		t.Fatal(err)
	}
	_, addr := start(t, echo, listen.Options{Certificates: certificates})
	for name, want := range map[string]int64{"a.example": 1, "b.example": 2, "c.example": 1} {
		if got := serial(t, addr, name); got != want {
			t.Errorf("%s: got certificate %d want %d", name, got, want)
		}
	}
	transport := trusting("a.example")
	defer transport.CloseIdleConnections()
	if got := get(t, transport, "https://"+addr); got != "HTTP/2.0 0" {
		t.Errorf("got %q", got)
	}

	issue(t, b, "b.example", 3)
	if err := certificates.Reload(); err != nil {
		t.Fatal(err)
	}
	if got := serial(t, addr, "b.example"); got != 3 {
		t.Errorf("after a reload: got certificate %d want 3", got)
	}

	write(t, b.Key, "garbage")
	err = certificates.Reload()
	if err == nil || !strings.Contains(err.Error(), b.Key) {
		t.Errorf("got %v, want an error that names the key", err)
	}
	if got := serial(t, addr, "b.example"); got != 3 {
		t.Errorf("after a bad reload: got certificate %d want 3", got)
	}
}

func TestUnreadableCertificate(t *testing.T) {
	dir := t.TempDir()
	pair := pairIn(dir, "a")
	_, err := listen.ReadCertificates(pair)
	if want := "read " + pair.Certificate + ": no such file or directory"; err == nil || err.Error() != want {
		t.Errorf("got %v want %s", err, want)
	}
	issue(t, pair, "a.example", 1)
	issue(t, listen.KeyPair{Certificate: filepath.Join(dir, "x"), Key: pair.Key}, "b.example", 2)
	_, err = listen.ReadCertificates(pair)
	if err == nil || !strings.Contains(err.Error(), "does not match") {
		t.Errorf("got %v, want that they do not match", err)
	}
}
