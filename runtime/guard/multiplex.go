package guard

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/margay-dev/margay/runtime/guard/aggregate"
	"github.com/margay-dev/margay/runtime/guard/cache"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// multiplex answers an aggregate with the joined answers of its members.
type multiplex struct {
	set      *Set
	provider plan.Provider
	members  []member
	staged   bool // some are called with values of the first one's answer
}

// Serve calls the members, all at once, or first the one whose answer says what
// the others are called with. A member that brings no answer decides the
// outcome: the first one in the order of the configuration.
func (m *multiplex) Serve(x *proxy.Exchange, _ proxy.Next) (*http.Response, error) {
	body, err := readRequest(x, m.set.options.MaxBufferedBody)
	switch {
	case err != nil:
		return nil, err
	case len(m.members) == 1 || x.Upgrade() != "":
		one := call{member: &m.members[0]}
		response, err := one.open(x, body)
		one.announce(x)
		return response, err
	case m.staged:
		return m.inStages(x, body)
	}
	calls := make([]*call, len(m.members))
	for i := range m.members {
		calls[i] = &call{member: &m.members[i]}
	}
	m.run(x, body, calls)
	return m.join(x, calls)
}

// inStages calls the first member, then the others with what its answer says.
func (m *multiplex) inStages(x *proxy.Exchange, body requestBody) (*http.Response, error) {
	first := &call{member: &m.members[0]}
	m.run(x, body, []*call{first})
	if err := first.failure(m.provider); err != nil {
		return nil, m.failed(x, err)
	}
	document, err := aggregate.NewDocument(first.part.Body)
	if err != nil {
		return nil, m.failed(x, err)
	}
	calls, err := m.fanOut(document)
	if err != nil {
		return nil, m.failed(x, err)
	}
	if len(calls) == 0 {
		first.announce(x)
		return first.whole(), nil
	}
	m.run(x, body, calls)
	return m.join(x, append([]*call{first}, calls...))
}

// failed is the outcome where the first member's answer cannot be used: 500
// (ag-cfg/003, ag-cfg/004).
func (m *multiplex) failed(x *proxy.Exchange, err error) error {
	if x.Request.Context().Err() != nil {
		return err // the client is gone
	}
	return &proxy.StatusError{Status: http.StatusInternalServerError, Err: err}
}

// maxCalls is how many calls one request to an aggregate may cause.
const maxCalls = 1024

func (m *multiplex) fanOut(d *aggregate.Document) ([]*call, error) {
	var calls []*call
	for i := range m.members[1:] {
		one := &m.members[i+1]
		if one.path == nil {
			calls = append(calls, &call{member: one})
			continue
		}
		values, err := one.path.Select(d)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			calls = append(calls, &call{member: one, value: v})
		}
	}
	if len(calls) > maxCalls {
		return nil, fmt.Errorf("the first member's answer asks for %d calls, more than %d", len(calls), maxCalls)
	}
	return calls, nil
}

// join makes the answer.
func (m *multiplex) join(x *proxy.Exchange, calls []*call) (*http.Response, error) {
	parts := make([]aggregate.Part, len(calls))
	for i, c := range calls {
		c.announce(x)
		if err := c.failure(m.provider); err != nil {
			return nil, withoutHeader(err)
		}
		parts[i] = c.part
	}
	body := aggregate.Join(parts)
	header := http.Header{"Content-Type": {"application/json"}, "Content-Length": {strconv.Itoa(len(body))}}
	return &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: x.Request}, nil
}

// withoutHeader returns the outcome of a member as that of the aggregate, which
// has the status and the body alone (ag-rl).
func withoutHeader(err error) error {
	own, ok := errors.AsType[*proxy.StatusError](err)
	if !ok {
		return err
	}
	return &proxy.StatusError{Status: own.Status, Body: own.Body, Err: own.Err}
}

// read reads the answer to a call.
func (c *call) read(response *http.Response, limit int64) error {
	defer response.Body.Close()
	body, whole, err := cache.ReadBody(response.Body, limit)
	if err == nil && !whole {
		err = errTooLarge
	}
	if err != nil {
		return &proxy.StatusError{Status: http.StatusInternalServerError, Err: err} // ag-basic/020
	}
	c.response = response
	c.part = aggregate.Part{Key: c.member.Key, Status: response.StatusCode, ContentType: response.Header.Get("Content-Type"), Body: body}
	return nil
}
