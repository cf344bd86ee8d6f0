// Command proxybench compares the bundled proxy with its peers: nginx, haproxy,
// Caddy and a bare httputil.ReverseProxy. Everything runs on this machine, at
// the same time, in interleaved rounds, so that what counts are the ratios of
// one round; the CPU seconds of a proxy are read from /proc. What cannot be had
// is skipped, and says so.
//
//	go run ./testdata/proxybench -parts throughput,latency -rounds 9 -time 2s
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

type settings struct {
	rounds      int
	time        time.Duration
	connections int
	routes      int
	many        int
	body        int
	peers       string
	profile     string
}

// part is one comparison.
type part struct {
	name string
	run  func(b *bench) error
}

func parts() []part {
	return []part{
		{"throughput", throughput}, {"latency", latency}, {"qos", quality}, {"rejections", rejections},
		{"memory", memory}, {"reload", reloads},
	}
}

func main() {
	var s settings
	role := flag.String("role", "", "what a child process is: backend, bare or margay")
	chosen := flag.String("parts", "throughput,latency,qos,rejections,memory,reload", "what to compare")
	flag.IntVar(&s.rounds, "rounds", 9, "interleaved `rounds`")
	flag.DurationVar(&s.time, "time", 2*time.Second, "`duration` of one measurement")
	flag.IntVar(&s.connections, "connections", 32, "connections of the load generator")
	flag.IntVar(&s.routes, "routes", 1000, "routes of margay's plan")
	flag.IntVar(&s.many, "many", 10_000, "routes that are reloaded, and weighed")
	flag.IntVar(&s.body, "body", 1024, "bytes of a reply")
	flag.StringVar(&s.peers, "peers", "nginx,haproxy,bare,margay,margay-library,serve,caddy", "whom to compare; the first is 1.00")
	flag.StringVar(&s.profile, "profile", "", "write a CPU profile of margay to `FILE`")
	backend := flag.String("backend", "", "address of the backend, for a child")
	flag.Parse()
	var err error
	if *role != "" {
		err = child(*role, *backend, s)
	} else {
		err = compare(strings.Split(*chosen, ","), s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "proxybench:", err)
		os.Exit(2)
	}
}

// compare runs the chosen parts, each with peers of its own.
func compare(chosen []string, s settings) error {
	known := parts()
	for _, name := range chosen {
		i := slices.IndexFunc(known, func(p part) bool { return p.name == name })
		if i < 0 {
			return fmt.Errorf("part %q is unknown", name)
		}
		if err := within(s, known[i].run); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func within(s settings, run func(b *bench) error) error {
	b, err := newBench(s)
	if err != nil {
		return err
	}
	defer b.stop()
	return run(b)
}
