package admin

import (
	"fmt"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/plan"
)

// schemeRecord is the keys of one authentication scheme. Records are compared to
// find out what has changed.
type schemeRecord struct {
	Name   string `json:"name"`
	Issuer string `json:"issuer"`
	// File is the key file; empty where the issuer is asked.
	File string `json:"file,omitempty"`
	// Keys is how many are at hand, since FetchedAt; empty: none ever came.
	Keys      int    `json:"keys"`
	FetchedAt string `json:"fetchedAt,omitempty"`
	// Failures are fetches that failed, since the start.
	Failures int `json:"failures"`
	// Error says why the last fetch failed; empty since one that went well.
	Error    string `json:"error,omitempty"`
	FailedAt string `json:"failedAt,omitempty"`
}

func (a *admin) schemes() []schemeRecord {
	out := []schemeRecord{}
	for _, k := range a.Keys() {
		r := schemeRecord{Name: k.Name, Issuer: k.Issuer, File: k.File, Keys: k.Count, Failures: k.Failures}
		if !k.Fetched.IsZero() {
			r.FetchedAt = stamp(k.Fetched)
		}
		if k.Err != nil {
			r.Error, r.FailedAt = a.Mask(k.Err.Error()), stamp(k.FailedAt)
		}
		out = append(out, r)
	}
	return out
}

// troubled words, by the names of schemes, what their clients suffer from keys
// that cannot be fetched.
func (a *admin) troubled() map[string]string {
	out := map[string]string{}
	for _, k := range a.Keys() {
		switch {
		case k.Err == nil:
		case k.Count == 0:
			out[k.Name] = fmt.Sprintf("no client of the scheme %q can be recognised: its keys cannot be fetched", k.Name)
		default:
			out[k.Name] = fmt.Sprintf("new keys of the scheme %q cannot be fetched; those at hand serve on", k.Name)
		}
	}
	return out
}

// troubleOf says what a route suffers; empty if nothing.
func troubleOf(r *plan.Route, troubled map[string]string) string {
	if r.Authentication == nil || len(troubled) == 0 {
		return ""
	}
	var all []string
	for _, name := range r.Authentication.Schemes {
		if words := troubled[name]; words != "" {
			all = append(all, words)
		}
	}
	return strings.Join(all, "; ")
}

// keyMetrics are the metrics of keys.
type keyMetrics func() []guard.SchemeKeys

type keyMetric struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(guard.SchemeKeys) float64
}

func (keyMetrics) all() []keyMetric {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc("margay_scheme_keys"+name, help, []string{"scheme"}, nil)
	}
	return []keyMetric{
		{desc("", "Keys of the issuer that are at hand; with 0 no client of the scheme is recognised."), prometheus.GaugeValue,
			func(k guard.SchemeKeys) float64 { return float64(k.Count) }},
		{desc("_last_fetch_successful", "0 if the last fetch of keys failed, else 1."), prometheus.GaugeValue,
			func(k guard.SchemeKeys) float64 {
				if k.Err != nil {
					return 0
				}
				return 1
			}},
		{desc("_fetch_failures_total", "Fetches of keys that failed."), prometheus.CounterValue,
			func(k guard.SchemeKeys) float64 { return float64(k.Failures) }},
		{desc("_fetched_timestamp_seconds", "When the keys at hand came; 0 if none ever did."), prometheus.GaugeValue,
			func(k guard.SchemeKeys) float64 {
				if k.Fetched.IsZero() {
					return 0
				}
				return float64(k.Fetched.UnixMilli()) / 1000
			}},
	}
}

// Describe implements prometheus.Collector.
func (m keyMetrics) Describe(to chan<- *prometheus.Desc) {
	for _, one := range m.all() {
		to <- one.desc
	}
}

// Collect implements prometheus.Collector.
func (m keyMetrics) Collect(to chan<- prometheus.Metric) {
	for _, k := range m() {
		for _, one := range m.all() {
			to <- prometheus.MustNewConstMetric(one.desc, one.kind, one.value(k), k.Name)
		}
	}
}
