package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// shownRefusals bounds how many routes are listed that are not served; the
// admin page has all of them.
const shownRefusals = 20

// lines say what is served, where, and what is not.
func (s *serving) lines() []string {
	p := s.proxy.Plan()
	first := fmt.Sprintf("%s, %d with a breaker · listening on %s://%s", count(len(p.Routes), "route"), breakers(p), scheme(s.certificates), s.front.Addr())
	if s.admin != nil {
		first += fmt.Sprintf(" · admin %s://%s", scheme(s.adminCertificates), s.admin.Addr())
	}
	lines := []string{first}
	if line := s.healthLine(p); line != "" {
		lines = append(lines, line)
	}
	refused := s.proxy.Refused()
	for _, r := range refused[:min(shownRefusals, len(refused))] {
		lines = append(lines, "not served: "+refusal(r))
	}
	if n := len(refused) - shownRefusals; n > 0 {
		lines = append(lines, fmt.Sprintf("not served: %s more", count(n, "route")))
	}
	return lines
}

// healthLine says of how many routes hosts are passed over; "" where nobody asks.
func (s *serving) healthLine(p *plan.Plan) string {
	switch n := judgedRoutes(p); {
	case n > 0:
		return fmt.Sprintf("passive health: failing hosts of %s are passed over while others are left", count(n, "route"))
	case s.current.Load().around.health.judge != nil:
		return "passive health has no effect: no route has several hosts and a load balancer that chooses"
	}
	return ""
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
	text, remedies := r.ID+":", []string{}
	for i, u := range r.Unenforced {
		if i > 0 {
			text += ";"
		}
		text += " " + u.Reason
		if way := remedy(u); !slices.Contains(remedies, way) {
			remedies = append(remedies, way)
		}
	}
	if r.At != "" {
		text += " (" + r.At + ")"
	}
	if slices.Contains(remedies, nameSchemes) { // which brings the claims along
		remedies = slices.DeleteFunc(remedies, func(s string) bool { return s == "--allow-unenforced claims" })
	}
	return printable(text + ": " + strings.Join(remedies, ", "))
}

// nameSchemes says who signs the tokens of schemes.
const nameSchemes = "--auth FILE"

// remedy is what has a route served despite a setting.
func remedy(u proxy.Unenforced) string {
	switch {
	case u.Unreadable:
		return "mend it, or --allow-unenforced " + u.Setting
	case u.Setting == "any-certificate":
		return "--allow-any-certificate"
	case u.Setting == "authentication":
		return nameSchemes
	}
	return "--allow-unenforced " + u.Setting
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
