package cache_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/guard/cache"
	"pgregory.net/rapid"
)

func key(url string) cache.Key { return (&cache.Question{Method: "GET", URL: url}).Key() }

func response(body io.Reader, length int64) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{"X-A": {"1", "2"}, "Set-Cookie": {"s=1"}},
		Body: io.NopCloser(body), ContentLength: length}
}

func read(t *testing.T, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestKeepsAnAnswerForItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := cache.NewStore(cache.Options{})
		first := response(strings.NewReader("one"), -1)
		if err := s.Keep(key("/a"), cache.Entry{Backend: "http://b/"}, nil, first, time.Second); err != nil {
			t.Fatal(err)
		}
		if body := read(t, first); body != "one" || first.Header.Get("Content-Length") != "3" || first.Header.Get("Set-Cookie") != "s=1" {
			t.Errorf("the first client: got %q, %v", body, first.Header)
		}
		time.Sleep(time.Second - 1)
		e := s.Get(key("/a"))
		if e == nil || e.Backend != "http://b/" {
			t.Fatalf("got %v", e)
		}
		for range 2 {
			again := e.Response(nil)
			if body := read(t, again); body != "one" || len(again.Header["X-A"]) != 2 || again.ContentLength != 3 {
				t.Errorf("got %q, %v", body, again)
			}
			if again.Header.Get("Set-Cookie") != "" {
				t.Error("another client gets the cookie of the first")
			}
			again.Header.Set("X-A", "changed")
		}
		time.Sleep(time.Nanosecond)
		if e := s.Get(key("/a")); e != nil {
			t.Errorf("got %v, which is too old", e)
		}
		if got := s.Stats(); got != (cache.Stats{}) {
			t.Errorf("got %+v", got)
		}
	})
}

func TestPassesOnWhatItDoesNotKeep(t *testing.T) {
	endless := response(strings.NewReader("data: 1\n\n"), -1)
	endless.Header.Set("Content-Type", "text/event-stream; charset=utf-8")
	trailing := response(strings.NewReader("trailing"), -1)
	trailing.Trailer = http.Header{"X-T": nil}
	for want, r := range map[string]*http.Response{
		"more than eight":       response(strings.NewReader("more than eight"), -1),
		"announced as too long": response(strings.NewReader("announced as too long"), 21),
		"data: 1\n\n":           endless,
		"trailing":              trailing,
	} {
		s := cache.NewStore(cache.Options{MaxEntryBytes: 8})
		if err := s.Keep(key("/a"), cache.Entry{}, nil, r, time.Hour); err != nil {
			t.Fatal(err)
		}
		if body := read(t, r); body != want || s.Stats().Entries != 0 {
			t.Errorf("%q: got %q, %+v", want, body, s.Stats())
		}
	}
}

func TestABodyThatBreaksOffIsNotKept(t *testing.T) {
	s := cache.NewStore(cache.Options{})
	broken := response(io.MultiReader(strings.NewReader("half"), iotest.ErrReader(io.ErrUnexpectedEOF)), 8)
	if err := s.Keep(key("/a"), cache.Entry{}, nil, broken, time.Hour); !errors.Is(err, io.ErrUnexpectedEOF) || s.Stats().Entries != 0 {
		t.Errorf("got %v, %+v", err, s.Stats())
	}
}

