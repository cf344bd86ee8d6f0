package emit

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
)

// recordsVersion is the version of what JSON and YAML write. Within a version
// members are added and never changed.
const recordsVersion = 1

// gatewayJSON is one gateway.
type gatewayJSON struct {
	Version int `json:"version"`
	// Path is the gateway's path as the user wrote it, with slashes.
	Path     string `json:"path"`
	Provider string `json:"provider"`
	// Ocelot is null by the documentation.
	Ocelot *string `json:"ocelot"`
	// Asked is the release that Ocelot answers for, where that is another one.
	Asked   string        `json:"asked,omitempty"`
	Start   startJSON     `json:"start"`
	Dropped []droppedJSON `json:"dropped"`
	// Routes are the last member; JSON writes them one by one.
	Routes []struct{} `json:"routes"`
}

type startJSON struct {
	OK     bool        `json:"ok"`
	Errors []errorJSON `json:"errors"`
}

type errorJSON struct {
	Rule    string    `json:"rule"`
	Message string    `json:"message"`
	Ocelot  string    `json:"ocelot"`
	Span    *spanJSON `json:"span"`
}

type droppedJSON struct {
	Path  string    `json:"path"`
	Cause causeJSON `json:"cause"`
}

type causeJSON struct {
	Path   string    `json:"path"`
	Value  string    `json:"value"`
	Ocelot string    `json:"ocelot"`
	Span   *spanJSON `json:"span"`
}

// routeJSON is one route. All members that have a value of their own kind are
// always there; aggregates, which have no QoS, have aggregateJSON instead.
type routeJSON struct {
	Kind  string  `json:"kind"`
	Index *int    `json:"index"`
	Name  string  `json:"name"`
	Key   *string `json:"key"`
	// Live is false on a listed dynamic route that static routes switch off.
	Live           bool         `json:"live"`
	Active         bool         `json:"active"`
	Options        optionsJSON  `json:"options"`
	Breaker        *breakerJSON `json:"breaker"`
	AttemptTimeout *int32       `json:"attemptTimeout"`
	RouteTimeout   *int32       `json:"routeTimeout"`
	// OuterTimeout is -1 where there is none, as .NET writes it.
	OuterTimeout    int64  `json:"outerTimeout"`
	LoadBalancerKey string `json:"loadBalancerKey"`
	// SharedWith is the position in routes of the one whose breaker this one
	// uses, with Polly; null: one of its own.
	SharedWith  *int            `json:"sharedWith"`
	Resilience  *resilienceJSON `json:"resilience"`
	Origins     *originsJSON    `json:"origins"`
	Divergences []string        `json:"divergences"`
	// Failure is null where requests do not all fail.
	Failure *failureJSON `json:"failure"`
}

// aggregateJSON is an aggregate; its members are indexes of static routes.
type aggregateJSON struct {
	Kind    string `json:"kind"`
	Index   int    `json:"index"`
	Name    string `json:"name"`
	Members []int  `json:"members"`
}

type optionsJSON struct {
	BreakDuration     *int32
	MinimumThroughput *int32
	FailureRatio      *number
	SamplingDuration  *int32
	Timeout           *int32
}

type breakerJSON struct {
	Kind              string  `json:"kind"`
	MinimumThroughput *int32  `json:"minimumThroughput"`
	FailureRatio      *number `json:"failureRatio"`
	SamplingDuration  *int32  `json:"samplingDuration"`
	BreakDuration     *int32  `json:"breakDuration"`
	// Expression is set for the kind "expression" only; its other numbers
	// stand in resilience.
	Expression *string `json:"expression,omitempty"`
}

// record returns a result as other programs read it, without its routes.
func (r *Result) record() *gatewayJSON {
	g := &gatewayJSON{
		Version: recordsVersion, Path: slashed(r.Input.Name), Provider: r.Profile.Provider.String(),
		Start: startJSON{OK: r.Starts(), Errors: []errorJSON{}}, Dropped: []droppedJSON{},
		Routes: []struct{}{},
	}
	if !r.Profile.Documented() {
		g.Ocelot, g.Asked = &r.Profile.Version, r.Profile.Asked
	}
	for _, e := range r.StartErrors() {
		g.Start.Errors = append(g.Start.Errors, errorJSON{e.Rule, r.Mask(e.Message), r.Mask(e.Ocelot), spanOf(e.At)})
	}
	for i := range r.Config.Dropped {
		g.Dropped = append(g.Dropped, r.dropped(&r.Config.Dropped[i]))
	}
	return g
}

func (r *Result) dropped(d *config.Dropped) droppedJSON {
	cause := &d.Reason
	return droppedJSON{Path: d.Path, Cause: causeJSON{
		Path: cause.Path, Value: r.Mask(cause.Value), Ocelot: r.Mask(cause.Message), Span: spanOf(r.span(cause.At.Origin)),
	}}
}

// routeRecord returns a route as other programs read it.
func (r *Result) routeRecord(route *normalize.Route) any {
	if route.Kind == normalize.Aggregate {
		a := aggregateJSON{route.Kind.String(), route.Index, route.Name(), make([]int, 0, len(route.Aggregate.Members))}
		for _, m := range route.Aggregate.Members {
			a.Members = append(a.Members, r.Gateway.Routes[m].Index)
		}
		return a
	}
	j := &routeJSON{Kind: route.Kind.String(), Name: route.Name(), Live: route.Live}
	if route.Kind != normalize.Unlisted {
		j.Index = &route.Index
	}
	j.Key = pointer(route.Key())
	j.Active = route.Active
	j.Options = optionsOf(&route.Options)
	j.Breaker = breakerOf(route)
	j.AttemptTimeout = pointer(route.AttemptTimeout)
	j.RouteTimeout = pointer(route.RouteTimeout.Value)
	j.OuterTimeout = route.OuterTimeout.V
	j.LoadBalancerKey = route.LoadBalancerKey()
	if route.SharedWith >= 0 {
		j.SharedWith = &route.SharedWith
	}
	j.Resilience = resilienceOf(route.Resilience)
	j.Origins = r.originsOf(route)
	j.Divergences = append([]string{}, route.Divergences.Names()...)
	j.Failure = r.failureOf(route)
	return j
}

func optionsOf(o *normalize.Options) optionsJSON {
	return optionsJSON{
		BreakDuration:     pointer(o.BreakDuration.Value),
		MinimumThroughput: pointer(o.MinimumThroughput.Value),
		FailureRatio:      ratioPointer(o.FailureRatio.Value),
		SamplingDuration:  pointer(o.SamplingDuration.Value),
		Timeout:           pointer(o.Timeout.Value),
	}
}

func breakerOf(route *normalize.Route) *breakerJSON {
	b := &route.Breaker
	if b.Kind == normalize.NoBreaker {
		return nil
	}
	j := &breakerJSON{
		Kind:              b.Kind.String(),
		MinimumThroughput: pointer(b.MinimumThroughput),
		FailureRatio:      ratioPointer(b.FailureRatio),
		SamplingDuration:  pointer(b.SamplingDuration),
		BreakDuration:     pointer(b.BreakDuration),
	}
	if b.Kind == normalize.Expression {
		j.Expression = pointer(route.Resilience.CircuitBreaker.Expression)
	}
	return j
}

// pointer returns the value for a member that is null where it is not set.
func pointer[T any](v config.Value[T]) *T {
	if !v.IsSet() {
		return nil
	}
	return &v.V
}

func ratioPointer(v config.Value[float64]) *number {
	if !v.IsSet() {
		return nil
	}
	n := number(v.V)
	return &n
}
