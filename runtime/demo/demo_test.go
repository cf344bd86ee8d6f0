package demo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/demo"
)

// serve returns the URL of a backend that runs until the test ends.
func serve(t *testing.T, knobs ...demo.Knobs) string {
	t.Helper()
	server := httptest.NewServer(demo.New("orders", 7, knobs...))
	t.Cleanup(server.Close)
	return server.URL
}

func ask(t *testing.T, method, url string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestAnswersSayWhatCame(t *testing.T) {
	url := serve(t)
	resp, err := http.Post(url+"/api/orders?x=1", "text/plain", strings.NewReader("four"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var got map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"backend": "orders", "request": 1.0, "method": "POST", "target": "/api/orders?x=1", "host": strings.TrimPrefix(url, "http://"), "status": 200.0, "received": 4.0}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v want %v", got, want)
	}
}

func TestKnobsAreTurnedAtRunTime(t *testing.T) {
	url := serve(t)
	control := url + demo.ControlPath
	for _, step := range []struct {
		method, query string
		orders, rest  int
	}{
		{"GET", "", 200, 200},
		{"POST", "?path=/orders&status=500", 500, 200},
		{"POST", "?status=404", 500, 404},
		{"POST", "?path=/orders&error-rate=0", 200, 404},
		{"POST", "?path=/orders&error-rate=1", 500, 404},
		{"DELETE", "", 200, 200},
	} {
		if status, body := ask(t, step.method, control+step.query); status != 200 {
			t.Fatalf("%s %s: got %d %s", step.method, step.query, status, body)
		}
		orders, _ := ask(t, "GET", url+"/orders/7")
		rest, _ := ask(t, "GET", url+"/users/7")
		if orders != step.orders || rest != step.rest {
			t.Errorf("after %s %s: got %d and %d, want %d and %d", step.method, step.query, orders, rest, step.orders, step.rest)
		}
	}
}

func TestWrongKnobsAreRefused(t *testing.T) {
	url := serve(t) + demo.ControlPath
	for query, want := range map[string]string{
		"?latncy=1s":      `there is no knob "latncy"`,
		"?latency=fast":   `latency is "fast"; expected a time such as 20ms or 3s`,
		"?jitter=-1s":     `jitter is "-1s"; expected a time`,
		"?error-rate=1.5": `error-rate is "1.5"; expected a part from 0 to 1`,
		"?hang-rate=NaN":  `hang-rate is "NaN"`,
		"?status=99":      `status is "99"; expected a whole number from 200 to 599`,
	} {
		if status, body := ask(t, "POST", url+query); status != 400 || !strings.Contains(body, want) {
			t.Errorf("%s: got %d %q, want 400 with %q", query, status, body, want)
		}
	}
	if status, _ := ask(t, "PUT", url); status != 405 {
		t.Errorf("PUT: got %d want 405", status)
	}
}

func TestAResetIsOne(t *testing.T) {
	url := serve(t, demo.Knobs{ResetRate: 1})
	_, err := http.Get(url)
	if !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want a reset", err)
	}
}

func TestSizeIsTheLeast(t *testing.T) {
	if _, body := ask(t, "GET", serve(t, demo.Knobs{Size: 5000})); len(body) != 5001 {
		t.Errorf("got %d bytes", len(body))
	}
}

// TestChanceComesFromTheSeed runs the same requests twice.
func TestChanceComesFromTheSeed(t *testing.T) {
	run := func(seed uint64) (statuses []int) {
		b := demo.New("x", seed, demo.Knobs{ErrorRate: 0.3, Status: 500})
		for range 300 {
			w := httptest.NewRecorder()
			b.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			statuses = append(statuses, w.Code)
		}
		return statuses
	}
	first, again, other := run(1), run(1), run(2)
	if !slices.Equal(first, again) {
		t.Error("the same seed gave other answers")
	}
	if slices.Equal(first, other) {
		t.Error("another seed gave the same answers")
	}
	failed := 0
	for _, status := range first {
		if status == 500 {
			failed++
		}
	}
	if failed < 60 || failed > 120 {
		t.Errorf("got %d failures of 300 at a rate of 0.3", failed)
	}
}

func TestTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := demo.New("x", 1, demo.Knobs{Latency: time.Second, Jitter: time.Second}, demo.Knobs{Path: "/hang", HangRate: 1})
		start := time.Now()
		w := httptest.NewRecorder()
		b.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		if took := time.Since(start); took < time.Second || took > 2*time.Second || w.Code != 200 {
			t.Errorf("got %d after %v", w.Code, took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		start, w = time.Now(), httptest.NewRecorder()
		b.ServeHTTP(w, httptest.NewRequest("GET", "/hang/1", nil).WithContext(ctx))
		if took := time.Since(start); took != 5*time.Second || w.Body.Len() > 0 {
			t.Errorf("a hanging request: got %q after %v", w.Body, took)
		}
	})
}
