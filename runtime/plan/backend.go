package plan

// Backend says where the requests of a route go, and how they are sent.
type Backend struct {
	// Scheme is "http", "https", "ws" or "wss"; empty keeps the client's.
	Scheme string `json:"scheme,omitzero"`
	// Hosts are the addresses; none where a service has them.
	Hosts []Host `json:"hosts,omitempty"`
	// Service, with its Namespace, is set where discovery finds the hosts.
	Service   string `json:"service,omitzero"`
	Namespace string `json:"namespace,omitzero"`
	// Path is the template of the path that is asked for; empty is the rest of
	// the client's path behind the service name.
	Path string `json:"path,omitzero"`
	// Method replaces the client's method; empty keeps it.
	Method string `json:"method,omitzero"`
	// HTTPVersion is the version to ask for: "1.0", "1.1", "2.0" or "3.0";
	// empty is 1.1.
	HTTPVersion string `json:"httpVersion,omitzero"`
	// VersionPolicy tells what may stand in for HTTPVersion; empty is or-lower.
	VersionPolicy VersionPolicy `json:"versionPolicy,omitzero"`
	// AnyCertificate accepts every TLS certificate of the backend.
	AnyCertificate bool `json:"anyCertificate,omitzero"`
	// Handler is how connections are made and kept.
	Handler Handler `json:"handler,omitzero"`
}

// VersionPolicy tells what may stand in for the HTTP version that was asked for.
type VersionPolicy string

// The version policies. The empty one is OrLower.
const (
	Exact    VersionPolicy = "exact"
	OrHigher VersionPolicy = "or-higher"
	OrLower  VersionPolicy = "or-lower"
)

// Handler is how connections to a backend are made and kept.
type Handler struct {
	// FollowRedirects follows the backend's redirects in place of the client.
	FollowRedirects bool `json:"followRedirects,omitzero"`
	// MaxConnections bounds the connections to one host; 0 is no bound.
	MaxConnections int `json:"maxConnections,omitzero"`
	// ConnectionLifetime is the longest life of a connection; nil is no bound,
	// 0 uses every connection once.
	ConnectionLifetime *Millis `json:"connectionLifetime,omitzero"`
	// Cookies keeps the backend's cookies for all clients together.
	Cookies bool `json:"cookies,omitzero"`
	// Proxy sends through the proxy that the environment names.
	Proxy bool `json:"proxy,omitzero"`
	// Tracing sends trace headers along.
	Tracing bool `json:"tracing,omitzero"`
}

// LoadBalancer says how one of several hosts is chosen.
type LoadBalancer struct {
	// Type is "NoLoadBalancer", "RoundRobin", "LeastConnection",
	// "CookieStickySessions" or the name of one that the gateway's application
	// registers; empty is NoLoadBalancer.
	Type string `json:"type,omitzero"`
	// Key is the name of the cookie of sticky sessions.
	Key string `json:"key,omitzero"`
	// Expiry ends a sticky session.
	Expiry Millis `json:"expiry,omitzero"`
	// Share is equal on routes that use one balancer, with its counters and
	// sessions, together; empty is a balancer of the route's own.
	Share string `json:"share,omitzero"`
}

// Chooses reports whether l is a balancer of Ocelot's that takes another host
// from request to request.
func (l *LoadBalancer) Chooses() bool {
	switch l.Type {
	case "RoundRobin", "LeastConnection", "CookieStickySessions":
		return true
	}
	return false
}
