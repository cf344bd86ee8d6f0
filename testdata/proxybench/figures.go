package main

import (
	"cmp"
	"slices"
	"time"
)

// sample is one measurement.
type sample struct {
	rate     float64 // requests a second
	cpu      float64 // CPU seconds of the proxy per 10 000 requests
	p50, p99 time.Duration
	failed   int
}

func rateOf(s sample) float64 { return s.rate }

func cpuFigure(s sample) float64 { return s.cpu }

func p50Of(s sample) float64 { return float64(s.p50) }

func p99Of(s sample) float64 { return float64(s.p99) }

// ratios are those of each round.
func ratios(of, to []sample, value func(sample) float64) (all []float64) {
	for i := range of {
		all = append(all, value(of[i])/value(to[i]))
	}
	return all
}

func values(all []sample, value func(sample) float64) (out []float64) {
	for _, s := range all {
		out = append(out, value(s))
	}
	return out
}

func median(all []sample, value func(sample) float64) float64 { return middle(values(all, value)) }

func failures(all []sample) (n int) {
	for _, s := range all {
		n += s.failed
	}
	return n
}

func middle[T cmp.Ordered](values []T) (none T) { return share(values, 0.5) }

// share returns the value below which a share of all values lies.
func share[T cmp.Ordered](values []T, part float64) (none T) {
	if len(values) == 0 {
		return none
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(float64(len(sorted))*part), len(sorted)-1)]
}

// short is a time to be printed.
func short(d float64) time.Duration { return time.Duration(d).Round(time.Microsecond) }

// verdict says whether a goal is reached.
func verdict(reached bool) string {
	if reached {
		return "reached"
	}
	return "MISSED"
}
