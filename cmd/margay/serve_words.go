package main

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

type handler = http.Handler

// shownRefusals bounds how many routes are listed that are not served; the
// admin page has all of them.
const shownRefusals = 20

// lines say what is served, where, and what is not.
func (s *serving) lines() []string {
	p := s.proxy.Plan()
	scheme := "http"
	if s.certificates != nil {
		scheme = "https"
	}
	first := fmt.Sprintf("%s, %d with a breaker · listening on %s://%s", count(len(p.Routes), "route"), breakers(p), scheme, s.front.Addr())
	if s.admin != nil {
		first += fmt.Sprintf(" · admin http://%s", s.admin.Addr())
	}
	lines := []string{first}
	refused := s.proxy.Refused()
	for _, r := range refused[:min(shownRefusals, len(refused))] {
		lines = append(lines, "not served: "+refusal(r))
	}
	if n := len(refused) - shownRefusals; n > 0 {
		lines = append(lines, fmt.Sprintf("not served: %s more", count(n, "route")))
	}
	return lines
}

func breakers(p *plan.Plan) int {
	n := 0
	for i := range p.Routes {
		if p.Routes[i].Breaker != nil {
			n++
		}
	}
	return n
}

// refusal words why a route is not served, and what would have it served.
func refusal(r proxy.Refusal) string {
	text, settings := r.ID+":", []string{}
	for i, u := range r.Unenforced {
		if i > 0 {
			text += ";"
		}
		text += " " + u.Reason
		if !slices.Contains(settings, u.Setting) {
			settings = append(settings, u.Setting)
		}
	}
	if r.At != "" {
		text += " (" + r.At + ")"
	}
	if slices.Contains(settings, "authentication") { // which brings the claims along
		settings = slices.DeleteFunc(settings, func(s string) bool { return s == "claims" })
	}
	for _, setting := range settings {
		text += ": " + remedy(setting)
	}
	return printable(text)
}

// remedy is the option that has a route served despite a setting.
func remedy(setting string) string {
	switch setting {
	case "any-certificate":
		return "--allow-any-certificate"
	case "authentication":
		return "--auth FILE"
	}
	return "--allow-unenforced " + setting
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
