package proxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// fail answers an exchange that brought no response.
func (x *Exchange) fail(err error) {
	x.err = err
	header := x.writer.Header()
	if own, ok := errors.AsType[*StatusError](err); ok {
		for name, values := range own.Header {
			header[name] = values
		}
		x.status = own.Status
		x.text(own.Body)
		return
	}
	a := x.answerTo(err)
	if a.Status == pipeline.StatusClientClosedRequest {
		// The server takes a client for gone whose body cannot be read on.
		if b, ok := x.Request.Body.(interface{ Fault() error }); ok && b.Fault() != nil {
			x.err = &pipeline.ClientError{Err: b.Fault()}
			a = x.answerTo(x.err)
		}
	}
	x.status = a.Status
	if a.Status == pipeline.StatusClientClosedRequest {
		panic(http.ErrAbortHandler) // nobody is there; finish has run
	}
	if a.RetryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(a.RetryAfter))
	}
	if a.ContentType != "" {
		header.Set("Content-Type", a.ContentType)
	}
	x.text(a.Body)
}

// text sends a status with a short body.
func (x *Exchange) text(body string) {
	header := x.writer.Header()
	if x.status == http.StatusResetContent {
		body = "" // RFC 9110, section 15.3.6
	}
	if x.Request.Method != http.MethodHead {
		header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	if header["Content-Type"] == nil {
		header["Content-Type"] = nil // none, not a guess
	}
	x.pass()
	x.leave(header)
	x.writer.WriteHeader(x.status)
	n, _ := io.WriteString(x.writer, body)
	x.sent = int64(n)
}

// answerTo words an error in the style of the route.
func (x *Exchange) answerTo(err error) pipeline.Answer {
	if x.served != nil && x.served.pipeline != nil {
		style := x.strategies().Style()
		if x.Route.Match.Kind != plan.Static {
			style.Name = x.dynamicName(style.Name)
		}
		return pipeline.AnswerTo(err, style)
	}
	return pipeline.AnswerTo(err, pipeline.Style{Provider: x.gateway.plan.Profile.Provider})
}

// dynamicName is what Ocelot calls a dynamic route: its namespace, its service
// and the path of the request. The plan leaves the path open (dynamic-h18).
func (x *Exchange) dynamicName(name string) string {
	if known, ok := strings.CutSuffix(name, "?"); ok {
		return known + x.Target.Path()
	}
	service, namespace := x.Match.Service()
	return namespace + ":" + service + ":" + x.Target.Path()
}

// write sends a response to the client.
func (x *Exchange) write(response *http.Response) {
	x.status = response.StatusCode
	if !x.started.IsZero() {
		x.headers = time.Since(x.started)
	}
	if response.StatusCode == http.StatusSwitchingProtocols {
		if err := x.upgrade(response); err != nil {
			x.fail(err)
		}
		return
	}
	defer response.Body.Close()
	header := x.writer.Header()
	named := response.Header["Connection"]
	for name, values := range response.Header {
		if _, set := header[name]; !set && !hopByHop(name) && (named == nil || !isNamed(named, name)) {
			header[name] = values
		}
	}
	if header["Content-Type"] == nil {
		header["Content-Type"] = nil // none, not a guess
	}
	if response.StatusCode == http.StatusResetContent {
		header["Content-Length"] = []string{"0"} // a client reads no more than that
	}
	x.leave(header)
	announced := announce(header, response)
	if !x.copy(response) {
		x.flush()                   // what came arrives
		panic(http.ErrAbortHandler) // a body that broke off must not look complete
	}
	trail(header, response, announced)
}

// announce names the trailers that are known before the body.
func announce(header http.Header, response *http.Response) int {
	for name := range response.Trailer {
		header.Add("Trailer", name)
	}
	return len(response.Trailer)
}

// trail adds the trailers behind the body.
func trail(header http.Header, response *http.Response, announced int) {
	prefix := ""
	if len(response.Trailer) != announced {
		prefix = http.TrailerPrefix
	}
	for name, values := range response.Trailer {
		header[prefix+name] = values
	}
}

// flush sends what is buffered on its way.
func (x *Exchange) flush() { _ = http.NewResponseController(x.writer).Flush() }

// reasonOf sorts an error into the closed set of causes.
func reasonOf(err error) (telemetry.Reason, telemetry.Strategy) {
	if missed, ok := errors.AsType[*timeout.Error](err); ok {
		if missed.Kind == timeout.Attempt {
			return telemetry.ReasonAttemptTimeout, telemetry.AttemptTimeout
		}
		return telemetry.ReasonTotalTimeout, telemetry.TotalTimeout
	}
	_, own := errors.AsType[*StatusError](err)
	_, fault := errors.AsType[*pipeline.ClientError](err)
	switch {
	case err == nil, own, errors.Is(err, pipeline.ErrNoRoute):
		return telemetry.ReasonNone, 0
	case errors.Is(err, breaker.ErrIsolated):
		return telemetry.ReasonCircuitIsolated, 0
	case errors.Is(err, breaker.ErrOpen):
		return telemetry.ReasonCircuitOpen, 0
	case errors.Is(err, limiter.ErrRejected):
		return telemetry.ReasonLimited, 0
	case fault, errors.Is(err, context.Canceled):
		return telemetry.ReasonCancelled, 0
	}
	return telemetry.ReasonTransport, 0
}
