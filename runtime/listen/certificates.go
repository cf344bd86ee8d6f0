package listen

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
)

// KeyPair names the two files of a certificate, in PEM.
type KeyPair struct{ Certificate, Key string }

// Certificates are those of a server. Read makes them; they can be read again
// while connections are made.
type Certificates struct {
	pairs   []KeyPair
	current atomic.Pointer[[]tls.Certificate]
}

// ReadCertificates reads the files of at least one pair. A client that asks for
// a name gets the first certificate for it, others the first one.
func ReadCertificates(pairs ...KeyPair) (*Certificates, error) {
	c := &Certificates{pairs: pairs}
	if err := c.Reload(); err != nil {
		return nil, err
	}
	return c, nil
}

// Reload reads the files again. Where one of them cannot be used, everything
// stays as it was.
func (c *Certificates) Reload() error {
	var read []tls.Certificate
	for _, pair := range c.pairs {
		certificate, err := pair.read()
		if err != nil {
			return err
		}
		read = append(read, certificate)
	}
	c.current.Store(&read)
	return nil
}

// Files returns the names of all files.
func (c *Certificates) Files() []string {
	var names []string
	for _, pair := range c.pairs {
		names = append(names, pair.Certificate, pair.Key)
	}
	return names
}

// read reads one pair. The error names the file that is to blame.
func (p KeyPair) read() (tls.Certificate, error) {
	certificate, err := readFile(p.Certificate)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := readFile(p.Key)
	if err != nil {
		return tls.Certificate{}, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("read the certificate %s with the key %s: %w", p.Certificate, p.Key, err)
	}
	return pair, nil
}

func readFile(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		if pe, ok := errors.AsType[*os.PathError](err); ok {
			err = pe.Err
		}
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return text, nil
}

func (c *Certificates) pick(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	all := *c.current.Load()
	for i := range all {
		if hello.SupportsCertificate(&all[i]) == nil {
			return &all[i], nil
		}
	}
	return &all[0], nil
}

// First returns the first certificate, for who shows only one.
func (c *Certificates) First() *tls.Certificate { return &(*c.current.Load())[0] }
