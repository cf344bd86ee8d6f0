package main

import (
	client "github.com/prometheus/client_golang/prometheus"

	"github.com/margay-dev/margay/runtime/listen"
)

// refusedMetric counts the requests that no route saw, as they had two readings or
// went beyond the limits.
type refusedMetric struct {
	desc  *client.Desc
	front *listen.Server
}

func newRefusedMetric(front *listen.Server) refusedMetric {
	return refusedMetric{client.NewDesc("margay_requests_refused_total",
		"Requests that were refused before any route saw them, by what was wrong with them.", []string{"reason"}, nil), front}
}

// Describe implements prometheus.Collector.
func (m refusedMetric) Describe(to chan<- *client.Desc) { to <- m.desc }

// Collect implements prometheus.Collector.
func (m refusedMetric) Collect(to chan<- client.Metric) {
	for why, n := range m.front.Refused() {
		to <- client.MustNewConstMetric(m.desc, client.CounterValue, float64(n), why.Name())
	}
}
