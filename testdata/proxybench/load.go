package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// load is what a proxy is asked, and how.
type load struct {
	connections int
	time        time.Duration
	routes      int
	status      string        // of every reply; empty: any
	body        int           // bytes of it; negative: any
	pause       time.Duration // between two requests of one connection
	stop        *atomic.Bool  // ends it before its time; nil: nothing does
}

// load is the part's usual one.
func (b *bench) load() load {
	return load{connections: b.connections, time: b.time, routes: b.routes, status: "200", body: b.body}
}

// reply is one request that was answered as it should be.
type reply struct{ at, took time.Duration }

// measure loads one peer for a while.
func measure(p peer, l load) (sample, error) {
	before, err := cpuOf(p.pids())
	if err != nil {
		return sample{}, err
	}
	began := time.Now()
	all, failed := l.put(p.address)
	took := time.Since(began).Seconds()
	after, err := cpuOf(p.pids())
	if err != nil {
		return sample{}, err
	}
	if len(all) == 0 {
		return sample{}, fmt.Errorf("no request was answered with %s", l.status)
	}
	n := float64(len(all))
	times := durations(all)
	return sample{rate: n / took, cpu: (after - before) / n * 10000, p50: middle(times), p99: share(times, 0.99), failed: failed}, nil
}

func durations(all []reply) (out []time.Duration) {
	for _, r := range all {
		out = append(out, r.took)
	}
	return out
}

// put puts the load on an address, and returns the good replies and the number
// of requests without one.
func (l load) put(address string) (all []reply, failed int) {
	began := time.Now()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range l.connections {
		wg.Go(func() {
			got, bad := l.drive(address, i, began)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, got...)
			failed += bad
		})
	}
	wg.Wait()
	return all, failed
}

func (l load) over(began time.Time) bool {
	return time.Since(began) > l.time || l.stop != nil && l.stop.Load()
}

// drive sends one request after the other over one connection.
func (l load) drive(address string, seed int, began time.Time) (got []reply, failed int) {
	for !l.over(began) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			failed++
			time.Sleep(10 * time.Millisecond)
			continue
		}
		got = l.session(conn, seed, began, got)
		conn.Close()
		if !l.over(began) {
			failed++
		}
	}
	return got, failed
}

func (l load) session(conn net.Conn, seed int, began time.Time, got []reply) []reply {
	_ = conn.SetDeadline(began.Add(l.time + 20*time.Second))
	r := bufio.NewReaderSize(conn, 8<<10)
	requests := make([][]byte, 16)
	for i := range requests {
		n := (seed*16 + i) * 7919 % l.routes
		requests[i] = fmt.Appendf(nil, "GET /api/v1/resource%d/items/%d?page=2 HTTP/1.1\r\nHost: gateway.example\r\n"+
			"User-Agent: proxybench\r\nAccept: application/json\r\nAccept-Encoding: gzip\r\nAuthorization: Bearer 0123456789abcdef\r\n\r\n", n, n)
	}
	for i := 0; !l.over(began); i++ {
		sent := time.Now()
		if _, err := conn.Write(requests[i%len(requests)]); err != nil {
			return got
		}
		if !l.read(r) {
			return got
		}
		got = append(got, reply{at: sent.Sub(began), took: time.Since(sent)})
		if l.pause > 0 {
			time.Sleep(l.pause)
		}
	}
	return got
}

// read reads a reply, and reports whether it is the expected one.
func (l load) read(r *bufio.Reader) bool {
	length := -1
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		switch {
		case err != nil, first && (len(line) < 12 || l.status != "" && string(line[9:12]) != l.status):
			return false
		case len(line) == 2:
			n, err := io.CopyN(io.Discard, r, int64(length))
			return err == nil && (l.body < 0 || n == int64(l.body))
		}
		if name, value, ok := bytes.Cut(line, []byte(": ")); ok && bytes.EqualFold(name, []byte("Content-Length")) {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
		}
	}
}
