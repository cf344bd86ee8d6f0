package proxy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestOracleWebSockets replays every recorded conversation over a WebSocket:
// the handshake both ways, the messages and how it ends. It does so in memory
// and on a clock of its own: who closes waits for the other side, and no longer
// than some seconds.
func TestOracleWebSockets(t *testing.T) {
	tally := oracletest.NewTally("routing/WebSockets")
	recorded := oracletest.Bytes(t, routingFile)
	oracletest.Each(t, routingFile, func(rec routingRecord) {
		if rec.Websocket == nil || len(rec.routingStep.Unstable) > 0 {
			return
		}
		var v *verdicts
		synctest.Test(t, func(t *testing.T) {
			s := newStageOn(t, newNetwork(), recorded)
			v = replayWebSocket(t, s, &rec)
			time.Sleep(time.Minute) // what was left behind ends
			s.close()
		})
		v.count(tally)
	})
	tally.Report(t)
}

// websocketEvent is a message or the end, as recorded.
type websocketEvent struct {
	Type   string `json:"type"`
	Len    int    `json:"len"`
	Text   string `json:"text"`
	Close  int    `json:"close"`
	Reason string `json:"reason"`
}

func (e websocketEvent) String() string {
	if e.Close != 0 {
		return fmt.Sprintf("close %d %q", e.Close, e.Reason)
	}
	return fmt.Sprintf("%s of %d bytes %q", e.Type, e.Len, e.Text)
}

// websocketStep is one step of the client.
type websocketStep struct {
	Text      *string `json:"send_text"`
	TextLen   int     `json:"send_text_pattern_len"`
	BinaryLen int     `json:"send_binary_pattern_len"`
	Receive   bool    `json:"receive_one_message"`
	Rest      bool    `json:"receive_until_close"`
	Abort     bool    `json:"abort"`
	Close     int     `json:"send_close"`
	CloseHalf int     `json:"send_close_output_only"`
	Reason    string  `json:"reason"`
}

// socketUpstream answers handshakes and talks as the path says.
type socketUpstream struct {
	port     string
	mu       sync.Mutex
	sockets  []*http.Request    // guarded by mu
	received [][]websocketEvent // guarded by mu
}

func newSocketUpstream(t *testing.T, s *stage) *socketUpstream {
	t.Helper()
	l := s.listen(t)
	u := &socketUpstream{port: port(l)}
	server := &http.Server{Handler: http.HandlerFunc(u.serve)}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return u
}

func (u *socketUpstream) serve(w http.ResponseWriter, r *http.Request) {
	u.mu.Lock()
	at := len(u.sockets)
	u.sockets, u.received = append(u.sockets, r), append(u.received, nil)
	u.mu.Unlock()
	action := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	o := &websocket.AcceptOptions{InsecureSkipVerify: true}
	if offered := r.Header.Get("Sec-Websocket-Protocol"); offered != "" && action != "nosub" {
		first, _, _ := strings.Cut(offered, ",")
		o.Subprotocols = []string{first}
		if action == "sub2" {
			o.Subprotocols = []string{"p2"}
		}
	}
	c, err := websocket.Accept(w, r, o)
	if err != nil {
		return
	}
	c.SetReadLimit(1 << 20)
	ctx := context.Background()
	switch action {
	case "close":
		c.Close(4002, "bye")
		return
	case "abort":
		c.CloseNow()
		return
	case "hello":
		_ = c.Write(ctx, websocket.MessageText, []byte("hello"))
	}
	for {
		kind, message, err := c.Read(ctx)
		u.mu.Lock()
		u.received[at] = append(u.received[at], eventOf(kind, message, err))
		u.mu.Unlock()
		if err != nil || action == "hello" || c.Write(ctx, kind, message) != nil {
			return
		}
	}
}

func eventOf(kind websocket.MessageType, message []byte, err error) websocketEvent {
	if end, ok := errors.AsType[websocket.CloseError](err); ok {
		code := int(end.Code)
		return websocketEvent{Close: code, Reason: end.Reason}
	}
	if err != nil {
		return websocketEvent{Close: -1}
	}
	e := websocketEvent{Type: "Text", Len: len(message)}
	if kind == websocket.MessageBinary {
		e.Type = "Binary"
	}
	return e
}

// conversation is what was seen of one recorded case.
type conversation struct {
	status   int
	protocol string
	received []websocketEvent
	upstream *socketUpstream
}

