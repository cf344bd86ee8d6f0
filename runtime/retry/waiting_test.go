package retry_test

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/margay-dev/margay/runtime/retry"
)

func TestBodyWaitsWhileItsSourceIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source, sender := io.Pipe()
		req, _ := http.NewRequest(http.MethodPost, "http://a/", source)
		body := (&retry.HTTP{}).NewBody(req)
		if body.Waiting() || (*retry.Body)(nil).Waiting() {
			t.Error("got waiting before anybody reads")
		}
		go func() { _, _ = io.Copy(io.Discard, body.Reader()) }()
		synctest.Wait()
		if !body.Waiting() {
			t.Error("got not waiting while the sender is silent")
		}
		sender.Close()
		synctest.Wait()
		if body.Waiting() {
			t.Error("got waiting behind the end of the body")
		}
	})
}
