package fallback_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/fallback"
	"pgregory.net/rapid"
)

func TestCacheOptionsRefused(t *testing.T) {
	for _, o := range []fallback.CacheOptions{{}, {StaleIfError: -1}, {StaleIfError: 1, MaxBytes: -1}, {StaleIfError: 1, MaxEntries: -1}} {
		if _, err := fallback.NewCache(o); err == nil {
			t.Errorf("NewCache(%+v): got no error, want one", o)
		}
	}
}

// TestCacheStaysInBounds keeps, finds and ages anything: the bounds hold, and
// an answer is always the last good one.
func TestCacheStaysInBounds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const maxBytes, maxEntries = 4000, 4
		now := time.Unix(0, 0)
		c, err := fallback.NewCache(fallback.CacheOptions{
			StaleIfError: time.Minute, MaxBytes: maxBytes, MaxEntries: maxEntries, Now: func() time.Time { return now },
		})
		if err != nil {
			rt.Fatal(err)
		}
		type good struct {
			body string
			at   time.Time
		}
		last := map[string]good{}
		path := rapid.SampledFrom([]string{"/a", "/b", "/c", "/d", "/e", "/f"})
		language := rapid.SampledFrom([]string{"de", "en", "fr", "it", "es", "pt"})
		request := func(rt *rapid.T) (*http.Request, string) {
			req, _ := http.NewRequest("GET", "http://backend"+path.Draw(rt, "path"), nil)
			req.Header.Set("Accept-Language", language.Draw(rt, "language"))
			return req, req.URL.Path + req.Header.Get("Accept-Language")
		}
		n := 0
		rt.Repeat(map[string]func(*rapid.T){
			"keep": func(rt *rapid.T) {
				n++
				req, key := request(rt)
				body := fmt.Sprint(n, strings.Repeat("x", rapid.IntRange(0, 2000).Draw(rt, "bytes")))
				resp := &http.Response{StatusCode: 200, ContentLength: -1, Header: http.Header{"Vary": {"Accept-Language"}},
					Body: io.NopCloser(strings.NewReader(body))}
				c.Watch(req, resp)
				_, _ = io.Copy(io.Discard, resp.Body)
				last[key] = good{body, now}
			},
			"wait": func(rt *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(0, 30).Draw(rt, "seconds")) * time.Second)
			},
			"answer": func(rt *rapid.T) {
				req, key := request(rt)
				resp := c.Answer(req)
				if resp == nil {
					return // gone for want of room, or too old
				}
				body, _ := io.ReadAll(resp.Body)
				if want := last[key]; string(body) != want.body || now.Sub(want.at) > time.Minute {
					rt.Fatalf("%s: got %.10q, want %.10q of %v before", key, body, want.body, now.Sub(want.at))
				}
			},
			"": func(rt *rapid.T) {
				if got := c.Stats(); got.Bytes > maxBytes || got.Entries > maxEntries || got.Bytes < 0 || (got.Entries == 0) != (got.Bytes == 0) {
					rt.Fatalf("got %+v, want at most %d entries, %d bytes", got, maxEntries, maxBytes)
				}
			},
		})
	})
}

func TestCacheConcurrently(t *testing.T) {
	c, err := fallback.NewCache(fallback.CacheOptions{StaleIfError: time.Hour, MaxBytes: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	for g := range 64 {
		done.Go(func() {
			for i := range 100 {
				req, _ := http.NewRequest("GET", fmt.Sprint("http://backend/", (g+i)%20), nil)
				want := strings.Repeat(req.URL.Path, 50)
				resp := &http.Response{StatusCode: 200, ContentLength: -1, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(want))}
				c.Watch(req, resp)
				_, _ = io.Copy(io.Discard, resp.Body)
				if stale := c.Answer(req); stale != nil {
					if got, _ := io.ReadAll(stale.Body); string(got) != want {
						t.Errorf("%s: got another body", req.URL)
					}
				}
			}
		})
	}
	done.Wait()
	if got := c.Stats(); got.Bytes > 20_000 {
		t.Errorf("got %+v, want at most 20000 bytes", got)
	}
}

// FuzzCacheControl: no text makes the cache keep what forbids it in plain words
// at its end, or trip.
func FuzzCacheControl(f *testing.F) {
	for _, text := range []string{"", "public", "max-age=10, stale-if-error=20", `private="a, b`, "s-maxage", "=", ",,", `x="\"", no-store`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := fallback.NewCache(fallback.CacheOptions{StaleIfError: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		req, _ := http.NewRequest("GET", "http://backend/", nil)
		resp := &http.Response{StatusCode: 200, Header: http.Header{"Cache-Control": {text}}, Body: http.NoBody}
		c.Watch(req, resp)
		if strings.Count(text, `"`)%2 == 0 {
			resp.Header["Cache-Control"] = []string{text, "no-store"}
			before := c.Stats()
			req.URL.Path = "/forbidden"
			c.Watch(req, resp)
			if got := c.Stats(); got != before {
				t.Errorf("%q with no-store: got it kept", text)
			}
		}
	})
}

func BenchmarkCache(b *testing.B) {
	c, err := fallback.NewCache(fallback.CacheOptions{StaleIfError: time.Hour})
	if err != nil {
		b.Fatal(err)
	}
	req, _ := http.NewRequest("GET", "http://backend/a", nil)
	body := strings.Repeat("x", 1024)
	watch := func() {
		resp := &http.Response{StatusCode: 200, ContentLength: 1024, Header: http.Header{"Content-Type": {"text/plain"}},
			Body: io.NopCloser(strings.NewReader(body))}
		c.Watch(req, resp)
		_, _ = io.Copy(io.Discard, resp.Body)
	}
	b.Run("watch", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			watch()
		}
	})
	watch()
	b.Run("answer", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Answer(req)
		}
	})
}
