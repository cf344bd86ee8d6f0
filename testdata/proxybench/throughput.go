package main

import "fmt"

// throughput compares requests a second, CPU and the slowest hundredth under a
// load that all processors are busy with.
func throughput(b *bench) error {
	peers, err := b.start(b.peers)
	if err != nil {
		return err
	}
	results, err := b.measureAll(peers, b.load())
	if err != nil {
		return err
	}
	base := peers[0].name
	fmt.Printf("\nthroughput: %d connections, %d routes with QoS in margay, %d bytes, medians of %d rounds\n", b.connections, b.routes, b.body, b.rounds)
	fmt.Printf("%-16s %10s %9s %12s %9s %9s %9s %7s\n", "", "requests/s", "vs "+base, "CPU s/10000", "vs "+base, "p50", "p99", "failed")
	for _, p := range peers {
		all := results[p.name]
		fmt.Printf("%-16s %10.0f %9.2f %12.3f %9.2f %9v %9v %7d\n", p.name,
			median(all, rateOf), middle(ratios(all, results[base], rateOf)),
			median(all, cpuFigure), middle(ratios(all, results[base], cpuFigure)),
			short(median(all, p50Of)), short(median(all, p99Of)), failures(all))
	}
	if own := results["serve"]; own != nil && base == "nginx" {
		rate, cpu := middle(ratios(own, results[base], rateOf)), middle(ratios(own, results[base], cpuFigure))
		fmt.Printf("goal: serve at 0.65 of nginx's requests or more: %s (0.75: %s); at 2.0 of its CPU or less: %s\n",
			verdict(rate >= 0.65), verdict(rate >= 0.75), verdict(cpu <= 2))
	}
	return nil
}