func replayWebSocket(t *testing.T, s *stage, rec *routingRecord) *verdicts {
	v := &verdicts{record: rec}
	up := newSocketUpstream(t, s)
	addresses := maps.Clone(s.addresses)
	addresses["UPW"] = up.port
	g, err := startRecorded(&stage{addresses: addresses, network: s.network}, rec, guarded(rec, proxy.Options{}))
	if err != nil {
		if errors.Is(err, errNoPlan) && slices.ContainsFunc(configured(rec.Config).Routes, configuredRoute.unusable) {
			v.excuse = append(v.excuse, "unusable-value")
		} else {
			v.differ = append(v.differ, err.Error())
		}
		return v
	}
	defer g.close()
	got := converse(t, s, g, rec.Websocket)
	got.upstream = up
	v.judgeConversation(got, &rec.Expect)
	return v
}

// converse plays the client.
func converse(t *testing.T, s *stage, g *stagedGateway, script *websocketScript) *conversation {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	header := http.Header{"User-Agent": {""}}
	for _, h := range script.Headers {
		header[h[0]] = append(header[h[0]], h[1])
	}
	if len(header["User-Agent"]) > 1 {
		header["User-Agent"] = header["User-Agent"][1:] // none but the script's
	}
	plain := &http.Transport{DisableCompression: true, DisableKeepAlives: true, DialContext: s.network.dial}
	c, resp, err := websocket.Dial(ctx, "ws://"+g.address+script.Target, &websocket.DialOptions{HTTPHeader: header, Subprotocols: script.Protocols,
		HTTPClient: &http.Client{Transport: plain}})
	if err != nil {
		if resp == nil {
			t.Fatal(err)
		}
		return &conversation{status: resp.StatusCode}
	}
	defer c.CloseNow()
	c.SetReadLimit(1 << 20)
	out := &conversation{status: resp.StatusCode, protocol: resp.Header.Get("Sec-Websocket-Protocol")}
	for _, raw := range script.Script {
		var step websocketStep
		if err := json.Unmarshal(raw, &step); err != nil {
			t.Fatal(err)
		}
		if err := out.take(ctx, c, &step); err != nil {
			break
		}
	}
	return out
}

// take makes one step.
func (o *conversation) take(ctx context.Context, c *websocket.Conn, step *websocketStep) error {
	switch {
	case step.Abort:
		_ = c.CloseNow()
		return io.EOF
	case step.Text != nil:
		return c.Write(ctx, websocket.MessageText, []byte(*step.Text))
	case step.TextLen > 0:
		return c.Write(ctx, websocket.MessageText, pattern(step.TextLen))
	case step.BinaryLen > 0:
		return c.Write(ctx, websocket.MessageBinary, pattern(step.BinaryLen))
	case step.Close > 0, step.CloseHalf > 0:
		code := max(step.Close, step.CloseHalf)
		if err := c.Close(websocket.StatusCode(code), step.Reason); err != nil {
			return err
		}
		o.received = append(o.received, websocketEvent{Close: code, Reason: step.Reason}) // Close waits for the same from there
		return io.EOF
	}
	for {
		kind, message, err := c.Read(ctx)
		e := eventOf(kind, message, err)
		o.received = append(o.received, e)
		if err != nil || !step.Rest {
			return err
		}
	}
}

// judgeConversation compares it with the promised one.
func (v *verdicts) judgeConversation(got *conversation, want *recordedAnswer) {
	status, name := v.record.owedHandshake()
	if got.status != status {
		v.differ = append(v.differ, fmt.Sprintf("status: got %d, want %d, promised by %q", got.status, status, name))
		return
	}
	if status != want.UpgradeStatus {
		if n := len(got.upstream.sockets); n > 0 {
			v.differ = append(v.differ, fmt.Sprintf("%d sockets reached the upstream", n))
		}
		v.excuse = append(v.excuse, name)
		return
	}
	protocol := ""
	if want.Subprotocol != nil {
		protocol = *want.Subprotocol
	}
	var events []websocketEvent
	_ = json.Unmarshal(want.Received, &events)
	for i := range events {
		events[i].Text = "" // the length and what the upstream got say enough
	}
	excused := ""
	if n := len(events); n > 0 && strings.HasSuffix(v.record.Websocket.Target, "/abort") && events[n-1].Close == 1001 {
		events[n-1], excused = websocketEvent{Close: -1}, "truncated-body" // the upstream closed nothing
	}
	if got.protocol != protocol || !slices.Equal(got.received, events) {
		v.differ = append(v.differ, fmt.Sprintf("got %q %v, want %q %v", got.protocol, got.received, protocol, events))
		return
	}
	if text, excuse := got.upstream.differs(want, v.record); text != "" {
		v.differ = append(v.differ, text)
		return
	} else if excuse != "" {
		excused = excuse
	}
	if excused != "" {
		v.excuse = append(v.excuse, excused)
		return
	}
	v.agreed++
}

