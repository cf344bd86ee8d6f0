package fallback_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/margay-dev/margay/runtime/fallback"
	"github.com/margay-dev/margay/runtime/plan"
)

func TestForRoute(t *testing.T) {
	f, err := fallback.ForRoute(plan.Fallback{StatusCode: 418, ContentType: "text/plain", Body: "short"})
	if err != nil {
		t.Fatal(err)
	}
	req, _ := http.NewRequest(http.MethodGet, "http://a/", nil)
	resp, err := f.Finish(req, nil, errors.New("down"))
	if err != nil || resp.StatusCode != 418 || resp.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("got %v, %v, want the plan's answer", resp, err)
	}
	if f, err = fallback.ForRoute(plan.Fallback{StaleIfError: 1000}); err != nil || f.(*fallback.HTTP).Cache == nil {
		t.Errorf("got %v, %v, want a cache for stale responses", f, err)
	}
}
