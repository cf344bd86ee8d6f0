package main

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

// call is what a backend would be asked. Its form in JSON is part of that of
// margay match.
type call struct {
	// Route is the ID of the route.
	Route  string `json:"route"`
	Method string `json:"method"`
	// URLs has one for each host of the route, of which the load balancer
	// chooses; one with the name of the service where discovery finds the hosts;
	// none where the request is refused.
	URLs         []string `json:"urls"`
	LoadBalancer string   `json:"loadBalancer,omitempty"`
	Service      string   `json:"service,omitempty"`
	// Refused says why the request is not sent, and Status what is answered.
	Refused string `json:"refused,omitempty"`
	Status  int    `json:"status,omitempty"`

	index int // in plan.Routes
}

// calls returns what is asked for the request: one call, or those of all
// members of an aggregate. Members that need an answer of another first are
// shown with their placeholder.
func (m *matching) calls() []call {
	if m.failure != nil {
		return nil
	}
	if a := m.match.Aggregate(); a != nil {
		var all []call
		for _, member := range a.Members {
			at := m.routeIndex(member.Route)
			target, err := m.match.MemberTarget(at, m.request.Target)
			all = append(all, m.call(at, target, err))
		}
		return all
	}
	target, err := m.match.BackendTarget(m.request.Target)
	return []call{m.call(m.match.Index(), target, err)}
}

// routeIndex returns the place of a route in the plan, which has it: a plan
// whose aggregates name others is refused.
func (m *matching) routeIndex(id string) int {
	for i := range m.plan.Routes {
		if m.plan.Routes[i].ID == id {
			return i
		}
	}
	return -1
}

func (m *matching) call(index int, target string, err error) call {
	r := &m.plan.Routes[index]
	c := call{Route: r.ID, Method: m.request.Method, URLs: []string{}, LoadBalancer: r.LoadBalancer.Type, index: index}
	if r.Backend.Method != "" {
		c.Method = r.Backend.Method
	}
	if err != nil {
		c.Refused, c.Status = err.Error(), refusalStatus(err)
		return c
	}
	scheme := r.Backend.Scheme
	if scheme == "" {
		scheme = "http"
	}
	for _, h := range m.hosts(r, &c) {
		c.URLs = append(c.URLs, scheme+"://"+h+target)
	}
	return c
}

func refusalStatus(err error) int {
	if err == route.ErrEmptyPath {
		return 500
	}
	return 400
}

// hosts returns the hosts of a route as they stand in URLs.
func (m *matching) hosts(r *plan.Route, c *call) []string {
	name, namespace := m.match.Service()
	if r.Backend.Service != "" {
		name, namespace = r.Backend.Service, r.Backend.Namespace
	}
	if name == "" {
		return hostNames(r.Backend.Hosts)
	}
	c.Service = strings.TrimPrefix(namespace+"."+name, ".")
	for _, s := range m.plan.Services {
		if s.Name == name && (namespace == "" || s.Namespace == namespace) {
			return hostNames(s.Hosts)
		}
	}
	return []string{c.Service}
}

func hostNames(hosts []plan.Host) []string {
	var names []string
	for _, h := range hosts {
		name := h.Name
		if strings.Contains(name, ":") && !strings.HasPrefix(name, "[") {
			name = "[" + name + "]"
		}
		if h.Port > 0 {
			name = fmt.Sprintf("%s:%d", name, h.Port)
		}
		names = append(names, name)
	}
	return names
}
