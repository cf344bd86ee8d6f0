package retry

import (
	"io"
	"net/http"
	"time"
)

// What reading a discarded body to its end may cost. The connection can be used
// again only if the end is reached.
const (
	discardBytes = 64 << 10
	discardTime  = 50 * time.Millisecond
)

// Discard reads the rest of a response that nobody wants and closes it, so that
// its connection can carry the next attempt. A body that is long or slow is
// closed unread. A nil resp is fine.
func Discard(resp *http.Response) {
	if resp == nil || resp.Body == nil {
		return
	}
	defer resp.Body.Close()
	if resp.Body == http.NoBody || resp.ContentLength > discardBytes {
		return
	}
	slow := time.AfterFunc(discardTime, func() { resp.Body.Close() })
	defer slow.Stop()
	_, _ = io.CopyN(io.Discard, resp.Body, discardBytes)
}
