package fallback

import (
	"net/http"

	"github.com/margay-dev/margay/runtime/plan"
)

// Finisher is what [HTTP] is to a pipeline. It is an alias so that pipelines,
// which must not know this package for the library that it brings along, can
// name the same type.
type Finisher = interface {
	Finish(req *http.Request, resp *http.Response, err error) (*http.Response, error)
}

// ForRoute returns the fallback that a plan asks for, with an empty cache where
// it wants stale responses. Give it to pipeline.Options.
func ForRoute(f plan.Fallback) (Finisher, error) {
	h := &HTTP{StatusCode: f.StatusCode, ContentType: f.ContentType, Body: f.Body}
	if f.StaleIfError <= 0 {
		return h, nil
	}
	cache, err := NewCache(CacheOptions{StaleIfError: f.StaleIfError.Duration()})
	if err != nil {
		return nil, err
	}
	h.Cache = cache
	return h, nil
}
