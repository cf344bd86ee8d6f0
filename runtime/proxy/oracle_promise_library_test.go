package proxy_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// libraryDifferences are where the library's transport does otherwise than the
// own one.
var libraryDifferences = []difference{
	{"library: no body where a method has none and it is empty", leaveEmptyBody},
	{"library: fields without a name are passed over, broken lines joined", readLoosely},
}

// leaveEmptyBody: of methods that usually have no body the library looks whether
// there is one before it sends chunks, and says no length of none.
func leaveEmptyBody(p *promise) bool {
	lack := []string{http.MethodGet, http.MethodHead, http.MethodDelete, http.MethodOptions, "PROPFIND", "SEARCH"}
	if strings.Join(p.step.Request.Chunks, "") != "" || len(p.contacts) != 1 ||
		!(p.contacts[0].Framing == "chunked" && slices.Contains(lack, p.contacts[0].Method)) &&
			!(p.contacts[0].Framing == "length:0" && slices.Contains(lack[:4], p.contacts[0].Method)) {
		return false
	}
	p.contacts[0].Framing = "none"
	p.contacts[0].Headers = without(without(p.contacts[0].Headers, "transfer-encoding"), "content-length")
	return true
}

// readLoosely: lines whose name is malformed are no fields, and do no harm;
// folded ones are joined by one space.
func readLoosely(p *promise) bool {
	if p.step.Upstream.Raw == nil || len(p.contacts) != 1 {
		return false
	}
	head, body, _ := strings.Cut(*p.step.Upstream.Raw, "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	var kept []string
	folded := false
	for _, line := range lines[1:] {
		name, _, _ := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, " ") && len(kept) > 0:
			kept[len(kept)-1] += " " + strings.TrimSpace(line)
			folded = true
		case fieldName.MatchString(name):
			kept = append(kept, line)
		}
	}
	if len(kept) == len(lines)-1 {
		return false
	}
	strict := strings.Join(append([]string{lines[0]}, kept...), "\r\n") + "\r\n\r\n" + body
	r, ok := readResponse(strict)
	if !ok || !folded && p.answer.Status != http.StatusBadGateway {
		return false
	}
	p.answer = recordedAnswer{Status: r.status, Reason: http.StatusText(r.status), Body: &r.body, BodyLen: len(r.body),
		Framing: "length:" + strconv.Itoa(len(r.body)), Headers: append(r.headers, [2]string{"Content-Length", strconv.Itoa(len(r.body))})}
	return true
}
