package proxy_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// answerDifferences change what becomes of a backend's answer.
var answerDifferences = []difference{
	{"hidden-resend", resendOnce},
	{"malformed-response", readStrictly},
	{"truncated-body", passBreak},
	{"reset-content", dropReset},
	{"trailers", passTrailers},
	{"interim", passInterim},
	{"upgrade-status", answerOrdinarily},
}

// isReused reports whether the recording was made with a connection that had
// served a request before.
func (q *recordedRequest) isReused() bool { return strings.Contains(q.Note, "on a reused") }

// attempt returns what the script does with the n-th request, from 1.
func (s *script) attempt(n int) *script {
	if s.Then != nil && n > s.Times {
		return s.Then
	}
	return s
}

// resendOnce: once more, where the method is idempotent and the connection had
// served before.
func resendOnce(p *promise) bool {
	q := p.step.Request
	if len(p.contacts) == 0 || !slices.Contains([]string{"close", "reset", "reset_before_body"}, p.step.Upstream.Action) {
		return false
	}
	sent := 1
	if q.isReused() && slices.Contains([]string{"GET", "HEAD", "OPTIONS", "TRACE"}, q.method()) {
		sent = 2
	}
	last := p.step.Upstream.attempt(sent)
	if sent == len(p.contacts) {
		return false
	}
	one := p.contacts[0]
	p.contacts = slices.Repeat([]contact{one}, sent)
	if last.Action == "" {
		p.scripted(last, &one)
		return true
	}
	p.answer = recordedAnswer{Status: 502, Headers: [][2]string{{"Content-Length", "0"}}, Framing: "length:0", Body: new("")}
	return true
}

// readStrictly: a response that breaks RFC 9112 so that its end or a field is
// not certain is a 502; what is certain is passed on.
func readStrictly(p *promise) bool {
	if p.step.Upstream.Raw == nil || len(p.contacts) == 0 || p.step.Expect.Status == 502 {
		return false
	}
	r, ok := readResponse(*p.step.Upstream.Raw)
	if !ok {
		contacts := p.contacts
		p.refuse(http.StatusBadGateway)
		p.contacts, p.whole = contacts, false
		return true
	}
	switch {
	case r.status == http.StatusNoContent && header(p.answer.Headers, "content-length") != "":
		// RFC 9110, section 8.6: such a response says no length.
		p.answer.Status, p.answer.End, p.answer.Framing = r.status, "", "none"
		p.answer.Headers, r.body = r.headers, ""
	case r.settled && p.step.Expect.Status == 500:
		p.answer.Status, p.answer.Framing = r.status, "length:"+strconv.Itoa(len(r.body))
		p.answer.Headers = append(r.headers, [2]string{"Content-Length", strconv.Itoa(len(r.body))})
	case r.chunked && strings.HasPrefix(p.answer.Framing, "length:"):
		p.answer.Framing, p.answer.End = "chunked", ""
		p.answer.Headers = append(without(p.answer.Headers, "content-length"), [2]string{"Transfer-Encoding", "chunked"})
	default:
		return false
	}
	p.answer.Body, p.answer.BodyLen = &r.body, len(r.body)
	return true
}

// strictResponse is a response as RFC 9112 has it.
type strictResponse struct {
	status           int
	headers          [][2]string // without framing
	body             string
	chunked, settled bool // by chunks, by one length
}

