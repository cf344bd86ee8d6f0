package bind

import "github.com/margay-dev/margay/schema/config"

var authenticationFields = []field[config.AuthenticationOptions]{
	{"AllowedScopes", list(func(o *config.AuthenticationOptions) **texts { return &o.AllowedScopes })},
	{"AllowAnonymous", nullable(func(o *config.AuthenticationOptions) *flag { return &o.AllowAnonymous }, boolKind)},
	{"AuthenticationProviderKey", str(func(o *config.AuthenticationOptions) *line { return &o.AuthenticationProviderKey })},
	{"AuthenticationProviderKeys", array(func(o *config.AuthenticationOptions) **texts { return &o.AuthenticationProviderKeys })},
	{"HasScheme", required(func(o *config.AuthenticationOptions) *flag { return &o.HasScheme }, boolKind)},
	{"HasScope", required(func(o *config.AuthenticationOptions) *flag { return &o.HasScope }, boolKind)},
}

var cacheFields = []field[config.CacheOptions]{
	{"TtlSeconds", nullable(func(o *config.CacheOptions) *number { return &o.TtlSeconds }, int32Kind)},
	{"Region", str(func(o *config.CacheOptions) *line { return &o.Region })},
	{"Header", str(func(o *config.CacheOptions) *line { return &o.Header })},
	{"EnableContentHashing", nullable(func(o *config.CacheOptions) *flag { return &o.EnableContentHashing }, boolKind)},
}

var httpHandlerFields = []field[config.HttpHandlerOptions]{
	{"AllowAutoRedirect", nullable(func(o *config.HttpHandlerOptions) *flag { return &o.AllowAutoRedirect }, boolKind)},
	{"MaxConnectionsPerServer", nullable(func(o *config.HttpHandlerOptions) *number { return &o.MaxConnectionsPerServer },
		int32Kind)},
	{"PooledConnectionLifetimeSeconds", nullable(func(o *config.HttpHandlerOptions) *number { return &o.PooledConnectionLifetimeSeconds },
		int32Kind)},
	{"UseCookieContainer", nullable(func(o *config.HttpHandlerOptions) *flag { return &o.UseCookieContainer },
		boolKind)},
	{"UseProxy", nullable(func(o *config.HttpHandlerOptions) *flag { return &o.UseProxy }, boolKind)},
	{"UseTracing", nullable(func(o *config.HttpHandlerOptions) *flag { return &o.UseTracing }, boolKind)},
}

var loadBalancerFields = []field[config.LoadBalancerOptions]{
	{"Expiry", nullable(func(o *config.LoadBalancerOptions) *number { return &o.Expiry }, int32Kind)},
	{"Key", str(func(o *config.LoadBalancerOptions) *line { return &o.Key })},
	{"Type", str(func(o *config.LoadBalancerOptions) *line { return &o.Type })},
}

var qosFields = []field[config.QoSOptions]{
	{"DurationOfBreak", nullable(func(o *config.QoSOptions) *number { return &o.DurationOfBreak }, int32Kind)},
	{"BreakDuration", nullable(func(o *config.QoSOptions) *number { return &o.BreakDuration }, int32Kind)},
	{"ExceptionsAllowedBeforeBreaking", nullable(func(o *config.QoSOptions) *number { return &o.ExceptionsAllowedBeforeBreaking },
		int32Kind)},
	{"MinimumThroughput", nullable(func(o *config.QoSOptions) *number { return &o.MinimumThroughput }, int32Kind)},
	{"FailureRatio", nullable(func(o *config.QoSOptions) *ratio { return &o.FailureRatio }, doubleKind)},
	{"SamplingDuration", nullable(func(o *config.QoSOptions) *number { return &o.SamplingDuration }, int32Kind)},
	{"TimeoutValue", nullable(func(o *config.QoSOptions) *number { return &o.TimeoutValue }, int32Kind)},
	{"Timeout", nullable(func(o *config.QoSOptions) *number { return &o.Timeout }, int32Kind)},
}

var securityFields = []field[config.SecurityOptions]{
	{"IPAllowedList", list(func(o *config.SecurityOptions) **texts { return &o.IPAllowedList })},
	{"IPBlockedList", list(func(o *config.SecurityOptions) **texts { return &o.IPBlockedList })},
	{"ExcludeAllowedFromBlocked", required(func(o *config.SecurityOptions) *flag { return &o.ExcludeAllowedFromBlocked },
		boolKind)},
}

// The classes that static and dynamic routes and GlobalConfiguration share.
var (
	authenticationTable = newTable(func(o *config.AuthenticationOptions) *config.Section { return &o.Section },
		config.AuthenticationOptions{}, authenticationFields)
	cacheTable = newTable(func(o *config.CacheOptions) *config.Section { return &o.Section },
		config.CacheOptions{}, cacheFields)
	httpHandlerTable = newTable(func(o *config.HttpHandlerOptions) *config.Section { return &o.Section },
		config.HttpHandlerOptions{}, httpHandlerFields)
	loadBalancerTable = newTable(func(o *config.LoadBalancerOptions) *config.Section { return &o.Section },
		config.LoadBalancerOptions{}, loadBalancerFields)
	qosTable = newTable(func(o *config.QoSOptions) *config.Section { return &o.Section },
		config.QoSOptions{}, qosFields)
	securityTable = newTable(func(o *config.SecurityOptions) *config.Section { return &o.Section },
		config.SecurityOptions{
			IPAllowedList: emptyList, IPBlockedList: emptyList, ExcludeAllowedFromBlocked: byDefault(false),
		}, securityFields)
)

// emptyList is what new objects hold where a collection is empty, not null.
// Nobody changes it: binding makes new lists.
var emptyList = &texts{Origin: config.Origin{Kind: config.Default}}

// byDefault returns a value that a new object holds.
func byDefault[V any](v V) config.Value[V] {
	return config.Value[V]{V: v, Origin: config.Origin{Kind: config.Default}}
}

// listByDefault returns a list that a new object holds.
func listByDefault(items ...string) *texts {
	l := &texts{Origin: config.Origin{Kind: config.Default}}
	for _, item := range items {
		l.Items = append(l.Items, byDefault(item))
	}
	return l
}