func TestAnAnswerWithoutBody(t *testing.T) {
	s := cache.NewStore(cache.Options{})
	head := response(http.NoBody, 5)
	head.Header.Set("Content-Length", "5")
	if err := s.Keep(key("/a"), cache.Entry{}, nil, head, time.Hour); err != nil {
		t.Fatal(err)
	}
	if got := s.Get(key("/a")).Response(nil); got.Header.Get("Content-Length") != "5" || read(t, got) != "" {
		t.Errorf("got %v", got.Header)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	s := cache.NewStore(cache.Options{MaxEntries: 10, MaxBytes: 20_000})
	for i := range 100 {
		s.Put(key(fmt.Sprint(i)), &cache.Entry{Body: make([]byte, 1000)}, time.Hour)
	}
	if got := s.Stats(); got.Entries != 10 || got.Bytes > 20_000 {
		t.Errorf("got %+v", got)
	}
	s.Put(key("large"), &cache.Entry{Body: make([]byte, 15_000)}, time.Hour)
	if got := s.Stats(); got.Entries >= 10 || got.Bytes > 20_000 || s.Get(key("large")) == nil {
		t.Errorf("got %+v", got)
	}
	s.Put(key("large"), &cache.Entry{Body: make([]byte, 30_000)}, time.Hour)
	if s.Get(key("large")) != nil {
		t.Error("an answer larger than the store is kept, or the one before it is")
	}
}

func TestClear(t *testing.T) {
	s := cache.NewStore(cache.Options{})
	s.Put(key("/a"), &cache.Entry{Region: "r"}, time.Hour)
	s.Put(key("/b"), &cache.Entry{Region: "s"}, time.Hour)
	s.Clear("r")
	if s.Get(key("/a")) != nil || s.Get(key("/b")) == nil {
		t.Errorf("got %+v", s.Stats())
	}
}

func TestQuestions(t *testing.T) {
	all := []cache.Question{
		{Method: "GET", URL: "/a"}, {Method: "HEAD", URL: "/a"}, {Method: "GET", URL: "/b"},
		{Method: "GET", URL: "/a", Header: "b-"}, {Method: "GET", URL: "/a-b"}, {Method: "GET", URL: "/a", Header: "b"},
		{Method: "GET", URL: "/a", Body: []byte{}}, {Method: "GET", URL: "/a", Body: []byte("b")}, {Method: "GETx", URL: ""}, {Method: "GET", URL: "x"},
	}
	seen := map[cache.Key]int{}
	for i := range all {
		if first, taken := seen[all[i].Key()]; taken {
			t.Errorf("%+v has the key of %+v", all[i], all[first])
		}
		seen[all[i].Key()] = i
	}
}

// Two questions that differ have two keys.
func TestKeysTellQuestionsApart(t *testing.T) {
	draw := rapid.Custom(func(rt *rapid.T) cache.Question {
		part := func(name string) string {
			return rapid.StringOfN(rapid.RuneFrom([]rune("a-/")), 0, 3, -1).Draw(rt, name)
		}
		return cache.Question{Method: part("method"), URL: part("url"), Header: part("header"), Body: []byte(part("body"))}
	})
	rapid.Check(t, func(rt *rapid.T) {
		p, q := draw.Draw(rt, "p"), draw.Draw(rt, "q")
		same := p.Method == q.Method && p.URL == q.URL && p.Header == q.Header && string(p.Body) == string(q.Body)
		if (p.Key() == q.Key()) != same {
			rt.Fatalf("%+v, %+v", p, q)
		}
	})
}

func TestPolicy(t *testing.T) {
	for value, want := range map[string]bool{
		"": false, "public": true, "PUBLIC, max-age=5": true, "s-maxage=60": true, `s-maxage="60"`: true, "s-maxage=0": false,
		"max-age=60": false, "public, no-store": false, "private, public": false, "no-cache": false,
	} {
		if got := cache.IsShared(http.Header{"Cache-Control": {value}}); got != want {
			t.Errorf("%q: got %v", value, got)
		}
	}
	for value, want := range map[string]bool{
		"": false, "private": true, "max-age=5, Private": true, `private="X-A"`: true, "no-store": false, "privately": false, "public": false,
	} {
		if got := cache.IsPrivate(http.Header{"Cache-Control": {"x", value}}); got != want {
			t.Errorf("%q is private: got %v", value, got)
		}
	}
	if cache.HasCredentials(http.Header{"X": {"1"}}) || !cache.HasCredentials(http.Header{"Cookie": {"a"}}) {
		t.Error("credentials")
	}
	if cache.IsPartial(http.Header{"X": {"1"}}) || !cache.IsPartial(http.Header{"Range": {"bytes=0-1"}}) {
		t.Error("parts")
	}
}

func TestConcurrentUse(t *testing.T) {
	s := cache.NewStore(cache.Options{MaxBytes: 5000})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 200 {
				k := key(fmt.Sprint(i % 20))
				if e := s.Get(k); e != nil {
					_ = e.Response(nil).Header.Get("X-A")
					continue
				}
				_ = s.Keep(k, cache.Entry{}, nil, response(strings.NewReader("body"), 4), time.Hour)
			}
			s.Clear("")
		})
	}
	wg.Wait()
	if got := s.Stats(); got.Bytes < 0 || got.Bytes > 5000 {
		t.Errorf("got %+v", got)
	}
}

func BenchmarkHit(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := cache.NewStore(cache.Options{})
			for i := range n {
				s.Put(key(fmt.Sprint(i)), &cache.Entry{Status: 200, Header: http.Header{"X-A": {"1"}}, Body: []byte("body")}, time.Hour)
			}
			b.ReportAllocs()
			for b.Loop() {
				if s.Get(key("5")).Response(nil) == nil {
					b.Fatal("nothing")
				}
			}
		})
	}
}

func TestAnswersThatVary(t *testing.T) {
	s := cache.NewStore(cache.Options{})
	gzip, plain := http.Header{"Accept-Encoding": {"gzip"}, "X-Other": {"1"}}, http.Header{}
	keep := func(request http.Header, body, vary string) {
		r := response(strings.NewReader(body), -1)
		if vary != "" {
			r.Header.Set("Vary", vary)
		}
		if err := s.Keep(key("/a"), cache.Entry{}, request, r, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(request http.Header, want string) {
		t.Helper()
		got := ""
		if e := s.Find(key("/a"), request); e != nil {
			got = string(e.Body)
		}
		if got != want {
			t.Errorf("%v: got %q, want %q", request, got, want)
		}
	}
	keep(gzip, "packed", "accept-encoding")
	expect(gzip, "packed")
	expect(http.Header{"Accept-Encoding": {"gzip"}, "X-Other": {"2"}}, "packed")
	expect(plain, "")
	keep(plain, "flat", "Accept-Encoding, accept-encoding ,")
	expect(gzip, "packed")
	expect(plain, "flat")
	keep(plain, "new", "")
	expect(gzip, "new")
	keep(plain, "secret", "*")
	expect(plain, "new")
	s.Clear("")
	expect(gzip, "")
	if n := s.Stats().Entries; n != 0 {
		t.Errorf("%d entries are left", n)
	}
}
