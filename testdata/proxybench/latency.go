package main

import (
	"fmt"
	"time"
)

// latency compares what a proxy adds to one request at a time.
func latency(b *bench) error {
	peers, err := b.start(b.peers)
	if err != nil {
		return err
	}
	peers = append([]peer{{name: "direct", address: b.backend, pid: b.running[0].Process.Pid}}, peers...)
	l := b.load()
	l.connections = 1
	results, err := b.measureAll(peers, l)
	if err != nil {
		return err
	}
	fmt.Printf("\nlatency: one connection, medians of %d rounds\n", b.rounds)
	fmt.Printf("%-16s %9s %9s %9s %9s %7s\n", "", "p50", "added", "p99", "added", "failed")
	for _, p := range peers {
		all := results[p.name]
		fmt.Printf("%-16s %9v %9v %9v %9v %7d\n", p.name, short(median(all, p50Of)), short(added(all, results["direct"], p50Of)),
			short(median(all, p99Of)), short(added(all, results["direct"], p99Of)), failures(all))
	}
	if own := results["serve"]; own != nil {
		fmt.Printf("goal: serve adds 80µs or less: %s\n", verdict(added(own, results["direct"], p50Of) <= float64(80*time.Microsecond)))
	}
	return nil
}

// added is the median of the differences of each round.
func added(of, to []sample, value func(sample) float64) float64 {
	var all []float64
	for i := range of {
		all = append(all, value(of[i])-value(to[i]))
	}
	return middle(all)
}
