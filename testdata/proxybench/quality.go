package main

import "fmt"

// quality compares margay with and without QoS on every route.
func quality(b *bench) error {
	peers, err := b.start("margay-noqos,margay")
	if err != nil {
		return err
	}
	b.rounds = max(b.rounds, 9)
	results, err := b.measureAll(peers, b.load())
	if err != nil {
		return err
	}
	cpu := ratios(results["margay"], results["margay-noqos"], cpuFigure)
	fmt.Printf("\nQoS: breaker and both timeouts on every route, against none, %d rounds\n", b.rounds)
	fmt.Printf("%-16s %10.2f (quarters %.2f to %.2f)\n", "CPU per request", middle(cpu), share(cpu, 0.25), share(cpu, 0.75))
	fmt.Printf("%-16s %10.2f\n", "requests/s", middle(ratios(results["margay"], results["margay-noqos"], rateOf)))
	fmt.Printf("goal: 1.05 of the CPU or less: %s\n", verdict(middle(cpu) <= 1.05))
	return nil
}
