package proxy_test

import "encoding/json"

// traceRecord is one scenario of the recording traces: a gateway with QoS, and
// requests at certain times.
type traceRecord struct {
	ID        string
	Provider  string
	Register  []string
	Claims    []string
	Config    json.RawMessage
	Upstreams map[string]string
	Discovery map[string][]string
	Handlers  string
	MaxBody   int64 `json:"max_body"`
	Varies    any
	Crashed   bool `json:"process_crashed"`
	Steps     []traceStep
}

type traceStep struct {
	ID          string
	At          int `json:"t_ms"`
	Path        string
	Method      string
	HTTP        string
	Headers     map[string]string
	Body        string
	BodyBytes   int `json:"body_bytes"`
	Client      string
	Background  bool
	Parallel    int
	Sequential  bool
	Order       bool
	WebSocket   bool              `json:"ws"`
	Wait        bool              `json:"wait"`
	SetUpstream map[string]string `json:"set_upstream"`
	WriteConfig json.RawMessage   `json:"write_config"`
	Upstream    json.RawMessage
	Observed    traceObserved
}

// traceScript is what an upstream does with a request.
type traceScript struct {
	Status    int               `json:"status"`
	Reason    string            `json:"reason"`
	Headers   map[string]string `json:"headers"`
	Body      *string           `json:"body"`
	Delay     int               `json:"delay_ms"`
	BodyDelay int               `json:"body_delay_ms"`
	Chunked   bool              `json:"chunked"`
	Close     string            `json:"close"`
	Reset     string            `json:"reset"`
	Hang      bool              `json:"hang"`
	Garbage   bool              `json:"garbage"`
	Accept    bool              `json:"ws_accept"`
	WSDelay   int               `json:"ws_delay_ms"`
	Sequence  []traceScript     `json:"sequence"`
}

type traceObserved struct {
	Outcome  string
	Status   int
	Reason   string
	Headers  [][2]string
	Framing  string
	Body     *string
	Complete *bool          `json:"body_complete"`
	Contacts map[string]int `json:"upstream_contacts"`
	Answers  map[string]int
	InOrder  []string `json:"in_order"`
	WS       string   `json:"ws"`
	Message  string   `json:"ws_message"`

	// RetryAfter is when an open circuit closes, in seconds.
	RetryAfter int `json:"-"`
}
