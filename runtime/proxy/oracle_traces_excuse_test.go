package proxy_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// traceOptions are those of a gateway with guards.
func traceOptions(*plan.Plan) proxy.Options {
	g := guard.New(guard.Options{})
	return proxy.Options{Guards: g.Guards, Aggregates: g.Aggregates}
}

// unexplained lists the steps whose recording no rule of Ocelot explains. Whole
// means that the rules foretell every step of the recording. Where they don't,
// because Ocelot's state is not known that well, a step that is not as margay
// owes it must not come before the first one that the rules concern, and be an
// answer that the script allows.
func unexplained(rec *traceRecord, owed, theirs []traceObserved) (left []string, whole bool) {
	whole = true
	mine, others := plainObserved(owed), plainObserved(theirs)
	concerned := false
	for i := range rec.Steps {
		step := &rec.Steps[i]
		concerned = concerned || mine[i] != others[i]
		off := compareStep(step, &step.Observed, &theirs[i])
		if len(off) == 0 {
			continue
		}
		whole = false
		if len(compareStep(step, &step.Observed, &owed[i])) > 0 && !(concerned && isPossible(rec, step)) {
			left = append(left, "theirs, "+step.ID+" "+strings.Join(off, ", "))
		}
	}
	return left, whole
}

// isPossible reports whether status, body and contacts of a step fit together
// as one of the answers that its script and the gateway have for it.
func isPossible(rec *traceRecord, step *traceStep) bool {
	o := &step.Observed
	if step.Parallel > 0 || o.Outcome == "client-aborted" && step.patience() > 0 {
		return true
	}
	if o.Outcome != "response" || o.Body == nil || o.Complete != nil && !*o.Complete && !strings.Contains(string(step.Upstream), "in-body") {
		return false
	}
	contacts, up := 0, ""
	for name, n := range o.Contacts {
		if contacts += n; n > 0 {
			up = name
		}
	}
	if contacts == 0 {
		open := *o.Body == "" && rec.Provider == "polly" || strings.HasPrefix(*o.Body, "Circuit breaker is open for route -> ")
		return o.Status == http.StatusServiceUnavailable && open || *o.Body == "" && slices.Contains([]int{400, 404, 413, 500, 502}, o.Status)
	}
	return slices.ContainsFunc(scriptsOf(step, up), func(what traceScript) bool { return what.mayGive(o, contacts, up) })
}

// scriptsOf returns what an upstream may do in a step.
func scriptsOf(step *traceStep, up string) []traceScript {
	raw := step.Upstream
	var by map[string]json.RawMessage
	_ = json.Unmarshal(raw, &by)
	if own, ok := by[up]; ok {
		raw = own
	}
	var what traceScript
	_ = json.Unmarshal(raw, &what)
	return append(what.Sequence, what)
}

// mayGive reports whether an upstream that does this can be behind an answer.
func (s *traceScript) mayGive(o *traceObserved, contacts int, up string) bool {
	if s.Close == "before-headers" || s.Reset == "before-headers" {
		return o.Status == http.StatusBadGateway && contacts <= 4
	}
	late := s.Hang || s.Delay > 0
	if contacts > 1 {
		return false
	}
	status := cmp.Or(s.Status, 200)
	body := fmt.Sprintf("upstream %s %d", up, status)
	if s.Body != nil {
		body = *s.Body
	}
	return o.Status == status && (*o.Body == body || *o.Body == "" || !*o.Complete && strings.HasPrefix(body, *o.Body)) ||
		late && o.Status == http.StatusServiceUnavailable && (*o.Body == "" || strings.HasPrefix(*o.Body, "Request timeout for route -> ")) ||
		o.Status == http.StatusBadGateway && (s.Garbage || s.Reset == "in-headers")
}
