package plan

// Route is one route: which requests it takes, where they go, and what guards
// them on the way. Its strategies stand in the order in which they wrap a
// request, outermost first: fallback, concurrency limiter, outer timeout,
// retry, breaker, attempt timeout, chaos.
type Route struct {
	// ID names the route in logs, metrics and across reloads. It is readable
	// and does not depend on the place in the file:
	// "GET,POST /orders/{id} host=a.example".
	ID string `json:"id"`
	// Name is what answers and log lines call the route.
	Name string `json:"name,omitzero"`
	// Key is how aggregates of the configuration refer to the route.
	Key string `json:"key,omitzero"`
	// At is where the route is written, "file:line:col".
	At string `json:"at,omitzero"`

	// Match says which requests the route takes.
	Match Match `json:"match"`
	// Backend says where they go.
	Backend Backend `json:"backend"`
	// LoadBalancer chooses one of several hosts.
	LoadBalancer LoadBalancer `json:"loadBalancer,omitzero"`
	// PassiveHealth judges each host by the outcomes that Failures classifies:
	// while it is open, LoadBalancer passes the host over, as long as another one
	// is not. Of the kinds consecutive, ratio and polly; nil passes none over.
	PassiveHealth *Breaker `json:"passiveHealth,omitzero"`

	// Fallback answers in place of a failed call; nil passes failures on.
	Fallback *Fallback `json:"fallback,omitzero"`
	// Limiter bounds the calls in flight; nil is no bound.
	Limiter *Limiter `json:"concurrencyLimiter,omitzero"`
	// OuterTimeout bounds the whole call until the headers arrive, retries and
	// waits included; nil is no bound. Positive in every plan that works. A
	// plan that imitates a release may hold what its arithmetic gives: 0
	// answers 503 at once, a negative one answers 500.
	OuterTimeout *Millis `json:"outerTimeout,omitzero"`
	// Retry sends again what failed; nil never does.
	Retry *Retry `json:"retry,omitzero"`
	// Failures says which outcomes the breaker counts as failures.
	Failures Failures `json:"failures"`
	// Breaker is nil where the route has none.
	Breaker *Breaker `json:"breaker,omitzero"`
	// Circuit is shared by routes with one common breaker, which then have equal
	// Breaker and Failures; empty is a breaker of the route's own.
	Circuit string `json:"circuit,omitzero"`
	// AttemptTimeout bounds one attempt until its headers arrive; 0 is no bound.
	AttemptTimeout Millis `json:"attemptTimeout,omitzero"`
	// Chaos injects faults on purpose; nil injects none.
	Chaos *Chaos `json:"chaos,omitzero"`
	// ProblemDetails answers with RFC 9457 documents, and timeouts with 504.
	ProblemDetails bool `json:"problemDetails,omitzero"`

	// RequestHeaders are changed on the way to the backend, ResponseHeaders on
	// the way back.
	RequestHeaders  []HeaderTransform `json:"requestHeaders,omitempty"`
	ResponseHeaders []HeaderTransform `json:"responseHeaders,omitempty"`
	// RequestIDHeader is the header that carries the id of a request.
	RequestIDHeader string `json:"requestIdHeader,omitzero"`
	// ClientIPs admits clients by address; nil admits all.
	ClientIPs *ClientIPs `json:"clientIps,omitzero"`
	// RateLimit bounds the requests of one client; nil is no bound.
	RateLimit *RateLimit `json:"rateLimit,omitzero"`
	// Authentication demands a known client; nil admits everybody.
	Authentication *Authentication `json:"authentication,omitzero"`
	// Claims checks and uses what is known of the client.
	Claims *Claims `json:"claims,omitzero"`
	// Cache keeps answers; nil keeps none.
	Cache *Cache `json:"cache,omitzero"`
	// Handlers name code of the gateway's application that wraps the call
	// there. Nothing but that application can run it.
	Handlers []string `json:"handlers,omitempty"`

	// Unread are settings about who may call that are written in a form which
	// nothing can read. Nothing of them is in force, so whoever serves the route
	// serves it more openly than it was meant.
	Unread []Unread `json:"unread,omitempty"`

	// Origins tell where values were written, for logs.
	Origins []Origin `json:"origins,omitempty"`
}

// Unread is a setting that cannot be read.
type Unread struct {
	// Setting is what it is about: "authentication", "claims", "client-ips" or
	// "rate-limit".
	Setting string `json:"setting"`
	// Name is what it is called in the configuration, and At where it is written,
	// "file:line:col".
	Name string `json:"name"`
	At   string `json:"at,omitzero"`
}

// Origin is the place that decided one value of a route.
type Origin struct {
	// Field is the path of the value within the route: "breaker.breakDuration".
	Field string `json:"field"`
	// At is "file:line:col", or a word such as "default".
	At string `json:"at"`
}

// RouteKind tells how a route finds its requests.
type RouteKind string

// The kinds of routes.
const (
	// Static routes match a path template.
	Static RouteKind = "static"
	// Dynamic routes take /SERVICE/… or /NAMESPACE.SERVICE/… for the service
	// that their Backend names.
	Dynamic RouteKind = "dynamic"
	// Unlisted is the one route for every service that no dynamic route names.
	Unlisted RouteKind = "unlisted"
)

// Match says which requests a route takes.
type Match struct {
	// Kind is static, dynamic or unlisted.
	Kind RouteKind `json:"kind"`
	// Methods are sorted and in upper case; none is every method.
	Methods []string `json:"methods,omitempty"`
	// Path is the path template of a static route or an aggregate.
	Path string `json:"path,omitzero"`
	// Host is compared whole; empty is every host.
	Host string `json:"host,omitzero"`
	// Headers are all demanded.
	Headers []HeaderMatch `json:"headers,omitempty"`
	// Priority as it is in force: catch-all templates have 0.
	Priority int `json:"priority,omitzero"`
	// CaseSensitive compares Path and Headers with regard to case.
	CaseSensitive bool `json:"caseSensitive,omitzero"`
}

// HeaderMatch demands a header whose value fits a template.
type HeaderMatch struct {
	// Name is the name of the header.
	Name string `json:"name"`
	// Template is what its whole value must fit; {header:x} captures a part.
	Template string `json:"template"`
}

// Aggregate answers with the joined answers of several routes. It has no
// strategies of its own; each member uses those of its route.
type Aggregate struct {
	// ID is unique among routes and aggregates.
	ID string `json:"id"`
	// Name is what answers and log lines call the aggregate.
	Name string `json:"name,omitzero"`
	// At is where the aggregate is written, "file:line:col".
	At string `json:"at,omitzero"`
	// Match says which requests it takes; its kind is static.
	Match Match `json:"match"`
	// Members are asked in this order.
	Members []Member `json:"members,omitempty"`
	// Aggregator names code of the gateway's application that joins the answers
	// there; empty joins them as one JSON object.
	Aggregator string `json:"aggregator,omitzero"`
}

// Member is one route of an aggregate.
type Member struct {
	// Route is the ID of the route.
	Route string `json:"route"`
	// Key is the name of the answer in the joined object.
	Key string `json:"key"`
	// JSONPath selects values of the first member's answer; the member is called
	// once for each, with the value in the place Parameter.
	JSONPath  string `json:"jsonPath,omitzero"`
	Parameter string `json:"parameter,omitzero"`
}
