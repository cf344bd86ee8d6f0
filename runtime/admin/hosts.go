package admin

import (
	"encoding/json"
	"iter"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/health"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// hostRecord is a host that passive health judges.
type hostRecord struct {
	Host string `json:"host"`
	// State is closed, open (the host is passed over) or half-open.
	State string `json:"state"`
	// Until is when one request may try the host; empty unless open.
	Until string `json:"until,omitempty"`
	// Probing says that this request is on its way.
	Probing bool `json:"probing,omitempty"`
	// Calls and Failures are as those of circuit.
	Calls    uint64 `json:"calls"`
	Failures uint64 `json:"failures"`
	// Opened is how often the host was found failing.
	Opened int64 `json:"opened"`
}

// hostList is a list of hostRecord as JSON, in a form that can be compared.
type hostList string

// MarshalJSON returns the list.
func (l hostList) MarshalJSON() ([]byte, error) { return []byte(l), nil }

// hostsOf returns the hosts of a pipeline; "" where they are not judged.
func hostsOf(p *pipeline.Pipeline) hostList {
	if p == nil || p.Hosts() == nil {
		return ""
	}
	records := []hostRecord{}
	for _, s := range p.Hosts().All() {
		one := hostRecord{Host: s.Key.String(), State: s.State.String(), Probing: s.ProbeInFlight,
			Calls: s.Counts.Total, Failures: s.Counts.Failures, Opened: s.Opened}
		if !s.Until.IsZero() {
			one.Until = stamp(s.Until)
		}
		records = append(records, one)
	}
	text, err := json.Marshal(records)
	if err != nil {
		return ""
	}
	return hostList(text)
}

// judgedHosts yields every host that is judged, by the id of its row.
func (a *admin) judgedHosts() iter.Seq2[string, health.Status] {
	return func(yield func(string, health.Status) bool) {
		set, p := a.Proxy.Pipelines(), a.Proxy.Plan()
		each := func(id string, one *pipeline.Pipeline) bool {
			if one == nil || one.Hosts() == nil {
				return true
			}
			for _, s := range one.Hosts().All() {
				if !yield(id, s) {
					return false
				}
			}
			return true
		}
		for i := range p.Routes {
			if !each(p.Routes[i].ID, set.Pipeline(p.Routes[i].ID)) {
				return
			}
		}
		for name, service := range set.Services() {
			if !each(telemetry.ServiceRoute(name), service) {
				return
			}
		}
	}
}

// maxHosts bounds the hosts that have metrics. Those that fail come first.
const maxHosts = 1000

// hostMetrics are the metrics of hosts.
type hostMetrics struct{ *admin }

func (hostMetrics) descriptions() (state, opened *prometheus.Desc) {
	labels := []string{"pipeline_name", "host"}
	return prometheus.NewDesc("margay_host_state", "State of a host that passive health judges: 0 closed, 1 half-open, 2 open.", labels, nil),
		prometheus.NewDesc("margay_host_opened_total", "How often a host was found failing.", labels, nil)
}

// Describe implements prometheus.Collector.
func (m hostMetrics) Describe(to chan<- *prometheus.Desc) {
	state, opened := m.descriptions()
	to <- state
	to <- opened
}

// judgedHost is a host with the id of its row.
type judgedHost struct {
	id string
	health.Status
}

// Collect implements prometheus.Collector.
func (m hostMetrics) Collect(to chan<- prometheus.Metric) {
	var failing, well []judgedHost
	for id, s := range m.judgedHosts() {
		if s.State == breaker.Closed {
			well = append(well, judgedHost{id, s})
		} else {
			failing = append(failing, judgedHost{id, s})
		}
	}
	all := append(failing, well...)
	state, opened := m.descriptions()
	send := func(of *prometheus.Desc, kind prometheus.ValueType, value float64, h judgedHost) {
		// Clients may ask for services under names that no label can have.
		if metric, err := prometheus.NewConstMetric(of, kind, value, h.id, h.Key.String()); err == nil {
			to <- metric
		}
	}
	for _, h := range all[:min(len(all), maxHosts)] {
		send(state, prometheus.GaugeValue, float64(stateNumber(h.State)), h)
		send(opened, prometheus.CounterValue, float64(h.Opened), h)
	}
}

// stateNumber is that of margay_circuit_state.
func stateNumber(s breaker.State) telemetry.Circuit {
	switch s {
	case breaker.Closed:
		return telemetry.CircuitClosed
	case breaker.Open:
		return telemetry.CircuitOpen
	}
	return telemetry.CircuitHalfOpen
}