// readResponse reads a response with a reader of its own: no field may be
// malformed, and one length counts, or the chunks.
func readResponse(raw string) (r strictResponse, ok bool) {
	head, body, _ := strings.Cut(raw, "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	version, rest, _ := strings.Cut(lines[0], " ")
	digits, _, _ := strings.Cut(rest, " ")
	status, err := strconv.Atoi(digits)
	if err != nil || len(digits) != 3 || status < 100 || status == 101 || // nobody asked for one
		!strings.HasPrefix(version, "HTTP/1.") {
		return r, false
	}
	r.status, r.body = status, body
	length := -1
	for _, line := range lines[1:] {
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			continue // a folded line belongs to the one before
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !fieldName.MatchString(name) || !fieldValue.MatchString(value) {
			return r, false
		}
		switch strings.ToLower(name) {
		case "transfer-encoding":
			if r.chunked || !strings.EqualFold(value, "chunked") || version == "HTTP/1.0" {
				return r, false // HTTP/1.0 has no codings
			}
			r.chunked = true
		case "content-length":
			n, err := strconv.ParseUint(value, 10, 31)
			if err != nil || length >= 0 && length != int(n) {
				return r, false
			}
			length = int(n)
		default:
			r.headers = append(r.headers, [2]string{name, value})
		}
	}
	if r.chunked {
		r.body = joinChunks(body)
	} else if length >= 0 && length <= len(body) {
		r.body, r.settled = body[:length], true
	}
	return r, true
}

// joinChunks returns what the whole chunks of a text hold.
func joinChunks(text string) (out string) {
	for {
		digits, rest, _ := strings.Cut(text, "\r\n")
		n, err := strconv.ParseUint(digits, 16, 31)
		if err != nil || n == 0 || len(rest) < int(n)+2 {
			return out
		}
		out, text = out+rest[:n], rest[n+2:]
	}
}

// passBreak: a body that broke off breaks off for the client too.
func passBreak(p *promise) bool {
	s := &p.step.Upstream
	q := p.step.Request
	cut := s.Cut != "" && (s.Framing != "close" || s.Cut == "reset")
	if s.Raw != nil {
		head, _, _ := strings.Cut(strings.ToLower(*s.Raw), "\r\n\r\n")
		cut = strings.Contains(head, "transfer-encoding: chunked") && !soundChunks(*s.Raw)
	}
	if s.Raw != nil && (s.ThenClose || s.ThenReset) {
		head, _, _ := strings.Cut(strings.ToLower(*s.Raw), "\r\n\r\n")
		chunked := strings.Contains(head, "transfer-encoding: chunked")
		cut = cut || !chunked && !strings.Contains(head, "content-length:") && s.ThenReset
	}
	if !cut || p.answer.End != "" || q.method() == http.MethodHead || len(p.contacts) == 0 || p.answer.Status == 0 || p.answer.Status >= 500 {
		return false
	}
	p.answer.End = "closed_in_body"
	return true
}

// dropReset: a 205 has no body.
func dropReset(p *promise) bool {
	if len(p.contacts) != 1 {
		return false
	}
	if raw := p.step.Upstream.Raw; raw != nil {
		r, ok := readResponse(*raw)
		if !ok || r.status != http.StatusResetContent || p.answer.Status == r.status && p.answer.Framing == "length:0" {
			return false
		}
		p.answer.Status, p.answer.End, p.answer.Framing = r.status, "", "length:0"
		p.answer.Headers = append(r.headers, [2]string{"Content-Length", "0"})
		p.answer.Body, p.answer.BodyLen = new(""), 0
		return true
	}
	if p.step.Upstream.Status != http.StatusResetContent {
		return false
	}
	p.scripted(&p.step.Upstream, &p.contacts[0])
	p.setBody("")
	return true
}

// passTrailers: trailers of the client reach the backend, the backend's the
// client.
func passTrailers(p *promise) bool {
	changed := false
	if sent := p.step.Request.Trailers; len(sent) > 0 && len(p.contacts) == 1 && len(p.contacts[0].Trailers) == 0 {
		p.contacts[0].Trailers, changed = sent, true
	}
	if sent := p.step.Upstream.trailers(); len(sent) > 0 && p.answer.Framing == "chunked" {
		p.answer.Trailers, changed = sent, true
	}
	return changed
}

// trailers returns those that a script sends, be it byte by byte.
func (s *script) trailers() [][2]string {
	if s.Raw == nil || !soundChunks(*s.Raw) {
		return s.Trailers
	}
	_, last, _ := strings.Cut(*s.Raw, "\r\n0\r\n")
	var sent [][2]string
	for line := range strings.SplitSeq(last, "\r\n") {
		if name, value, ok := strings.Cut(line, ":"); ok {
			sent = append(sent, [2]string{name, strings.TrimSpace(value)})
		}
	}
	return sent
}

// passInterim: a 1xx of the backend reaches the client, which is told to go on
// where it asks.
func passInterim(p *promise) bool {
	want := p.answer.Interim
	early := p.step.Upstream.Early
	if p.step.Upstream.Raw != nil {
		early = *p.step.Upstream.Raw
	}
	if status, ok := strings.CutPrefix(early, "HTTP/1.1 1"); ok && len(status) > 2 && status[:2] != "01" && len(p.contacts) == 1 && !p.step.Request.isOld() {
		if n, _ := strconv.Atoi("1" + status[:2]); n != 100 {
			want = []int{n} // nobody waits for a 100
		}
	}
	if strings.EqualFold(header(p.step.Request.fields(), "expect"), "100-continue") && len(p.contacts) == 1 && p.step.Upstream.Early == "" && !p.step.Request.isOld() {
		want = []int{100}
	}
	if slices.Equal(want, p.answer.Interim) {
		return false
	}
	p.answer.Interim = want
	return true
}

// answerOrdinarily: what asks for an upgrade that cannot be is an ordinary
// request.
func answerOrdinarily(p *promise) bool {
	q := p.step.Request
	if !strings.EqualFold(header(q.fields(), "upgrade"), "websocket") {
		return false
	}
	switch {
	case p.step.Expect.MatchedRoute == nil && p.step.Expect.Status == http.StatusOK:
		return p.refuse(http.StatusNotFound)
	case q.isOld() && p.step.Expect.Unhandled != "":
		// HTTP/1.0 knows no upgrades
		if !p.passOn() {
			return false
		}
		p.setHeader("connection", "close")
		return true
	}
	return false
}
