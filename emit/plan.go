package emit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
)

// Plan returns what the runtime needs to run a result. Where the configuration
// has something that no plan can hold, such as a scheme that is none, the plan
// is nil and the findings say where. Listed dynamic routes that are not live,
// and whatever Ocelot dropped, are not in the plan.
func Plan(r *Result) (*plan.Plan, *diag.List) {
	l := newLowering(r)
	l.plan.Digest = digest(r)
	l.lower()
	l.problems(l.plan.Check())
	if l.found.Len() > 0 {
		return nil, &l.found
	}
	return l.plan, &l.found
}

// lower fills in the whole plan.
func (l *lowering) lower() {
	for i := range l.Gateway.Routes {
		l.route(i)
	}
	for i := range l.Gateway.Routes {
		l.aggregate(&l.Gateway.Routes[i])
	}
	l.shareBalancers()
	if l.needsDiscovery {
		l.plan.Discovery = discoveryOf(l.Config.Global.ServiceDiscoveryProvider)
	}
}

// lowering is the making of one plan.
type lowering struct {
	*Result
	plan   *plan.Plan
	global *config.GlobalConfiguration
	groups groups
	ids    map[string]int
	// idAt are the IDs by position in Gateway.Routes.
	idAt []string
	// routeAt and aggregateAt are the sections of the plan's routes and
	// aggregates.
	routeAt, aggregateAt []config.Section
	// found is what can't be in a plan at all.
	found          diag.List
	needsDiscovery bool
	// everybodys are the global settings that cannot be read; nil: not looked for.
	everybodys []plan.Unread
	barriers   []barrier // once for all routes
	// placeless leaves places out, which take time.
	placeless bool
	firsts    map[*normalize.Route]bool
}

func newLowering(r *Result) *lowering {
	l := &lowering{
		Result: r,
		plan: &plan.Plan{
			Version: plan.Version,
			Profile: plan.Profile{Ocelot: r.Profile.Version, Provider: plan.Provider(r.Profile.Provider.String())},
			BaseURL: r.Loaded.BaseURL,
			Routes:  make([]plan.Route, 0, len(r.Gateway.Routes)),
		},
		global: r.Config.Global,
		groups: newGroups(r.Config.Global, r.Profile),
		ids:    make(map[string]int, len(r.Gateway.Routes)),
		idAt:   make([]string, len(r.Gateway.Routes)),
	}
	l.plan.RequestIDHeader = l.global.RequestIdKey.V
	return l
}

// digest is the SHA-256 of the profile and of the base names and bytes of the
// files in load order, each with its length in front.
func digest(r *Result) string {
	if len(r.Loaded.Texts) == 0 {
		return ""
	}
	h := sha256.New()
	add := func(part []byte) {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	p := r.Profile
	add([]byte(p.Version + " " + p.Provider.String()))
	for i := range r.Loaded.Texts {
		file := r.Loaded.Texts[i].File
		add([]byte(filepath.Base(file.Name)))
		add(file.Raw())
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// WritePlan writes the plan of a result as JSON. The findings are those of
// Plan; nothing is written where one of them is an error.
func WritePlan(w io.Writer, r *Result) (*diag.List, error) {
	p, found := Plan(r)
	if p == nil {
		return found, nil
	}
	return found, p.Encode(w)
}

// at returns a place as plans write it: "file:line:col", "default", or
// "outside" for what comes from no file; "" for a value that is not set.
func (l *lowering) at(o config.Origin) string {
	switch o.Kind {
	case config.Unset:
		return ""
	case config.Default:
		return "default"
	case config.Outside:
		return "outside"
	}
	s := l.span(o)
	if s.IsZero() {
		return ""
	}
	p := s.Position()
	return slashed(s.File.Name) + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

func discoveryOf(o *config.ServiceDiscoveryProvider) *plan.Discovery {
	if o == nil {
		o = &config.ServiceDiscoveryProvider{}
	}
	d := &plan.Discovery{
		Type: orText(o.Type.V, "consul"), Scheme: orText(o.Scheme.V, "http"), Host: o.Host.V,
		Port: max(int(o.Port.V), 0), Namespace: o.Namespace.V, PollingInterval: plan.Millis(max(o.PollingInterval.V, 0)),
	}
	if !o.Host.IsSet() {
		d.Host = "localhost"
	}
	return d
}

func orText(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// failures says what the breaker of a route counts. With Polly the program
// counts a transport error as a success; its documentation does not.
func failures(route *normalize.Route, p profile.Profile) plan.Failures {
	f := plan.Failures{StatusCodes: []plan.StatusRange{{First: 500, Last: 508}}, TransportErrors: plan.Failure}
	if !p.Documented() && p.Provider == profile.Polly {
		f.TransportErrors = plan.Success
	}
	if route.Breaker.Kind != normalize.Expression && counting(p) == profile.Uncounted { // no release has that breaker
		f.Timeouts = plan.Success
	}
	if o := route.Resilience; o != nil && o.FailureStatusCodes != nil {
		f.StatusCodes = statuses(o.FailureStatusCodes)
	}
	return f
}

func statuses(list *config.List[config.StatusCodes]) []plan.StatusRange {
	var ranges []plan.StatusRange
	for _, c := range list.All() {
		ranges = append(ranges, plan.StatusRange{First: int(c.V.First), Last: int(c.V.Last)})
	}
	return ranges
}
