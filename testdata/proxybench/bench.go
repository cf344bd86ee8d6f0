package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// bench is a folder, a backend and the processes of one part.
type bench struct {
	settings
	dir     string
	backend string
	running []*exec.Cmd
	// breakDuration is that of the breakers in the plan of serve.
	breakDuration time.Duration
}

func newBench(s settings) (*bench, error) {
	dir, err := os.MkdirTemp("", "proxybench")
	if err != nil {
		return nil, err
	}
	b := &bench{settings: s, dir: dir, breakDuration: time.Second}
	if b.backend, err = b.startBackend(); err != nil {
		b.stop()
		return nil, err
	}
	return b, nil
}

// run keeps a process until the part is over.
func (b *bench) run(c *exec.Cmd) error {
	if err := c.Start(); err != nil {
		return err
	}
	b.running = append(b.running, c)
	return nil
}

func (b *bench) stop() {
	for _, c := range b.running {
		_ = c.Process.Signal(os.Interrupt)
		done := time.AfterFunc(3*time.Second, func() { _ = c.Process.Kill() })
		_ = c.Wait()
		done.Stop()
	}
	os.RemoveAll(b.dir)
}

// start starts peers by name, without those that cannot be had.
func (b *bench) start(names string) (peers []peer, err error) {
	for name := range strings.SplitSeq(names, ",") {
		p, err := b.startPeer(name)
		switch {
		case errors.Is(err, errAbsent):
			fmt.Printf("SKIPPED %s: %v\n", name, err)
		case err != nil:
			return nil, fmt.Errorf("start %s: %w", name, err)
		default:
			peers = append(peers, p)
		}
	}
	if len(peers) == 0 {
		return nil, errors.New("nobody is left to compare")
	}
	return peers, nil
}

// errAbsent is a peer that this machine does not have.
var errAbsent = errors.New("it is not installed")

// found returns the path of a program.
func found(name string) (string, error) {
	for _, place := range []string{name, "/usr/sbin/" + name} {
		if path, err := exec.LookPath(place); err == nil {
			return path, nil
		}
	}
	return "", errAbsent
}

// measureAll measures every peer once a round. Each round begins with another one, so
// that none always comes behind the same neighbour.
func (b *bench) measureAll(peers []peer, l load) (map[string][]sample, error) {
	results := map[string][]sample{}
	for round := range b.rounds {
		for i := range peers {
			p := peers[(i+round)%len(peers)]
			got, err := measure(p, l)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			results[p.name] = append(results[p.name], got)
		}
	}
	return results, nil
}