// owedHandshake returns the status that margay owes to a handshake, which is
// that of an ordinary request, and the difference that has it so.
func (r *routingRecord) owedHandshake() (status int, name string) {
	want := &r.Expect
	known := []string{"", "NoLoadBalancer", "LeastConnection", "RoundRobin", "CookieStickySessions"}
	of := (&promise{record: r, step: &routingStep{Expect: *want}}).matchedRoute()
	switch {
	case slices.Contains(want.ErrorCodes, "ServicesAreEmptyError"), of == nil && slices.Contains(want.ErrorCodes, "UnableToFindDownstreamRouteError"):
		return http.StatusNotFound, "upgrade-status"
	case of == nil:
		return want.UpgradeStatus, ""
	case of.unusable():
		return http.StatusNotFound, "unusable-value"
	case !slices.Contains(known, of.LoadBalancerOptions.Type):
		return http.StatusServiceUnavailable, "unenforced"
	case !of.SecurityOptions.admits(netip.MustParseAddr(client)):
		return http.StatusForbidden, "upgrade-unprotected"
	case of.AuthenticationOptions.known() && !of.recognises(header(r.Websocket.Headers, "authorization")):
		return http.StatusUnauthorized, "upgrade-unprotected"
	case want.UpgradeStatus == http.StatusInternalServerError:
		return http.StatusBadGateway, "upgrade-status"
	}
	return want.UpgradeStatus, ""
}

// recognises reports whether one of a route's schemes knows a client; see
// guardtest.Words.
func (r *configuredRoute) recognises(authorization string) bool {
	scheme, who, ok := strings.Cut(authorization, " ")
	return ok && who != "" && slices.Contains(r.AuthenticationOptions.AuthenticationProviderKeys, scheme)
}

// differs compares what reached the upstream.
func (u *socketUpstream) differs(want *recordedAnswer, rec *routingRecord) (text, excuse string) {
	var sockets []struct {
		Target  string           `json:"target"`
		Headers [][2]string      `json:"headers"`
		Events  []websocketEvent `json:"events"`
	}
	_ = json.Unmarshal(want.Sockets, &sockets)
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.sockets) != len(sockets) {
		return fmt.Sprintf("%d sockets, want %d", len(u.sockets), len(sockets)), ""
	}
	for i, w := range sockets {
		got := u.sockets[i]
		if got.RequestURI != w.Target {
			return fmt.Sprintf("target: got %s, want %s", got.RequestURI, w.Target), ""
		}
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(got.Header)), func(n string) bool { return n == "Sec-Websocket-Key" })
		wanted := map[string]string{}
		for _, h := range w.Headers {
			wanted[http.CanonicalHeaderKey(h[0])] = h[1]
		}
		for _, n := range names {
			switch value := strings.Join(got.Header[n], ","); {
			case strings.EqualFold(value, strings.ReplaceAll(wanted[n], ", ", ",")) && wanted[n] != "":
				delete(wanted, n)
			case wanted[n] == "" && value != "" && value == rec.transform(n):
				excuse = "upgrade-unprotected" // header transforms too
			default:
				return fmt.Sprintf("sent header %s: got %q, want %q", n, value, wanted[n]), ""
			}
		}
		if len(wanted) > 0 {
			return fmt.Sprintf("sent headers: %v are missing", wanted), ""
		}
	}
	return "", excuse
}

// transform returns the value that the matched route gives a header; "" for
// none.
func (r *routingRecord) transform(name string) string {
	of := (&promise{record: r, step: &routingStep{Expect: r.Expect}}).matchedRoute()
	if of == nil {
		return ""
	}
	for n, value := range of.UpstreamHeaderTransform {
		if strings.EqualFold(n, name) {
			return value
		}
	}
	return ""
}
