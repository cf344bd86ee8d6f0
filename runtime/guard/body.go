package guard

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/margay-dev/margay/runtime/guard/cache"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/proxy"
)

// errTooLarge means that a body has to be read whole and does not fit.
var errTooLarge = errors.New("the body is larger than what is read into memory")

// bodyError is the outcome of a request whose body breaks off, is too large or
// too slow: the client's fault.
func bodyError(err error) error {
	status := (&pipeline.ClientError{Err: err}).Status()
	if errors.Is(err, errTooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	return &proxy.StatusError{Status: status, Err: err}
}

// requestBody is a body that can be sent several times.
type requestBody struct {
	content []byte
	length  int64
}

// readRequest reads the body of a request.
func readRequest(x *proxy.Exchange, limit int64) (requestBody, error) {
	from, length := x.Body()
	if length == 0 || from == nil {
		return requestBody{}, nil
	}
	content, whole, err := cache.ReadBody(from, limit)
	if err == nil && !whole {
		err = errTooLarge
	}
	if err != nil {
		return requestBody{}, bodyError(err)
	}
	return requestBody{content: content, length: int64(len(content))}, nil
}

// send gives an exchange the body.
func (b requestBody) send(x *proxy.Exchange) {
	if b.length == 0 {
		x.SetBody(http.NoBody, 0)
		return
	}
	x.SetBody(io.NopCloser(bytes.NewReader(b.content)), b.length)
}

// isStatus reports whether an outcome says itself how it is answered.
func isStatus(err error) bool {
	_, ok := errors.AsType[*proxy.StatusError](err)
	return ok
}
