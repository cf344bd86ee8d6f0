package guard

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/margay-dev/margay/runtime/guard/aggregate"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// call is one call of a member.
type call struct {
	member *member
	value  string // of the member's parameter, if it has one

	exchange *proxy.Exchange // of the member, once it is called
	response *http.Response
	part     aggregate.Part
	err      error
	panicked any
}

// errUnfinished is the outcome of a call whose goroutine ended on the way.
var errUnfinished = errors.New("the call of a member was not finished")

// maxAtOnce is how many members of one request are called at the same time.
const maxAtOnce = 64

// run makes calls, all at once as far as maxAtOnce allows, and waits for them.
// A panic in one is that of the request.
func (m *multiplex) run(x *proxy.Exchange, body requestBody, calls []*call) {
	var wg sync.WaitGroup
	places := make(chan struct{}, maxAtOnce)
	for _, c := range calls {
		places <- struct{}{}
		wg.Go(func() {
			defer func() { c.panicked = recover(); <-places }()
			c.err = errUnfinished
			response, err := c.open(x, body)
			if err == nil {
				err = c.read(response, m.set.options.MaxBufferedBody)
			}
			c.err = err
		})
	}
	wg.Wait()
	for _, c := range calls {
		if c.panicked != nil {
			panic(c.panicked)
		}
	}
}

// open sends the request through the member's route.
func (c *call) open(x *proxy.Exchange, body requestBody) (*http.Response, error) {
	return x.Call(c.member.Member, func(y *proxy.Exchange) {
		c.exchange = y
		body.send(y)
		if c.member.path != nil {
			y.Match.Set(c.member.Parameter, c.value)
		}
	})
}

// failure returns the outcome of a call that brought no answer. What Ocelot
// puts into words is an answer: it becomes a part.
func (c *call) failure(provider plan.Provider) error {
	if c.err == nil {
		return nil
	}
	if c.exchange == nil || isStatus(c.err) {
		return c.err
	}
	r := c.exchange.Route
	a := pipeline.AnswerTo(c.err, pipeline.Style{Provider: provider, Name: r.Name, ProblemDetails: r.ProblemDetails})
	if a.Body == "" {
		return c.err
	}
	c.response = a.Response(nil)
	c.part = aggregate.Part{Key: c.member.Key, Status: a.Status, ContentType: a.ContentType, Body: []byte(a.Body)}
	return nil
}

// announce hands on what every answer of the member's route says, such as how
// much of a rate limit is left (ag-rl).
func (c *call) announce(x *proxy.Exchange) {
	if c.exchange == nil {
		return
	}
	for name, values := range c.exchange.Answer() {
		if strings.HasPrefix(name, "X-Ratelimit-") || len(x.Aggregate.Members) == 1 {
			x.Answer()[name] = values
		}
	}
}

// whole returns the answer to a call as it came.
func (c *call) whole() *http.Response {
	c.response.Body = io.NopCloser(bytes.NewReader(c.part.Body))
	if c.response.ContentLength < 0 {
		c.response.ContentLength = int64(len(c.part.Body))
	}
	return c.response
}
