package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

// measure loads one peer for a while.
func measure(p peer, s settings) (sample, error) {
	before, err := cpuOf(p.pids())
	if err != nil {
		return sample{}, err
	}
	began := time.Now()
	end := began.Add(s.time)
	var all []time.Duration
	var mu sync.Mutex
	var wg sync.WaitGroup
	failed := 0
	for i := range s.connections {
		wg.Go(func() {
			took, bad := drive(p.address, i, s, end)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
			failed += bad
		})
	}
	wg.Wait()
	took := time.Since(began).Seconds()
	after, err := cpuOf(p.pids())
	if err != nil {
		return sample{}, err
	}
	if len(all) == 0 {
		return sample{}, fmt.Errorf("no request was answered")
	}
	slices.Sort(all)
	n := float64(len(all))
	return sample{rate: n / took, cpu: (after - before) / n * 10000, p50: all[len(all)/2],
		p99: all[len(all)*99/100], failed: failed}, nil
}

// drive sends one request after the other over one connection.
func drive(address string, seed int, s settings, end time.Time) (took []time.Duration, failed int) {
	for time.Now().Before(end) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			failed++
			time.Sleep(10 * time.Millisecond)
			continue
		}
		took = session(conn, seed, s, end, took)
		conn.Close()
		if time.Now().Before(end) {
			failed++
		}
	}
	return took, failed
}

func session(conn net.Conn, seed int, s settings, end time.Time, took []time.Duration) []time.Duration {
	r := bufio.NewReaderSize(conn, 8<<10)
	requests := make([][]byte, 16)
	for i := range requests {
		n := (seed*16 + i) * 7919 % s.routes
		requests[i] = fmt.Appendf(nil, "GET /api/v1/resource%d/items/%d?page=2 HTTP/1.1\r\nHost: gateway.example\r\n"+
			"User-Agent: proxybench\r\nAccept: application/json\r\nAccept-Encoding: gzip\r\nAuthorization: Bearer 0123456789abcdef\r\n\r\n", n, n)
	}
	for i := 0; ; i++ {
		began := time.Now()
		if began.After(end) {
			return took
		}
		if _, err := conn.Write(requests[i%len(requests)]); err != nil {
			return took
		}
		if !readReply(r, s.body) {
			return took
		}
		took = append(took, time.Since(began))
	}
}

// readReply reads a reply, and reports whether it is the expected one.
func readReply(r *bufio.Reader, body int) bool {
	length := -1
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		switch {
		case err != nil, first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200")):
			return false
		case len(line) == 2:
			n, err := io.CopyN(io.Discard, r, int64(length))
			return err == nil && n == int64(body)
		}
		if name, value, ok := bytes.Cut(line, []byte(": ")); ok && bytes.EqualFold(name, []byte("Content-Length")) {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
		}
	}
}
