package main

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"slices"

	client "github.com/prometheus/client_golang/prometheus"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/runtime/admin"
	"github.com/margay-dev/margay/runtime/fallback"
	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/listen"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/schema/diag"
)

func (s *serving) proxyOptions(first *planned) (proxy.Options, error) {
	transport, err := oneOf(s.c, flagTransport, "own", "library")
	if err != nil {
		return proxy.Options{}, err
	}
	refused := &refusals{logger: s.logger}
	s.guards.Store(guard.New(guard.Options{Schemes: first.around.schemes, Judged: refused.add}))
	o := proxy.Options{
		Guards: func(p *plan.Plan, r *plan.Route) ([]proxy.Guard, []proxy.Unenforced, error) {
			return s.guards.Load().Guards(p, r)
		},
		Aggregates: func(p *plan.Plan, a *plan.Aggregate) (proxy.Guard, []proxy.Unenforced, error) {
			return s.guards.Load().Aggregates(p, a)
		},
		AllowUnenforced:  s.unenforced,
		AnyCertificate:   s.c.Bool(flagAnyCertificate),
		Dial:             s.backends.dial(),
		Library:          transport == "library",
		ForwardedHeaders: s.c.Bool(flagForwarded),
		Observer:         s.observer(),
		OnObserverPanic:  s.observerPanicked,
		Done:             s.accessLog.done,
		Fallback:         fallback.ForRoute,
	}
	o.Certificates, err = s.backendCertificates()
	return o, err
}

// unenforced reads the settings of routes that may stay unenforced. A name that
// is none would change nothing, without a word.
func unenforced(c *cli.Context) ([]string, error) {
	names, known := textsOf(c, flagAllowUnenforced), guard.Settings()
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		help := "it takes settings, not routes"
		if near, ok := diag.Suggest(name, known); ok {
			help = "did you mean " + near + "?"
		}
		return nil, usage(help, "--%s is %q; expected %s", flagAllowUnenforced, name, alternatives(known))
	}
	return names, nil
}

// observerPanicked tells of a bug that must not end a request.
func (s *serving) observerPanicked(e telemetry.Event, recovered any) {
	s.logger.Error("an observer panicked, which is a bug of margay", "event", e.Kind.String(), "route", e.Route, "panic", recovered)
}

// backendCertificates are what backends are trusted by and shown; nil where
// nothing is said of them.
func (s *serving) backendCertificates() (*proxy.Certificates, error) {
	ca, cert, key := s.c.String(flagBackendCA), s.c.String(flagBackendCert), s.c.String(flagBackendKey)
	if (cert == "") != (key == "") {
		return nil, usage("", "--backend-cert and --backend-key go together")
	}
	if ca == "" && cert == "" {
		return nil, nil
	}
	out := &proxy.Certificates{}
	if ca != "" {
		text, err := os.ReadFile(ca)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", ca, cause(err))
		}
		out.Roots = x509.NewCertPool()
		if !out.Roots.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("read %s: it holds no certificate in PEM", ca)
		}
	}
	if cert != "" {
		shown, err := listen.ReadCertificates(listen.KeyPair{Certificate: cert, Key: key})
		if err != nil {
			return nil, err
		}
		s.shown = shown
		out.Client = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return shown.First(), nil }
	}
	return out, nil
}

func (s *serving) frontOptions() (listen.Options, error) {
	o := listen.Options{Certificates: s.certificates, PlainHTTP2: s.c.Bool(flagPlainHTTP2), Logger: s.logger,
		OnRefused: s.accessLog.refused(), Delay: s.c.Duration(flagDrainDelay)}
	o.Limits.HeaderTimeout = s.c.Duration(flagHeaderTimeout)
	o.Limits.Connections = connections(s.c)
	header, err := size(s.c, flagMaxHeader)
	if err != nil {
		return o, err
	}
	o.Limits.HeaderBytes = int(header)
	if s.c.String(flagMaxBody) == "off" {
		o.Limits.BodyBytes = -1
		return o, nil
	}
	o.Limits.BodyBytes, err = size(s.c, flagMaxBody)
	return o, err
}

func (s *serving) adminOptions(first *planned) (admin.Options, error) {
	token, err := adminToken(s.c)
	if err != nil {
		return admin.Options{}, err
	}
	if _, ok := terminal(s.stderr); token == "" && ok {
		token = rand.Text()
		fmt.Fprintf(s.stderr, "admin token of this run, for isolate and reset: %s\n", token)
	}
	return admin.Options{
		Proxy: s.proxy, Recorder: s.recorder, History: s.history,
		Ready: func() bool { return !s.stopping.Load() },
		Keys:  func() []guard.SchemeKeys { return s.guards.Load().Keys() },
		Name:  first.name, Token: token, Hosts: textsOf(s.c, flagAdminHost),
		Words:      emit.PlanSentences,
		Mask:       s.hide,
		Collectors: []client.Collector{s.metrics, newRefusedMetric(s.front)},
		Logger:     s.logger,
	}, nil
}

// hide takes the secrets of the gateway in force out of a text.
func (s *serving) hide(text string) string {
	if d := s.current.Load(); d != nil {
		return d.mask(text)
	}
	return text
}
