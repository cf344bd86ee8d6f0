package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/runtime/access"
	"github.com/margay-dev/margay/runtime/listen"
	"github.com/margay-dev/margay/runtime/proxy"
)

// accessLog writes a line for every request, to standard output or to a file
// that can be opened anew under its name.
type accessLog struct {
	logger *slog.Logger
	// done writes a line; nil where nobody wants one.
	done   func(context.Context, *proxy.Record)
	writer *access.Writer // nil without done
	// name is that of the file; empty is standard output.
	name string
	file io.Closer // nil until it is open
	// stop ends the goroutine that follows signals; nil where there is none.
	stop func()
}

// newAccessLog makes the log that the flags ask for. It takes lines, and passes
// them on when it is open.
func (p *program) newAccessLog(c *cli.Context, logger *slog.Logger) (*accessLog, error) {
	format, err := oneOf(c, flagAccessLog, "off", "text", "json")
	if err != nil {
		return nil, err
	}
	l := &accessLog{logger: logger, name: c.String(flagAccessLogFile)}
	if format == "off" {
		if l.name != "" {
			return nil, usage("add --access-log text or json", "--access-log-file %s would stay empty: --access-log is off", l.name)
		}
		return l, nil
	}
	l.writer = access.NewWriter(p.stdout, access.Options{Trouble: l.trouble})
	l.done = access.Log(slog.New(logHandler(l.writer, format, slog.LevelInfo)))
	return l, nil
}

// onStdout says whether lines go to standard output.
func (l *accessLog) onStdout() bool { return l.writer != nil && l.name == "" }

// refused returns what writes a line for a request that the proxy does not get to
// see; nil where nobody wants lines.
func (l *accessLog) refused() func(listen.Refusal) {
	if l.done == nil {
		return nil
	}
	return func(r listen.Refusal) {
		l.done(context.Background(), &proxy.Record{Start: time.Now(), Remote: r.Remote, Proto: r.Proto, Method: r.Method, Host: r.Host,
			Target: r.Target, Status: r.Why.Status(), Err: r.Why})
	}
}

func (l *accessLog) trouble(err error, lost int) {
	if err != nil {
		l.logger.Error("access log cannot be written", "file", l.name, "error", cause(err))
		return
	}
	l.logger.Info("access log is written again", "file", l.name, "lost_lines", lost)
}

// open opens the file, or opens it anew: who has renamed it gets no more lines
// into the old one. Where that fails, lines go where they went.
func (l *accessLog) open() error {
	if l.name == "" {
		return nil
	}
	file, err := os.OpenFile(l.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
	if err != nil {
		return errors.New("open " + l.name + ": " + cause(err).Error())
	}
	l.writer.Turn(file)
	if l.file != nil {
		l.file.Close()
	}
	l.file = file
	return nil
}

// follow opens the file anew with every signal that asks for it, until the log
// is closed. Those signals are taken care of where there is no file, too: they
// would end the process.
func (l *accessLog) follow() {
	rotated, done, ended := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	signal.Notify(rotated, reopenSignals()...)
	l.stop = func() {
		signal.Stop(rotated)
		close(done)
		<-ended
	}
	go func() {
		defer close(ended)
		for {
			select {
			case <-rotated:
				l.reopen()
			case <-done:
				return
			}
		}
	}()
}

// reopen opens the file anew and logs how that went.
func (l *accessLog) reopen() {
	if l.name == "" {
		return
	}
	if err := l.open(); err != nil {
		l.logger.Error("access log is not opened anew, the old file stays in use", "error", err)
		return
	}
	l.logger.Info("access log is opened anew", "file", l.name)
}

func (l *accessLog) close() {
	if l.stop != nil {
		l.stop()
	}
	if l.writer == nil {
		return
	}
	if err := l.writer.Close(); err != nil {
		l.logger.Error("access log is not whole", "error", cause(err))
	}
	if l.file != nil {
		l.file.Close()
	}
}
