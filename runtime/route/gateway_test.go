package route

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// gateway is the part of an Ocelot configuration that decides routing.
type gateway struct {
	Routes              []gatewayRoute
	Aggregates          []gatewayRoute
	DynamicRoutes       []gatewayRoute
	GlobalConfiguration struct {
		ServiceDiscoveryProvider struct {
			Host *string
			Type string
			Port int
		}
	}
}

type gatewayRoute struct {
	UpstreamPathTemplate    string
	DownstreamPathTemplate  string
	UpstreamHttpMethod      []string
	UpstreamHost            string
	UpstreamHeaderTemplates json.RawMessage
	RouteIsCaseSensitive    bool
	Priority                *int
	Key                     string
	ServiceName             string
	ServiceNamespace        string
	RouteKeys               []string
	RouteKeysConfig         []struct{ RouteKey, JsonPath, Parameter string }
}

// recordedPort is a port of the recording machine.
var recordedPort = regexp.MustCompile(`\{\{\w+\}\}`)

// readGateway makes a plan of a recorded configuration, with just the members
// that routing reads.
func readGateway(t testing.TB, config string) *plan.Plan {
	t.Helper()
	var g gateway
	if err := json.Unmarshal([]byte(recordedPort.ReplaceAllString(config, "1")), &g); err != nil {
		t.Fatalf("%v: %s", err, config)
	}
	p := &plan.Plan{}
	byKey := map[string]string{}
	for i, r := range g.Routes {
		id := "route " + string(rune('0'+i))
		byKey[r.Key] = id
		p.Routes = append(p.Routes, plan.Route{
			ID: id, Key: r.Key, Match: r.match(t, plan.Static),
			Backend: plan.Backend{Path: r.DownstreamPathTemplate, Service: r.ServiceName, Namespace: r.ServiceNamespace},
		})
	}
	for _, r := range g.Aggregates {
		// An aggregate's list of methods starts with GET, and binding adds to it.
		r.UpstreamHttpMethod = append(r.UpstreamHttpMethod, "GET")
		a := plan.Aggregate{ID: "aggregate " + r.UpstreamPathTemplate, Match: r.match(t, plan.Static)}
		for _, key := range r.RouteKeys {
			m := plan.Member{Route: byKey[key], Key: key}
			for _, c := range r.RouteKeysConfig {
				if c.RouteKey == key {
					m.JSONPath, m.Parameter = c.JsonPath, c.Parameter
				}
			}
			a.Members = append(a.Members, m)
		}
		p.Aggregates = append(p.Aggregates, a)
	}
	d := g.GlobalConfiguration.ServiceDiscoveryProvider
	if (d.Host == nil || *d.Host != "") && d.Port > 0 && len(p.Routes)+len(p.Aggregates) == 0 {
		p.Discovery = &plan.Discovery{Type: d.Type, Port: d.Port}
		addDynamic(p, g.DynamicRoutes)
	}
	return p
}

func addDynamic(p *plan.Plan, listed []gatewayRoute) {
	for _, r := range listed {
		p.Routes = append(p.Routes, plan.Route{
			ID:      r.ServiceNamespace + "." + r.ServiceName,
			Match:   plan.Match{Kind: plan.Dynamic},
			Backend: plan.Backend{Service: r.ServiceName, Namespace: r.ServiceNamespace},
		})
	}
	p.Routes = append(p.Routes, plan.Route{ID: "unlisted", Match: plan.Match{Kind: plan.Unlisted}})
}

func (r *gatewayRoute) match(t testing.TB, kind plan.RouteKind) plan.Match {
	t.Helper()
	m := plan.Match{
		Kind: kind, Path: r.UpstreamPathTemplate, Host: r.UpstreamHost,
		CaseSensitive: r.RouteIsCaseSensitive, Priority: 1, Headers: readHeaders(t, r.UpstreamHeaderTemplates),
	}
	if r.Priority != nil {
		m.Priority = *r.Priority
	}
	for _, method := range r.UpstreamHttpMethod {
		m.Methods = append(m.Methods, strings.ToUpper(strings.TrimSpace(method)))
	}
	slices.Sort(m.Methods)
	m.Methods = slices.Compact(m.Methods)
	return m
}

// readHeaders reads an object in the order of its members.
func readHeaders(t testing.TB, raw json.RawMessage) []plan.HeaderMatch {
	t.Helper()
	var out []plan.HeaderMatch
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		name, _ := d.Token()
		value, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, plan.HeaderMatch{Name: name.(string), Template: value.(string)})
	}
	return out
}

// routingRecord is one line of the recording routing; only what routing
// decides.
type routingRecord struct {
	ID     string
	Group  int
	Config string
	exchange
	Steps      []exchange
	StartError json.RawMessage `json:"gateway_start_error"`
	Unstable   json.RawMessage
	Websocket  json.RawMessage
}

type exchange struct {
	Request struct {
		Method, Target, Raw string
		Headers             [][2]string
	}
	Expect struct {
		Status         int
		MatchedRoute   any           `json:"matched_route"`
		MatcherInput   *matcherInput `json:"matcher_input"`
		Placeholders   [][2]string
		BalancerKey    string `json:"load_balancer_key"`
		UnhandledError string `json:"unhandled_exception"`
		Downstream     *sent
		DownstreamAll  []sent `json:"downstream_all"`
	}
	Reload json.RawMessage `json:"reload_config_before"`
}

type matcherInput struct{ Path, Query string }

type sent struct{ Target string }

// request returns the recorded request as routing sees it.
func (x *exchange) request() (raw string, r *Request) {
	r = &Request{Method: x.Request.Method, Header: http.Header{}}
	raw = x.Request.Target
	headers := x.Request.Headers
	if x.Request.Raw != "" {
		raw, headers = readRaw(x.Request.Raw, r)
	}
	for _, h := range headers {
		if strings.EqualFold(h[0], "Host") {
			r.Host = strings.TrimSpace(h[1])
		}
		r.Header.Add(h[0], strings.TrimSpace(h[1]))
	}
	return raw, r
}

// readRaw reads the head of a request as it went over the wire.
func readRaw(text string, r *Request) (target string, headers [][2]string) {
	lines := strings.Split(strings.TrimLeft(text, "\r\n"), "\n")
	fields := strings.Fields(lines[0])
	if len(fields) < 2 {
		return "", nil
	}
	r.Method = fields[0]
	for _, line := range lines[1:] {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\r"), ":")
		if !ok {
			break
		}
		headers = append(headers, [2]string{name, strings.TrimSpace(value)})
	}
	return fields[1], headers
}
