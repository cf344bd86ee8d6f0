// Package plan is what the compiler hands to the runtime: pure data about every
// route of a gateway, as finally resolved.
//
// A [Plan] holds everything the runtime needs and nothing it must decide:
// defaults are filled in, sections are merged, names are in force. It is
// written by [Plan.Encode] as JSON with a version of its own, in the same bytes
// for the same plan, and read back by [Decode], which refuses whatever it does
// not understand. [Schema] describes the JSON for editors and other programs.
//
// Two conventions hold everywhere. Times are whole milliseconds ([Millis]).
// A member that is not set is not written: unless its comment says otherwise,
// the zero value and an absent member mean the same. The package reads nothing,
// runs nothing and keeps no state.
package plan

// Version is the version of the plans that this package writes. A reader
// accepts every plan of the same major number.
const Version = "1.0"

// Plan is one gateway, ready to run.
type Plan struct {
	// Version is the version of the form, "MAJOR.MINOR".
	Version string `json:"version"`
	// Profile says whose answer the values are.
	Profile Profile `json:"profile"`
	// Digest identifies the sources that the plan was compiled from, as
	// "sha256:" and hexadecimal digits; empty when there were none.
	Digest string `json:"digest,omitzero"`
	// BaseURL is what the placeholder {BaseUrl} stands for in header transforms.
	BaseURL string `json:"baseUrl,omitzero"`
	// RequestIDHeader is the header that the id of a request is taken from where
	// a route has none of its own; empty is none.
	RequestIDHeader string `json:"requestIdHeader,omitzero"`
	// Discovery is the provider that finds the hosts of services; nil is none.
	Discovery *Discovery `json:"discovery,omitzero"`
	// Services are the hosts of services that need no discovery.
	Services []Service `json:"services,omitempty"`
	// Routes are in the order of the configuration. A matcher takes the highest
	// Match.Priority first and keeps this order among equals; the unlisted
	// route, if any, is the last.
	Routes []Route `json:"routes"`
	// Aggregates answer one request with the answers of several routes. They
	// come after Routes of the same priority.
	Aggregates []Aggregate `json:"aggregates,omitempty"`
}

// Profile says whose answer a plan is: a release of Ocelot as it runs, or
// Ocelot's published documentation.
type Profile struct {
	// Ocelot is the release whose program was imitated, such as "25.0"; empty
	// is the documentation.
	Ocelot string `json:"ocelot,omitzero"`
	// Provider is the QoS provider: "builtin", "polly" or "none".
	Provider Provider `json:"provider"`
}

// Provider names the implementation of QoS that a gateway registers.
type Provider string

// The providers.
const (
	Builtin    Provider = "builtin" // Ocelot's own breaker and timeout
	Polly      Provider = "polly"   // Ocelot.Provider.Polly
	NoProvider Provider = "none"    // QoS options are without effect
)

// Discovery is the service discovery provider of the gateway.
type Discovery struct {
	// Type names the provider: "Consul", "Eureka", "ServiceFabric", …
	Type string `json:"type"`
	// Scheme, Host and Port are where the provider answers.
	Scheme string `json:"scheme,omitzero"`
	Host   string `json:"host,omitzero"`
	Port   int    `json:"port,omitzero"`
	// Namespace is that of services which state none.
	Namespace string `json:"namespace,omitzero"`
	// PollingInterval is the time between two questions; 0 asks every time.
	PollingInterval Millis `json:"pollingInterval,omitzero"`
}

// Service lists the hosts of one service.
type Service struct {
	// Name and Namespace are what routes call the service.
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitzero"`
	// Scheme is the scheme of the hosts; empty leaves it to the route.
	Scheme string `json:"scheme,omitzero"`
	// Lookup says what the names of Hosts are: hosts, or names to ask name
	// servers for. Such a name may hold {service} and {namespace}.
	Lookup Lookup `json:"lookup,omitzero"`
	// Hosts are at least one.
	Hosts []Host `json:"hosts,omitempty"`
}

// AnyService is the name of the Service that stands for all which are not
// listed.
const AnyService = "*"

// Lookup is what name servers are asked for.
type Lookup string

// The lookups. The empty one asks for nothing.
const (
	LookupAddresses Lookup = "addresses" // every address of the name is a host
	LookupSRV       Lookup = "srv"       // hosts and ports are in SRV records
)

// Host is one address of a backend.
type Host struct {
	// Name is a host name or an address.
	Name string `json:"host"`
	// Port is 1 to 65535; 0 is the default port of the scheme.
	Port int `json:"port,omitzero"`
}
