package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// reloads replaces a large configuration under load and looks at the requests
// from the change of the file until the new one is in force. Once the load takes
// all that the machine has, and once half of it.
func reloads(b *bench) error {
	file := filepath.Join(b.dir, "ocelot.json")
	if err := os.WriteFile(file, []byte(configurationOf(b.backend, b.many, 0)), 0o644); err != nil {
		return err
	}
	p, err := b.serveFile("serve", "margay", file)
	if err != nil {
		return err
	}
	l := b.load()
	l.routes = b.many
	all, _ := l.put(p.address)
	rate := float64(len(all)) / b.time.Seconds()
	fmt.Printf("\nreload: %d routes, %d connections, medians of %d reloads\n", b.many, b.connections, b.rounds)
	fmt.Printf("%-16s %10s %9s %11s %11s %6s %7s %7s\n", "load", "requests/s", "took", "p99 before", "p99 during", "ratio", "slowest", "failed")
	version := 0
	for _, part := range []struct {
		name  string
		pause time.Duration
	}{{"half", time.Duration(2 * float64(b.connections) / rate * float64(time.Second))}, {"full", 0}} {
		l.pause = part.pause
		var seen []reloaded
		for range b.rounds {
			version++
			one, err := b.reload(p, l, file, version)
			if err != nil {
				return err
			}
			seen = append(seen, one)
		}
		printReloads(part.name, seen)
	}
	return nil
}

// reloaded is what one reload did to the requests.
type reloaded struct {
	rate           float64
	took           time.Duration
	before, during time.Duration // the slowest hundredth
	slowest        time.Duration
	failed         int
}

func (b *bench) reload(p peer, l load, file string, version int) (reloaded, error) {
	// What is measured is the reload: to make the file, or to ask for figures, would
	// take the time of requests.
	if err := os.WriteFile(file+".new", []byte(configurationOf(b.backend, b.many, version)), 0o644); err != nil {
		return reloaded{}, err
	}
	var stop atomic.Bool
	l.stop, l.time = &stop, time.Minute
	type outcome struct {
		all    []reply
		failed int
	}
	done := make(chan outcome, 1)
	began := time.Now()
	go func() {
		all, failed := l.put(p.address)
		done <- outcome{all, failed}
	}()
	time.Sleep(b.time)
	from := time.Since(began)
	err := os.Rename(file+".new", file)
	if err == nil {
		err = p.awaitReload()
	}
	to := time.Since(began)
	time.Sleep(max(100*time.Millisecond, from+time.Second-to)) // what comes behind it, and the rest of the second
	stop.Store(true)
	got := <-done
	if err != nil {
		return reloaded{}, err
	}
	return judge(got.all, got.failed, from, to, b.time), nil
}

// awaitReload waits until a reload is over.
func (p peer) awaitReload() error {
	select {
	case line, ok := <-p.reloaded:
		if !ok || strings.Contains(line, "not reloaded") {
			return fmt.Errorf("margay serve: %q", line)
		}
		return nil
	case <-time.After(time.Minute):
		return errors.New("margay serve reloaded nothing within a minute")
	}
}

// judge parts replies into those before the reload and those of the second, or
// seconds, in which it went on.
func judge(all []reply, failed int, from, to, settled time.Duration) reloaded {
	var before, during []time.Duration
	took := to - from
	to = max(to, from+time.Second)
	for _, r := range all {
		switch {
		case r.at > settled/4 && r.at+r.took < from:
			before = append(before, r.took)
		case r.at+r.took >= from && r.at <= to:
			during = append(during, r.took)
		}
	}
	return reloaded{rate: float64(len(before)) / (from - settled/4).Seconds(), took: took,
		before: share(before, 0.99), during: share(during, 0.99), slowest: share(during, 1), failed: failed}
}

func printReloads(name string, seen []reloaded) {
	figure := func(f func(r reloaded) float64) float64 {
		var all []float64
		for _, r := range seen {
			all = append(all, f(r))
		}
		return middle(all)
	}
	failed := 0
	for _, r := range seen {
		failed += r.failed
	}
	ratio := figure(func(r reloaded) float64 { return float64(r.during) / float64(r.before) })
	fmt.Printf("%-16s %10.0f %9v %11v %11v %6.2f %7v %7d\n", name, figure(func(r reloaded) float64 { return r.rate }),
		time.Duration(figure(func(r reloaded) float64 { return float64(r.took) })).Round(time.Millisecond),
		short(figure(func(r reloaded) float64 { return float64(r.before) })), short(figure(func(r reloaded) float64 { return float64(r.during) })),
		ratio, time.Duration(figure(func(r reloaded) float64 { return float64(r.slowest) })).Round(time.Millisecond), failed)
	fmt.Printf("goal: no request fails: %s; p99 at twice that of before or less: %s\n", verdict(failed == 0), verdict(ratio <= 2))
}
