package main

import (
	"net"

	"github.com/margay-dev/margay/runtime/admin"
	"github.com/margay-dev/margay/runtime/listen"
)

// openListeners listens wherever somebody is to be served, and serves nobody
// yet.
func (s *serving) openListeners(first *planned) error {
	front, err := s.frontOptions()
	if err != nil {
		return err
	}
	l, err := s.listen(flagListen, "--listen ADDR chooses another address")
	if err != nil {
		return err
	}
	s.front = listen.New(l, s.proxy, front)
	if err := s.openRedirect(front); err != nil {
		return err
	}
	return s.openAdmin(first)
}

// openRedirect listens for plain requests that belong elsewhere.
func (s *serving) openRedirect(front listen.Options) error {
	if s.c.String(flagRedirect) == "" {
		return nil
	}
	if front.Certificates == nil {
		return usage("name them with --tls-cert and --tls-key", "--redirect needs certificates to redirect to")
	}
	l, err := s.listen(flagRedirect, "--redirect ADDR chooses another address")
	if err != nil {
		return err
	}
	to := s.front.Addr().(*net.TCPAddr).Port
	s.redirect = listen.New(l, listen.Redirect(to), listen.Options{Limits: front.Limits, Logger: s.logger})
	return nil
}

// openAdmin listens for those who look at the gateway. Beyond this machine a
// token keeps them apart, and TLS keeps the token.
func (s *serving) openAdmin(first *planned) error {
	addr := s.c.String(flagAdmin)
	if addr == "off" {
		return nil
	}
	options, err := s.adminOptions(first)
	if err != nil {
		return err
	}
	l, err := s.listen(flagAdmin, "--admin ADDR chooses another address, --admin off none")
	if err != nil {
		return err
	}
	if !listen.Loopback(l.Addr()) {
		if options.Token == "" {
			return usage("--admin-token FILE sets one", "--admin %s can be reached from other machines, so it needs a token", addr)
		}
		if s.adminCertificates == nil && !s.c.Bool(flagAdminPlain) {
			return usage("name a certificate with --admin-cert and --admin-key; --admin-plain does without, where the network is trusted",
				"--admin %s can be reached from other machines, and without TLS its token can be read on the way", addr)
		}
		options.Guarded = true
	}
	s.admin = listen.New(l, admin.New(options), listen.Options{Certificates: s.adminCertificates, Logger: s.logger})
	return nil
}

// listen listens on the address of a flag. The error says whether margay itself
// is in the way.
func (s *serving) listen(flag, help string) (net.Listener, error) {
	addr := s.c.String(flag)
	l, err := listen.Open(addr)
	if err == nil {
		s.closers = append(s.closers, func() error { l.Close(); return nil })
		return l, nil
	}
	for _, other := range []struct {
		flag   string
		server *listen.Server
	}{{flagListen, s.front}, {flagRedirect, s.redirect}} {
		if other.server != nil && overlap(addr, other.server.Addr()) {
			return nil, usage(help, "--%s %s is where --%s listens already", flag, addr, other.flag)
		}
	}
	return nil, &usageError{message: err.Error(), help: help}
}

// overlap reports whether an address is one that is listened on.
func overlap(addr string, taken net.Addr) bool {
	wanted, err := net.ResolveTCPAddr("tcp", addr)
	other, ok := taken.(*net.TCPAddr)
	if err != nil || !ok || wanted.Port != other.Port {
		return false
	}
	every := func(ip net.IP) bool { return len(ip) == 0 || ip.IsUnspecified() }
	return every(wanted.IP) || every(other.IP) || wanted.IP.Equal(other.IP)
}

// scheme is that of the URLs of a server with such certificates.
func scheme(c *listen.Certificates) string {
	if c == nil {
		return "http"
	}
	return "https"
}
