package main

import (
	"fmt"
	"time"
)

// rejections compares how fast requests are refused while the backend is known
// to fail.
func rejections(b *bench) error {
	b.backend, b.breakDuration = freeAddress(), time.Hour // where nobody listens
	peers, err := b.start("serve,haproxy-down")
	if err != nil {
		return err
	}
	l := b.load()
	l.status, l.body = "503", -1
	for _, p := range peers {
		failing := l
		failing.status, failing.time = "", max(b.time, 5*time.Second) // until all circuits are open
		failing.put(p.address)
	}
	results, err := b.measureAll(peers, l)
	if err != nil {
		return err
	}
	fmt.Printf("\nrejections: circuits open, haproxy's server down, %d connections, medians of %d rounds\n", b.connections, b.rounds)
	fmt.Printf("%-16s %10s %12s %9s %9s %7s\n", "", "requests/s", "CPU s/10000", "p50", "p99", "failed")
	for _, p := range peers {
		all := results[p.name]
		fmt.Printf("%-16s %10.0f %12.3f %9v %9v %7d\n", p.name, median(all, rateOf), median(all, cpuFigure),
			short(median(all, p50Of)), short(median(all, p99Of)), failures(all))
	}
	return nil
}
