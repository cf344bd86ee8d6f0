// Package access writes one line for every request that a proxy has answered,
// with the decision that was taken: which route, which backend, how many
// attempts, in what state the circuit is, which timeout fired.
//
// [Log] makes a function for proxy.Options.Done that writes to a [log/slog]
// logger; [Writer] gathers lines, so that not every request costs a write to a
// file. Members of a record that do not apply are left out. Values of query
// parameters that look like secrets are not written.
package access

import (
	"context"
	"log/slog"
	"time"

	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// message is what all records say.
const message = "request"

// Log returns a function that writes a record as one line on the level Info.
func Log(logger *slog.Logger) func(context.Context, *proxy.Record) {
	handler := logger.Handler()
	return func(ctx context.Context, r *proxy.Record) {
		if !handler.Enabled(ctx, slog.LevelInfo) {
			return
		}
		line := slog.NewRecord(r.Start.Add(r.Duration), slog.LevelInfo, message, 0)
		line.AddAttrs(
			slog.String("remote", r.Remote),
			slog.String("method", r.Method),
			slog.String("host", r.Host),
			slog.String("target", masked(r.Target)),
			slog.String("proto", r.Proto),
			slog.Int("status", r.Status),
			milliseconds("ms", r.Duration),
			slog.Int64("sent", r.Sent),
		)
		decision(&line, r)
		_ = handler.Handle(ctx, line) // a log that cannot be written stops no request
	}
}

// decision adds what applies of what became of the request.
func decision(line *slog.Record, r *proxy.Record) {
	texts := [...]struct{ name, value string }{
		{"route", r.Route}, {"service", r.Service}, {"backend", r.Backend}, {"backend_target", masked(r.BackendTarget)},
		{"circuit", r.Circuit}, {"host_circuit", r.HostCircuit}, {"reason", r.Reason.String()}, {"request_id", r.RequestID}, {"user", r.User},
	}
	for _, t := range texts {
		if t.value != "" {
			line.AddAttrs(slog.String(t.name, t.value))
		}
	}
	if r.Attempts > 0 {
		line.AddAttrs(slog.Int("attempts", r.Attempts))
	}
	if r.HostsSkipped > 0 {
		line.AddAttrs(slog.Int("hosts_skipped", r.HostsSkipped))
	}
	if r.Headers > 0 {
		line.AddAttrs(milliseconds("headers_ms", r.Headers))
	}
	if r.Received > 0 {
		line.AddAttrs(slog.Int64("received", r.Received))
	}
	if r.Timeout != telemetry.Pipeline {
		line.AddAttrs(slog.String("timeout", r.Timeout.String()))
	}
	if r.Err != nil {
		line.AddAttrs(slog.String("error", r.Err.Error()))
	}
}

// milliseconds is a time in milliseconds with three decimals.
func milliseconds(name string, d time.Duration) slog.Attr {
	return slog.Float64(name, float64(d.Microseconds())/1000)
}
