package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/runtime/demo"
	"github.com/margay-dev/margay/runtime/listen"
)

// demoKnobs are the knobs of the demo backend, whose options have the same
// names. The status comes first: a rate that is given too has the last word.
func demoKnobs() []string {
	return []string{"status", "latency", "jitter", "error-rate", "hang-rate", "reset-rate", "size"}
}

func (p *program) demo() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "run a backend that is slow, fails or hangs on demand",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: flagListen, Usage: "listen on `ADDR`; port 0 is any", Value: "127.0.0.1:9090"},
			&cli.StringFlag{Name: "name", Usage: "`NAME` that its answers show", Value: "demo"},
			&cli.StringFlag{Name: "latency", Usage: "every answer takes `TIME`, such as 20ms"},
			&cli.StringFlag{Name: "jitter", Usage: "and up to `TIME` more"},
			&cli.StringFlag{Name: "error-rate", Usage: "the `PART` of the requests, 0 to 1, that fails"},
			&cli.StringFlag{Name: "status", Usage: "failures are answered `STATUS` (default 503); alone: all answers"},
			&cli.StringFlag{Name: "hang-rate", Usage: "the `PART` that is never answered"},
			&cli.StringFlag{Name: "reset-rate", Usage: "the `PART` whose connection is reset"},
			&cli.StringFlag{Name: "size", Usage: "answers have `BYTES` at least"},
			&cli.Uint64Flag{Name: "seed", Usage: "`NUMBER` that chance comes from: the same requests, the same fate", Value: 1},
		},
		Action: p.runDemo,
	}
}

func (p *program) runDemo(c *cli.Context) error {
	if c.Args().Present() {
		return usage("", "demo takes options only, not %q", c.Args().First())
	}
	var knobs demo.Knobs
	for _, name := range demoKnobs() {
		if !c.IsSet(name) {
			continue
		}
		if err := knobs.Set(name, c.String(name)); err != nil {
			return usage("", "--%s", err)
		}
	}
	l, err := listen.Open(c.String(flagListen))
	if err != nil {
		return err
	}
	ctx, stop := untilStopped(c.Context)
	defer stop()
	server := listen.New(l, demo.New(c.String("name"), c.Uint64("seed"), knobs), listen.Options{})
	fmt.Fprintf(p.stdout, "demo backend on http://%s · turn its knobs: curl -X POST 'http://%s%s?path=/orders&status=500'\n", l.Addr(), l.Addr(), demo.ControlPath)
	fmt.Fprintf(p.stderr, "ready listen=%s\n", l.Addr())
	return serveUntil(ctx, time.Second, server)
}

// serveUntil serves until ctx is done, and then lets requests finish for as long
// as drain.
func serveUntil(ctx context.Context, drain time.Duration, servers ...*listen.Server) error {
	failed := make(chan error, len(servers))
	for _, s := range servers {
		go func() { failed <- s.Serve() }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	for _, s := range servers {
		if late := s.Shutdown(limit); late != nil && !errors.Is(late, context.DeadlineExceeded) {
			err = errors.Join(err, late)
		}
	}
	return err
}
