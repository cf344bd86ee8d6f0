package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	stddebug "runtime/debug"
	"strings"
	"syscall"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/reload"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/settings"
)

// path is what is served.
func (s *serving) path() string {
	if s.c.Args().Present() {
		return s.c.Args().First()
	}
	return "."
}

// load compiles what is to be served. What keeps it from being served is the
// error, or is printed to the program's standard error.
func (s *serving) load(p *program) (*planned, error) {
	d, err := p.planned(s.c, []string{s.path()}, s.check)
	if errors.Is(err, errFound) {
		return nil, fmt.Errorf("%s cannot be served", s.path())
	}
	if err != nil {
		return nil, err
	}
	around, err := s.surroundings(p)
	if err != nil {
		return nil, err
	}
	d.around = around
	d.plan.Services = append(d.plan.Services, around.services...)
	around.health.add(d.plan)
	d.keep()
	return d, nil
}

// check refuses what Ocelot would not start with, and what it would start with
// only as it drops routes without a word: their requests would reach others.
func (s *serving) check(p *program, g *gateway) error {
	if !g.Starts() {
		if err := p.printFindings(*g, stops(*g)); err != nil {
			return err
		}
		return fmt.Errorf("%s is not served: Ocelot would not start with it", g.Input.Name)
	}
	if len(g.Config.Dropped) == 0 || s.c.Bool(flagAllowDropped) {
		return nil
	}
	var causes []diag.Diagnostic
	for _, f := range g.Findings {
		if f.Severity == diag.Error {
			causes = append(causes, f)
		}
	}
	if err := p.printFindings(*g, causes); err != nil {
		return err
	}
	return usage("mend it, or serve the rest with --allow-dropped", "%s is not served: Ocelot would drop %s of it without a word", g.Input.Name, count(len(g.Config.Dropped), "element"))
}

// worded words why a proxy refuses a plan.
func (d *planned) worded(err error) error {
	if invalid, ok := errors.AsType[*plan.InvalidError](err); ok {
		return d.refused(invalid)
	}
	return err
}

// follow reloads when files change and on SIGHUP, until ctx is done. The channel
// is closed when no reload is going on any more.
func (s *serving) follow(ctx context.Context) (<-chan struct{}, error) {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	ask := make(chan struct{})
	options := reload.Options{Ask: ask, Trouble: func(err error) { s.logger.Warn("watching files", "error", err) }}
	if !s.c.Bool(flagNoWatch) && s.path() != "-" {
		s.watched(&options)
	}
	w, err := reload.New(options)
	if err != nil { // systems bound what can be watched, which is no reason not to serve
		s.logger.Warn("files are not watched, only SIGHUP reloads", "error", err)
		w, err = reload.New(reload.Options{Ask: ask})
	}
	if err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case <-hup:
				select {
				case ask <- struct{}{}:
				case <-ctx.Done():
				}
			case <-ctx.Done():
				signal.Stop(hup)
				return
			}
		}
	}()
	go func() {
		defer close(ended)
		defer w.Close()
		w.Run(ctx, s.reload)
	}()
	return ended, nil
}

// watched names what the gateway is made of.
func (s *serving) watched(o *reload.Options) {
	path := s.path()
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		o.Folders, o.Suffix = append(o.Folders, path), ".json"
		o.Files = append(o.Files, filepath.Join(path, settings.Name))
	}
	d := s.current.Load()
	o.Files = append(append(o.Files, d.around.files...), d.files...)
	if _, err := os.Stat(path); err == nil && len(o.Folders) == 0 {
		o.Files = append(o.Files, path)
	}
	for _, c := range s.reloadable() {
		o.Files = append(o.Files, c.Files()...)
	}
}

// reload puts what the files say now in force, if it can be served.
func (s *serving) reload(context.Context) {
	widen()
	var said bytes.Buffer
	var err error
	aside(func() {
		err = s.replace(&program{stdin: strings.NewReader(""), stdout: io.Discard, stderr: &said})
	})
	if err != nil {
		s.logger.Error("not reloaded, what was loaded before stays in force", "error", strings.Join(append([]string{err.Error()}, causes(said.String())...), "; "))
		if text := strings.TrimSpace(said.String()); text != "" {
			err = fmt.Errorf("%w\n%s", err, text)
		}
		s.history.Failed(err)
		return
	}
	s.history.Succeeded()
	stddebug.FreeOSMemory() // compiling took many times what is kept
	p := s.proxy.Plan()
	s.logger.Info("reloaded", "routes", len(p.Routes), "digest", p.Digest, "not_served", len(s.proxy.Refused()))
	for _, r := range s.proxy.Refused() {
		s.logger.Warn("not served: " + refusal(r))
	}
}

// causes are the lines of a report that say what is wrong and where.
func causes(report string) []string {
	var lines []string
	for line := range strings.Lines(report) {
		if strings.Contains(line, ": "+diag.Error.String()+": ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// replace loads and swaps. A panic is a bug, and no reason to stop serving.
func (s *serving) replace(p *program) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a bug of margay: %v", r)
		}
	}()
	for _, c := range s.reloadable() {
		if err := c.Reload(); err != nil {
			return err
		}
	}
	next, err := s.load(p)
	if err != nil {
		return err
	}
	guards := s.guards.Load().With(next.around.schemes)
	guards.RefreshKeys()
	before := s.guards.Swap(guards)
	if err := s.proxy.Swap(next.plan); err != nil {
		s.guards.Store(before)
		return next.worded(err)
	}
	s.current.Store(next)
	s.recorder.Keep(func(route string) bool { return s.proxy.Pipelines().Pipeline(route) != nil })
	return nil
}
