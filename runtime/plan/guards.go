package plan

// HeaderTransform changes one header.
type HeaderTransform struct {
	// Name is the name of the header.
	Name string `json:"name"`
	// Kind is set or replace.
	Kind TransformKind `json:"kind"`
	// Find is the text that a replace looks for.
	Find string `json:"find,omitzero"`
	// Value is the new value, or what stands in for Find. It may hold
	// placeholders such as {RemoteIpAddress}.
	Value string `json:"value,omitzero"`
}

// TransformKind tells what a header transform does.
type TransformKind string

// The kinds of header transforms.
const (
	SetHeader     TransformKind = "set"
	ReplaceInside TransformKind = "replace"
)

// ClientIPs admits clients by address. Each pattern is an address, a range
// "a-b", a network "a/24" or an address with a mask.
type ClientIPs struct {
	// Allowed lets only these clients in; none lets in everybody.
	Allowed []string `json:"allowed,omitempty"`
	// Blocked turns these clients away, before Allowed is asked.
	Blocked []string `json:"blocked,omitempty"`
	// AllowedBeatBlocked takes the allowed ones out of the blocked ones.
	AllowedBeatBlocked bool `json:"allowedBeatBlocked,omitzero"`
}

// RateLimit bounds the requests of one client in a fixed window.
type RateLimit struct {
	// Limit is the number of requests in a Period.
	Limit int64 `json:"limit"`
	// Period is the length of the window.
	Period Millis `json:"period"`
	// PeriodText is the period as written, for Message.
	PeriodText string `json:"periodText,omitzero"`
	// Wait is how long a client that went over the limit is turned away; 0 is
	// the rest of the window.
	Wait Millis `json:"wait,omitzero"`
	// ClientHeader identifies the client.
	ClientHeader string `json:"clientHeader,omitzero"`
	// ExemptClients are values of ClientHeader that are not limited.
	ExemptClients []string `json:"exemptClients,omitempty"`
	// StatusCode is that of a refusal.
	StatusCode int `json:"statusCode"`
	// Message is the body of a refusal; {0} is Limit, {1} PeriodText, {2} the
	// seconds to wait.
	Message string `json:"message,omitzero"`
	// Headers adds X-RateLimit-* to the answers.
	Headers bool `json:"headers,omitzero"`
	// KeyPrefix and Share separate the counters of different routes.
	KeyPrefix string `json:"keyPrefix,omitzero"`
	Share     string `json:"share,omitzero"`
}

// Authentication demands a client that one of several schemes recognises.
type Authentication struct {
	// Schemes are tried in order; the first that recognises the client decides.
	Schemes []string `json:"schemes,omitempty"`
	// Scopes are those of which the client needs one; none needs none.
	Scopes []string `json:"scopes,omitempty"`
}

// Claims uses what is known of the client.
type Claims struct {
	// Required are all demanded.
	Required []ClaimRequirement `json:"required,omitempty"`
	// ToClaims, ToHeaders, ToQuery and ToPath copy claims into the request.
	ToClaims  []ClaimCopy `json:"toClaims,omitempty"`
	ToHeaders []ClaimCopy `json:"toHeaders,omitempty"`
	ToQuery   []ClaimCopy `json:"toQuery,omitempty"`
	ToPath    []ClaimCopy `json:"toPath,omitempty"`
}

// ClaimRequirement demands a claim of a type with a value.
type ClaimRequirement struct {
	// Type and Value are compared whole.
	Type  string `json:"type"`
	Value string `json:"value"`
}

// ClaimCopy copies a claim, or one part of it, to a place called Name.
type ClaimCopy struct {
	// Name is the claim, header or parameter to write.
	Name string `json:"name"`
	// Claim is the type of the claim.
	Claim string `json:"claim"`
	// Delimiter splits the value, of which part Index is taken; empty takes the
	// whole value.
	Delimiter string `json:"delimiter,omitzero"`
	Index     int    `json:"index,omitzero"`
}

// Cache keeps answers of a route.
type Cache struct {
	// TTL is how long an answer is kept.
	TTL Millis `json:"ttl"`
	// Region names the part of the cache; answers of one region go together.
	Region string `json:"region,omitzero"`
	// Header is a request header that is part of the key of an answer.
	Header string `json:"header,omitzero"`
	// HashContent makes the request body part of the key.
	HashContent bool `json:"hashContent,omitzero"`
}
