// Command proxybench compares the bundled proxy with its peers: nginx, Caddy
// where there is one, and a bare httputil.ReverseProxy. Everything runs on this
// machine, at the same time, in interleaved rounds, so that what counts are the
// ratios of one round; the CPU seconds of a proxy are read from /proc.
//
//	go run ./testdata/proxybench -rounds 9 -time 2s
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"
)

type settings struct {
	rounds      int
	time        time.Duration
	connections int
	routes      int
	body        int
	peers       string
	profile     string
}

func main() {
	var s settings
	role := flag.String("role", "", "what a child process is: backend, bare or margay")
	flag.IntVar(&s.rounds, "rounds", 9, "interleaved `rounds`")
	flag.DurationVar(&s.time, "time", 2*time.Second, "`duration` of one measurement")
	flag.IntVar(&s.connections, "connections", 32, "connections of the load generator")
	flag.IntVar(&s.routes, "routes", 1000, "routes of margay's plan")
	flag.IntVar(&s.body, "body", 1024, "bytes of a reply")
	flag.StringVar(&s.peers, "peers", "nginx,bare,margay,margay-noqos,margay-library,serve,caddy", "what to measure")
	flag.StringVar(&s.profile, "profile", "", "write a CPU profile of margay to `FILE`")
	backend := flag.String("backend", "", "address of the backend, for a child")
	flag.Parse()
	var err error
	if *role != "" {
		err = child(*role, *backend, s)
	} else {
		err = compare(s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "proxybench:", err)
		os.Exit(2)
	}
}

// compare starts everything, measures in rounds and prints the medians.
func compare(s settings) error {
	peers, stop, err := start(s)
	defer stop()
	if err != nil {
		return err
	}
	results := map[string][]sample{}
	for range s.rounds {
		for _, p := range peers {
			got, err := measure(p, s)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			results[p.name] = append(results[p.name], got)
		}
	}
	report(peers, results)
	return nil
}

// sample is one measurement.
type sample struct {
	rate     float64 // requests a second
	cpu      float64 // CPU seconds of the proxy per 10 000 requests
	p50, p99 time.Duration
	failed   int
}

func report(peers []peer, results map[string][]sample) {
	base := peers[0].name
	fmt.Printf("%-16s %10s %8s %12s %8s %10s %10s %7s\n", "", "requests/s", "vs "+base, "CPU s/10000", "vs "+base, "p50", "p99", "failed")
	for _, p := range peers {
		all := results[p.name]
		failed := 0
		for _, r := range all {
			failed += r.failed
		}
		rate := ratios(all, results[base], func(r sample) float64 { return r.rate })
		cpu := ratios(all, results[base], func(r sample) float64 { return r.cpu })
		fmt.Printf("%-16s %10.0f %8.2f %12.3f %8.2f %10v %10v %7d\n", p.name,
			median(all, func(r sample) float64 { return r.rate }), rate,
			median(all, func(r sample) float64 { return r.cpu }), cpu,
			time.Duration(median(all, func(r sample) float64 { return float64(r.p50) })).Round(time.Microsecond),
			time.Duration(median(all, func(r sample) float64 { return float64(r.p99) })).Round(time.Microsecond), failed)
	}
}

// ratios is the median of the ratios of each round.
func ratios(of, to []sample, value func(sample) float64) float64 {
	var all []float64
	for i := range of {
		all = append(all, value(of[i])/value(to[i]))
	}
	return middle(all)
}

func median(all []sample, value func(sample) float64) float64 {
	var values []float64
	for _, r := range all {
		values = append(values, value(r))
	}
	return middle(values)
}

func middle[T cmp.Ordered](values []T) (none T) {
	if len(values) == 0 {
		return none
	}
	slices.Sort(values)
	return values[len(values)/2]
}
