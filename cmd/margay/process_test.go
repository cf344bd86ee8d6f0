package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is margay as a program of its own that serves something.
type process struct {
	cmd                     *exec.Cmd
	listen, redirect, admin string

	stderr, stdout text
	copied         chan struct{}
}

// text is what a program has printed so far.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer // guarded by mu
}

func (t *text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// program returns the path of margay, which is this test under another name.
func programIn(dir string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "margay")
	if err := os.Symlink(self, name); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	return name, nil
}

// launch starts margay in a folder and waits until it is ready or has ended.
func launch(margay, dir string, env []string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(margay, args...), copied: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdout = dir, env, &p.stdout
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	ready := make(chan string, 1)
	go p.read(stderr, ready)
	select {
	case line, ok := <-ready:
		if !ok {
			_ = p.wait()
			return p, errors.New("it ended before it was ready: " + p.said())
		}
		p.learn(line)
		return p, nil
	case <-time.After(2 * time.Minute):
		p.kill()
		return p, errors.New("it does not get ready: " + p.said())
	}
}

func (p *process) read(from io.Reader, ready chan<- string) {
	defer close(p.copied)
	defer close(ready)
	for lines := bufio.NewScanner(from); lines.Scan(); {
		fmt.Fprintln(&p.stderr, lines.Text())
		if strings.HasPrefix(lines.Text(), "ready ") {
			ready <- lines.Text()
		}
	}
}

// learn reads the addresses off the ready line.
func (p *process) learn(line string) {
	for _, word := range strings.Fields(line)[1:] {
		switch name, addr, _ := strings.Cut(word, "="); name {
		case "listen":
			p.listen = addr
		case "redirect":
			p.redirect = addr
		case "admin":
			p.admin = addr
		}
	}
}

// said returns what came on standard error.
func (p *process) said() string { return p.stderr.String() }

// stop ends it as an orchestrator does, and returns how it ended.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.wait()
}

func (p *process) wait() error {
	<-p.copied
	return p.cmd.Wait()
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.wait()
}

// running starts margay for a test, in a folder, and kills it in the end.
func running(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	margay, err := programIn(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, err := launch(margay, dir, os.Environ(), args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.cmd.ProcessState == nil {
			p.kill()
		}
		if t.Failed() {
			t.Logf("standard error of margay %s:\n%s", strings.Join(args, " "), p.said())
		}
	})
	return p
}
