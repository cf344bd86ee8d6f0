package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/runtime/admin"
	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/listen"
	"github.com/margay-dev/margay/runtime/reload"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/telemetry/prometheus"
	eventlog "github.com/margay-dev/margay/runtime/telemetry/slog"
)

// operation is what stays the same while gateways are replaced: logs, counters,
// certificates.
type operation struct {
	logger   *slog.Logger
	history  *reload.History
	recorder *admin.Recorder
	metrics  *prometheus.Observer
	current  atomic.Pointer[planned]
	guards   atomic.Pointer[guard.Set]
	stopping atomic.Bool

	accessLog    *accessLog
	certificates *listen.Certificates
	// adminCertificates are those of the admin; nil is plain HTTP.
	adminCertificates *listen.Certificates
	// shown are what backends are shown; nil is nothing.
	shown    *listen.Certificates
	backends backends
	// unenforced are the settings that may stay so.
	unenforced []string
}

func (p *program) newOperation(c *cli.Context) (*operation, error) {
	o := &operation{history: &reload.History{}, recorder: &admin.Recorder{}, metrics: prometheus.New(prometheus.Options{})}
	err := checkLimits(c)
	if err != nil {
		return nil, err
	}
	if o.backends, err = backendsOf(c); err != nil {
		return nil, err
	}
	if o.certificates, err = readCertificates(c, flagTLSCert, flagTLSKey); err != nil {
		return nil, err
	}
	if o.adminCertificates, err = readCertificates(c, flagAdminCert, flagAdminKey); err != nil {
		return nil, err
	}
	if o.unenforced, err = unenforced(c); err != nil {
		return nil, err
	}
	if o.logger, err = p.eventLogger(c); err != nil {
		return nil, err
	}
	if o.accessLog, err = p.newAccessLog(c, o.logger); err != nil {
		return nil, err
	}
	return o, nil
}

// eventLogger writes what happens to standard error.
func (p *program) eventLogger(c *cli.Context) (*slog.Logger, error) {
	var level slog.Level
	name, err := oneOf(c, flagLogLevel, "debug", "info", "warn", "error")
	if err != nil {
		return nil, err
	}
	if err := level.UnmarshalText([]byte(name)); err != nil {
		return nil, err
	}
	format, err := oneOf(c, flagLog, "text", "json")
	if err != nil {
		return nil, err
	}
	return slog.New(logHandler(p.stderr, format, level)), nil
}

func logHandler(w io.Writer, format string, level slog.Level) slog.Handler {
	options := &slog.HandlerOptions{Level: level}
	if format == "json" {
		return slog.NewJSONHandler(w, options)
	}
	return slog.NewTextHandler(w, options)
}

func (o *operation) close() { o.accessLog.close() }

// observer is told what the strategies of all routes do. Only circuits are
// worth a line of the log each; what happens to single requests is on the level
// Debug, and is not even looked at above it.
func (o *operation) observer() telemetry.Observer {
	log := eventlog.New(o.logger, eventlog.Options{Level: eventLevel})
	if !o.logger.Enabled(context.Background(), slog.LevelDebug) {
		all := log
		log = telemetry.ObserverFunc(func(ctx context.Context, e telemetry.Event) {
			if eventLevel(e) > slog.LevelDebug {
				all.Observe(ctx, e)
			}
		})
	}
	return telemetry.Multi(o.recorder, o.metrics, log)
}

func eventLevel(e telemetry.Event) slog.Level {
	switch e.Kind {
	case telemetry.OnCircuitOpened:
		return slog.LevelWarn
	case telemetry.OnCircuitHalfOpened, telemetry.OnCircuitClosed:
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// readCertificates reads those that two flags name; nil where they name none.
func readCertificates(c *cli.Context, certFlag, keyFlag string) (*listen.Certificates, error) {
	certs, keys := textsOf(c, certFlag), textsOf(c, keyFlag)
	if len(certs) != len(keys) {
		return nil, usage(fmt.Sprintf("each --%s needs its --%s", certFlag, keyFlag), "there are %d certificates and %d keys", len(certs), len(keys))
	}
	if len(certs) == 0 {
		return nil, nil
	}
	var pairs []listen.KeyPair
	for i := range certs {
		pairs = append(pairs, listen.KeyPair{Certificate: certs[i], Key: keys[i]})
	}
	return listen.ReadCertificates(pairs...)
}

// reloadable are the certificates that are read again when their files change.
func (o *operation) reloadable() []*listen.Certificates {
	all := []*listen.Certificates{o.certificates, o.adminCertificates, o.shown}
	return slices.DeleteFunc(all, func(c *listen.Certificates) bool { return c == nil })
}
