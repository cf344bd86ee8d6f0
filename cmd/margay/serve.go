package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	stddebug "runtime/debug"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/runtime/listen"
	"github.com/margay-dev/margay/runtime/proxy"
)

func (p *program) serve() *cli.Command {
	return &cli.Command{
		Name:      "serve",
		Usage:     "run a gateway or a plan as a reverse proxy",
		ArgsUsage: "[PATH|PLAN]",
		Flags:     gatewayFlags(serveFlags()...),
		Action:    p.runServe,
	}
}

func (p *program) runServe(c *cli.Context) error {
	if c.NArg() > 1 {
		return usage("name one file or folder", "one gateway is served, and these are %d paths", c.NArg())
	}
	ctx, atOnce, stop := untilStoppedTwice(c.Context)
	defer stop()
	s, err := p.newServing(c)
	if err != nil {
		return err
	}
	defer s.close()
	defer tune()()
	stddebug.FreeOSMemory() // compiling took many times what is kept
	return s.run(ctx, atOnce)
}

// serving is a gateway that is being served.
type serving struct {
	*program
	c *cli.Context
	*operation

	proxy *proxy.Proxy
	front *listen.Server
	// redirect and admin are nil where nobody wants them.
	redirect, admin *listen.Server
	// closers end what was begun, in reverse order.
	closers []func() error
}

// newServing makes everything ready, so that nothing can go wrong behind ready:
// the plan, the certificates, the ports.
func (p *program) newServing(c *cli.Context) (*serving, error) {
	s := &serving{program: p, c: c}
	if err := s.prepare(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *serving) prepare() (err error) {
	if s.operation, err = s.newOperation(s.c); err != nil {
		return err
	}
	first, err := s.load(s.program)
	if err != nil {
		return err
	}
	if err := s.open(first); err != nil {
		return err
	}
	s.history.Succeeded()
	s.current.Store(first)
	return nil
}

// open makes the proxy of a gateway and its servers.
func (s *serving) open(first *planned) error {
	options, err := s.proxyOptions(first)
	if err != nil {
		return err
	}
	if s.proxy, err = proxy.New(first.plan, options); err != nil {
		return first.worded(err)
	}
	s.closers = append(s.closers, s.proxy.Close)
	if err := s.openListeners(first); err != nil {
		return err
	}
	return s.accessLog.open() // the last thing, so that who is refused leaves no file
}

// run serves until ctx is done, and then lets requests finish, unless atOnce is
// done too.
func (s *serving) run(ctx, atOnce context.Context) error {
	ended, err := s.follow(ctx)
	if err != nil {
		return err
	}
	s.accessLog.follow()
	go s.followKeys(ctx)
	failed := make(chan error, 3)
	for _, one := range []*listen.Server{s.front, s.redirect, s.admin} {
		if one != nil {
			go func() { failed <- one.Serve() }()
		}
	}
	s.announce()
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	<-ended
	return errors.Join(err, s.drain(atOnce))
}

// drain stops taking requests and waits for those on their way, but not beyond
// the end of atOnce.
func (s *serving) drain(atOnce context.Context) error {
	limit := s.c.Duration(flagDrain)
	s.stopping.Store(true)
	s.logger.Info("stopping", "drain", limit)
	delay := s.c.Duration(flagDrainDelay)
	ctx, cancel := context.WithTimeout(atOnce, delay+limit)
	defer cancel()
	late := s.front.Shutdown(ctx)
	late = cmp.Or(late, s.proxy.Drain(ctx))
	for _, other := range []*listen.Server{s.redirect, s.admin} {
		if other != nil {
			other.Close()
		}
	}
	if late != nil {
		s.logger.Warn("requests were cut off")
	}
	s.logger.Info("stopped")
	return nil
}

func (s *serving) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	if s.operation != nil {
		s.operation.close()
	}
}

// announce says that requests are welcome.
func (s *serving) announce() {
	to := s.stdout
	if s.accessLog.onStdout() {
		to = s.stderr // who reads the log there expects nothing else
	}
	for _, line := range s.lines() {
		fmt.Fprintln(to, line)
	}
	ready := "ready listen=" + s.front.Addr().String()
	if s.redirect != nil {
		ready += " redirect=" + s.redirect.Addr().String()
	}
	if s.admin != nil {
		ready += " admin=" + s.admin.Addr().String()
	}
	fmt.Fprintln(s.stderr, ready)
}

// patience is how long a stop waits for requests unless told otherwise.
const patience = 30 * time.Second
