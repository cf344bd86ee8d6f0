package proxy_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// routingRecord is one case of the recording routing: a gateway and requests
// through it.
type routingRecord struct {
	ID         string
	Group      int
	Config     string
	ConfigNote string `json:"config_note"`
	Gateway    gatewayExtras
	StartError json.RawMessage `json:"gateway_start_error"`
	Unstable   json.RawMessage
	Mode       string
	Warmup     *routingStep
	Steps      []routingStep
	Websocket  *websocketScript
	partial    bool // routes were left out of the plan
	routingStep
}

// gatewayExtras are what the gateway's application registers in code.
type gatewayExtras struct {
	Schemes  []string            `json:"auth_schemes"`
	QoS      string              `json:"qos"`
	MaxBody  int64               `json:"max_request_body_size"`
	Services map[string][]string `json:"discovery_services"`
	Provider string              `json:"discovery_provider_class"`
}

type routingStep struct {
	Reload   *string          `json:"reload_config_before"`
	Request  *recordedRequest `json:"request"`
	Upstream script           `json:"upstream"`
	Expect   recordedAnswer   `json:"expect"`
	Unstable json.RawMessage  `json:"unstable"`
}

// recordedRequest is what the client sends.
type recordedRequest struct {
	Raw           *string     `json:"raw"`
	Method        string      `json:"method"`
	Target        string      `json:"target"`
	Version       string      `json:"version"`
	Headers       [][2]string `json:"headers"`
	Body          *string     `json:"body"`
	PatternLen    int         `json:"body_pattern_len"`
	Chunks        []string    `json:"chunks"`
	Trailers      [][2]string `json:"trailers"`
	AbortAfter    *int        `json:"client_aborts_after_ms"`
	TwoPartsDelay int         `json:"body_in_two_parts_delay_ms"`
	CutAt         *int        `json:"body_cut_at"`
	HalfClose     bool        `json:"half_close"`
	WaitFor100    bool        `json:"wait_for_100"`
	WaitBefore    int         `json:"wait_before_ms"`
	StartAt       int         `json:"start_at_ms"`
	Note          string      `json:"note"`
}

// script is what an upstream does.
type script struct {
	Status     int               `json:"status"`
	Reason     string            `json:"reason"`
	Headers    [][2]string       `json:"headers"`
	Body       *string           `json:"body"`
	BodyBase64 string            `json:"body_b64"`
	BodyLen    int               `json:"body_len"`
	Framing    string            `json:"framing"`
	Chunks     int               `json:"chunks"`
	ChunkDelay int               `json:"chunk_delay_ms"`
	Delay      int               `json:"delay_ms"`
	Trailers   [][2]string       `json:"trailers"`
	Action     string            `json:"action"`
	Cut        string            `json:"cut"`
	Raw        *string           `json:"raw"`
	Early      string            `json:"early"`
	ThenClose  bool              `json:"then_close"`
	ThenReset  bool              `json:"then_reset"`
	Continue   *bool             `json:"continue"`
	Times      int               `json:"times"`
	Then       *script           `json:"then"`
	ByPath     map[string]script `json:"by_path"`
	ByUpstream map[string]script `json:"by_upstream"`
}

// recordedAnswer is what was observed.
type recordedAnswer struct {
	Status        int         `json:"status"`
	Reason        string      `json:"reason"`
	Headers       [][2]string `json:"headers"`
	Framing       string      `json:"framing"`
	BodyLen       int         `json:"body_len"`
	Body          *string     `json:"body"`
	BodySHA       string      `json:"body_sha256"`
	End           string      `json:"end"`
	Interim       []int       `json:"interim"`
	MatchedRoute  any         `json:"matched_route"`
	Placeholders  [][2]string `json:"placeholders"`
	ErrorCodes    []string    `json:"error_codes"`
	Unhandled     string      `json:"unhandled_exception"`
	Reached       *bool       `json:"reached_gateway_pipeline"`
	BalancerKey   string      `json:"load_balancer_key"`
	GatewayStatus int         `json:"gateway_status_set"`
	MatcherInput  *struct {
		Path, Query string
	} `json:"matcher_input"`
	Trailers [][2]string `json:"-"` // Ocelot sends none

	Downstream    *contact  `json:"downstream"`
	DownstreamAll []contact `json:"downstream_all"`

	// of WebSockets
	UpgradeStatus   int             `json:"upgrade_status"`
	Subprotocol     *string         `json:"subprotocol"`
	ResponseHeaders [][2]string     `json:"response_headers"`
	Received        json.RawMessage `json:"received"`
	Sockets         json.RawMessage `json:"upstream_websockets"`
}

// contact is a request that reached an upstream.
type contact struct {
	Upstream string      `json:"upstream"`
	Method   string      `json:"method"`
	Target   string      `json:"target"`
	Version  string      `json:"version"`
	Host     string      `json:"host_header"`
	Headers  [][2]string `json:"headers"`
	Framing  string      `json:"framing"`
	BodyLen  int         `json:"body_len"`
	Body     *string     `json:"body"`
	BodySHA  string      `json:"body_sha256"`
	Trailers [][2]string `json:"trailers"`
	Sent100  bool        `json:"upstream_sent_100"`
}

type websocketScript struct {
	Target string            `json:"target"`
	Host   string            `json:"host_header"`
	Script []json.RawMessage `json:"script"`

	Headers   [][2]string `json:"headers"`
	Protocols []string    `json:"subprotocols"`
}

// isEarly reports whether an upstream answers before it has read the request.
func (s *script) isEarly() bool { return s.Early != "" && !strings.HasPrefix(s.Early, "HTTP/1.1 1") }

// body returns the body of a scripted answer to a request.
func (s *script) body(name string, c *contact) []byte {
	switch {
	case s.Body != nil:
		return []byte(*s.Body)
	case s.BodyBase64 != "":
		b, _ := base64.StdEncoding.DecodeString(s.BodyBase64)
		return b
	case s.BodyLen > 0:
		return pattern(s.BodyLen)
	}
	return []byte(name + " " + c.Method + " " + c.Target)
}

// pattern is the body of recordings that state only a length.
func pattern(n int) []byte {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return []byte(strings.Repeat(letters, n/len(letters)+1)[:n])
}
