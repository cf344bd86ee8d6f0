package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// access is who may call a route.
type access struct {
	authentication *plan.Authentication
	claims         []plan.ClaimRequirement
	addresses      *plan.ClientIPs
}

func accessOf(e *entry) access {
	if e.route == nil {
		return access{} // aggregates are open; their members guard themselves
	}
	return access{authentication: e.route.Authentication, addresses: e.route.ClientIPs, claims: e.route.Claims.Required}
}

// lessProtected says in what a request that was guarded by a is less guarded by
// b, as a clause without a subject; "" if in nothing.
func lessProtected(a, b access) string {
	var lost []string
	if a.authentication != nil && b.authentication == nil {
		lost = append(lost, "demands no authentication")
	} else if a.authentication != nil {
		if more := beyond(b.authentication.Schemes, a.authentication.Schemes); len(more) > 0 {
			lost = append(lost, "accepts clients of "+strings.Join(more, ", ")+" too")
		}
		if widens(a.authentication.Scopes, b.authentication.Scopes) {
			lost = append(lost, "demands "+scopes(b.authentication.Scopes)+" instead of "+scopes(a.authentication.Scopes))
		}
	}
	for _, claim := range a.claims {
		if !slices.ContainsFunc(b.claims, func(o plan.ClaimRequirement) bool { return o.Type == claim.Type }) {
			lost = append(lost, "does not demand the claim "+claimText(claim))
		}
	}
	if text := opened(a.addresses, b.addresses); text != "" {
		lost = append(lost, text)
	}
	return strings.Join(lost, " and ")
}

// widens says whether a list of which one item is needed lets more in than
// before; an empty one lets everybody in.
func widens(old, new []string) bool {
	return len(old) > 0 && (len(new) == 0 || len(beyond(new, old)) > 0)
}

// beyond returns the items of a list that are not in another.
func beyond(list, other []string) []string {
	var more []string
	for _, item := range list {
		if !slices.Contains(other, item) {
			more = append(more, item)
		}
	}
	return more
}

func scopes(list []string) string {
	switch len(list) {
	case 0:
		return "no scope"
	case 1:
		return "the scope " + list[0]
	}
	return "one of the scopes " + strings.Join(list, ", ")
}

func claimText(c plan.ClaimRequirement) string { return c.Type + "=" + c.Value }

// opened says which client addresses get in that did not before.
func opened(a, b *plan.ClientIPs) string {
	if a == nil {
		return ""
	}
	if b == nil {
		return "lets every client address in"
	}
	var parts []string
	switch {
	case len(a.Allowed) > 0 && len(b.Allowed) == 0:
		parts = append(parts, "has no list of allowed addresses")
	case widens(a.Allowed, b.Allowed):
		parts = append(parts, "lets "+strings.Join(beyond(b.Allowed, a.Allowed), ", ")+" in")
	}
	if gone := beyond(a.Blocked, b.Blocked); len(gone) > 0 {
		parts = append(parts, "does not block "+strings.Join(gone, ", "))
	}
	if b.AllowedBeatBlocked && !a.AllowedBeatBlocked && len(b.Blocked) > 0 {
		parts = append(parts, "takes allowed addresses out of the blocked ones")
	}
	return strings.Join(parts, " and ")
}

// access words who may call. Where the new side lets more callers in, the first
// words say so.
func (w *wording) access() {
	w.authentication()
	w.claims()
	if fields := w.take("clientIps"); len(fields) > 0 {
		lost := opened(w.old.route.ClientIPs, w.new.route.ClientIPs)
		w.say("access", fields, orElse(lost, addresses(w.new.route.ClientIPs))).LessProtected = lost != ""
	}
	if fields := w.take("backend.anyCertificate"); len(fields) > 0 {
		if w.new.route.Backend.AnyCertificate {
			w.say("access", fields, "accepts any certificate of the backend").LessProtected = true
		} else {
			w.say("access", fields, "checks the certificate of the backend again")
		}
	}
}

func (w *wording) authentication() {
	a, b := w.old.route.Authentication, w.new.route.Authentication
	if fields := w.take("authentication", "authentication.schemes"); len(fields) > 0 && (a == nil || b == nil) {
		if b == nil {
			w.say("access", fields, "no authentication any more (it demanded "+schemes(a)+"): everybody may call it").LessProtected = true
		} else {
			w.say("access", fields, "demands authentication by "+schemes(b))
		}
		return
	} else if len(fields) > 0 {
		w.schemes(fields, a, b)
	}
}

func schemes(a *plan.Authentication) string {
	text := strings.Join(a.Schemes, ", ")
	if len(a.Scopes) > 0 {
		text += " and " + scopes(a.Scopes)
	}
	return text
}

func (w *wording) schemes(fields []Field, a, b *plan.Authentication) {
	of := func(name string) []Field {
		var own []Field
		for _, f := range fields {
			if f.Under(name) {
				own = append(own, f)
			}
		}
		return own
	}
	if own := of("authentication.schemes"); len(own) > 0 {
		more, gone := beyond(b.Schemes, a.Schemes), beyond(a.Schemes, b.Schemes)
		text := "asks the schemes in the order " + strings.Join(b.Schemes, ", ")
		switch {
		case len(more) > 0 && len(gone) > 0:
			text = fmt.Sprintf("accepts clients of %s instead of %s", strings.Join(b.Schemes, ", "), strings.Join(a.Schemes, ", "))
		case len(more) > 0:
			text = fmt.Sprintf("accepts clients of %s too, not of %s alone", strings.Join(more, ", "), strings.Join(a.Schemes, ", "))
		case len(gone) > 0:
			text = "no longer accepts clients of " + strings.Join(gone, ", ")
		}
		w.say("access", own, text).LessProtected = len(more) > 0
	}
	if own := of("authentication.scopes"); len(own) > 0 {
		w.say("access", own, "demands "+scopes(b.Scopes)+" instead of "+scopes(a.Scopes)).LessProtected = widens(a.Scopes, b.Scopes)
	}
}

func (w *wording) claims() {
	fields := w.take("claims.required")
	if len(fields) == 0 {
		return
	}
	before, after := w.old.route.Claims.Required, w.new.route.Claims.Required
	for _, old := range before {
		at := slices.IndexFunc(after, func(c plan.ClaimRequirement) bool { return c.Type == old.Type })
		switch {
		case at < 0:
			w.say("access", fields, "no longer demands the claim "+claimText(old)).LessProtected = true
		case after[at].Value != old.Value:
			w.say("access", fields, fmt.Sprintf("demands the claim %s instead of %s", claimText(after[at]), claimText(old)))
		}
	}
	for _, new := range after {
		if !slices.ContainsFunc(before, func(c plan.ClaimRequirement) bool { return c.Type == new.Type }) {
			w.say("access", fields, "demands the claim "+claimText(new))
		}
	}
}

func addresses(c *plan.ClientIPs) string {
	if c == nil {
		return "lets every client address in"
	}
	var parts []string
	if len(c.Allowed) > 0 {
		parts = append(parts, "lets in only "+strings.Join(c.Allowed, ", "))
	}
	if len(c.Blocked) > 0 {
		parts = append(parts, "blocks "+strings.Join(c.Blocked, ", "))
	}
	return strings.Join(parts, " and ")
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
