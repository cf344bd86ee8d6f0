package fallback_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/fallback"
)

func ExampleFallback() {
	f := fallback.Fallback[string]{
		Action: func(_ context.Context, _ string, err error) (string, error) { return "instead of: " + err.Error(), nil },
	}
	fmt.Println(f.Do(context.Background(), func(context.Context) (string, error) { return "", errors.New("busy") }))
	// Output: instead of: busy <nil>
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// A client that gets the last good response while its backend fails, for up to
// half an hour.
func ExampleNewTransport() {
	healthy := true
	backend := func(*http.Request) (*http.Response, error) { // http.DefaultTransport in real life
		if !healthy {
			return nil, errors.New("connection refused")
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("hello")), ContentLength: 5}, nil
	}
	cache, err := fallback.NewCache(fallback.CacheOptions{StaleIfError: 30 * time.Minute})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := &http.Client{Transport: fallback.NewTransport(roundTripper(backend), fallback.HTTP{Cache: cache})}
	for range 2 {
		resp, err := client.Get("http://backend/")
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Printf("%d %s, age %q\n", resp.StatusCode, body, resp.Header.Get("Age"))
		healthy = false
	}
	// Output:
	// 200 hello, age ""
	// 200 hello, age "0"
}
