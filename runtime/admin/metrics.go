package admin

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/margay-dev/margay/runtime/reload"
)

// reloads are the metrics of a History.
type reloads struct{ history *reload.History }

type reloadMetric struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(reload.Outcome) float64
}

func (reloads) all() []reloadMetric {
	desc := func(name, help string) *prometheus.Desc { return prometheus.NewDesc("margay_"+name, help, nil, nil) }
	return []reloadMetric{
		{desc("reloads_total", "Configurations that were loaded, the start included."), prometheus.CounterValue,
			func(o reload.Outcome) float64 { return float64(o.Generation) }},
		{desc("reload_failures_total", "Configurations that were refused while the one before stayed."), prometheus.CounterValue,
			func(o reload.Outcome) float64 { return float64(o.Failures) }},
		{desc("reload_last_successful", "1 if the last configuration was loaded, 0 if it was refused."), prometheus.GaugeValue,
			func(o reload.Outcome) float64 {
				if o.Err != nil {
					return 0
				}
				return 1
			}},
		{desc("reload_last_success_timestamp_seconds", "When the configuration in force was loaded."), prometheus.GaugeValue,
			func(o reload.Outcome) float64 { return float64(o.LoadedAt.UnixMilli()) / 1000 }},
	}
}

// Describe implements prometheus.Collector.
func (r reloads) Describe(to chan<- *prometheus.Desc) {
	for _, m := range r.all() {
		to <- m.desc
	}
}

// Collect implements prometheus.Collector.
func (r reloads) Collect(to chan<- prometheus.Metric) {
	last := r.history.Last()
	for _, m := range r.all() {
		to <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value(last))
	}
}
