package guard

import (
	"net/http"

	"github.com/margay-dev/margay/runtime/guard/headers"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/proxy"
)

func (b *builder) headers() {
	t := &transforms{request: headers.NewRequest(b.route.RequestHeaders, b.plan.BaseURL),
		response: headers.NewResponse(b.route.ResponseHeaders, b.plan.BaseURL),
		style:    pipeline.Style{Provider: b.plan.Profile.Provider, ProblemDetails: b.route.ProblemDetails}}
	if t.request == nil && t.response == nil {
		return
	}
	b.changed = t.request != nil
	b.add(t)
}

// transforms changes headers both ways.
type transforms struct {
	request  *headers.Request
	response *headers.Response
	style    pipeline.Style
}

// Serve changes the request's header, and that of a response which has a
// sender. Errors have none (tr-err), except those that Ocelot's built-in QoS
// puts into words: these are responses there (qos-dt).
func (g *transforms) Serve(x *proxy.Exchange, next proxy.Next) (*http.Response, error) {
	client := headers.Client{Address: x.ClientIP(), Host: x.Request.Host}
	if g.request != nil {
		for name := range g.request.Assigned() {
			x.Own(name)
		}
		g.request.Apply(x.Header(), client)
		if _, length := x.Body(); length == 0 && x.Request.Header["Content-Length"] == nil {
			headers.DropContent(x.Header())
		}
	}
	response, err := next(x)
	switch {
	case g.response == nil:
	case err == nil:
		g.response.Apply(response.Header, client, backendOf(x))
	case pipeline.AnswerTo(err, g.style).Body != "":
		g.response.Apply(x.Answer(), client, "")
	}
	return response, err
}

// backendOf returns the base URL of the backend whose response x has.
func backendOf(x *proxy.Exchange) string {
	if s, ok := x.State.(*state); ok && s.backend != "" {
		return s.backend
	}
	return headers.BaseURL(x.Backend())
}

// state is what the guards of an exchange tell one another.
type state struct {
	backend string // the base URL of whoever gave a kept answer
}

// stateOf returns the state of an exchange.
func stateOf(x *proxy.Exchange) *state {
	s, ok := x.State.(*state)
	if !ok {
		s = &state{}
		x.State = s
	}
	return s
}
