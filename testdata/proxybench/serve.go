package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// startServe starts margay itself, or another build of it, with a plan.
func (b *bench) startServe(name, program string) (peer, error) {
	file := filepath.Join(b.dir, fmt.Sprintf("plan-%d.json", b.routes))
	out, err := os.Create(file)
	if err != nil {
		return peer{}, err
	}
	defer out.Close()
	if err := planOf(b.backend, b.routes, qos(b.breakDuration)).Encode(out); err != nil {
		return peer{}, err
	}
	return b.serveFile(name, program, file)
}

// serveFile starts margay with a file, and waits until it is ready.
func (b *bench) serveFile(name, program, file string) (peer, error) {
	path, err := found(program)
	if err != nil {
		return peer{}, err
	}
	c := exec.Command(path, "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", file)
	stderr, err := c.StderrPipe()
	if err != nil {
		return peer{}, err
	}
	if err := b.run(c); err != nil {
		return peer{}, err
	}
	p := peer{name: name, pid: c.Process.Pid}
	r := bufio.NewReader(stderr)
	for p.address == "" {
		line, err := r.ReadString('\n')
		if err != nil {
			return p, fmt.Errorf("margay serve %s: %w %s", file, err, line)
		}
		if addresses, ok := strings.CutPrefix(strings.TrimSpace(line), "ready listen="); ok {
			p.address, p.admin, _ = strings.Cut(addresses, " admin=")
		}
	}
	reloaded := make(chan string, 1)
	p.reloaded = reloaded
	go follow(r, reloaded)
	return p, nil
}

// follow reads what serve logs, and passes on what became of reloads.
func follow(log *bufio.Reader, reloaded chan<- string) {
	for {
		line, err := log.ReadString('\n')
		if err != nil {
			close(reloaded)
			return
		}
		if strings.Contains(line, "msg=reloaded") || strings.Contains(line, "not reloaded") {
			reloaded <- strings.TrimSpace(line)
		}
	}
}

// metric asks the admin of serve for one figure.
func (p peer) metric(name string) (float64, error) {
	resp, err := http.Get("http://" + p.admin + "/metrics")
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	_, rest, ok := strings.Cut(string(text), "\n"+name+" ")
	if !ok {
		return 0, fmt.Errorf("there is no metric %s", name)
	}
	figure, _, _ := strings.Cut(rest, "\n")
	return strconv.ParseFloat(figure, 64)
}

// memory weighs routes that nobody asks for.
func memory(b *bench) error {
	const few = 10
	var heap, resident [2]float64
	for i, routes := range []int{few, few + b.many} {
		file := filepath.Join(b.dir, "ocelot.json")
		if err := os.WriteFile(file, []byte(configurationOf(b.backend, routes, 0)), 0o644); err != nil {
			return err
		}
		p, err := b.serveFile("serve", "margay", file)
		if err != nil {
			return err
		}
		if heap[i], err = p.metric("go_memstats_heap_alloc_bytes"); err != nil {
			return err
		}
		if resident[i], err = p.metric("process_resident_memory_bytes"); err != nil {
			return err
		}
	}
	per := func(of [2]float64) float64 { return (of[1] - of[0]) / float64(b.many) / 1024 }
	fmt.Printf("\nmemory: serve with %d idle routes from ocelot.json\n", b.many)
	fmt.Printf("%-16s %8.2f KiB a route\n%-16s %8.2f KiB a route, %.0f MiB in all\n", "heap", per(heap), "resident", per(resident), resident[1]/1024/1024)
	fmt.Printf("goal: 4 KiB of heap a route or less: %s\n", verdict(per(heap) <= 4))
	return nil
}

// configurationOf is an Ocelot configuration with the routes that the load asks
// for. Versions differ in one number of one route.
func configurationOf(backend string, routes, version int) string {
	host, port, _ := strings.Cut(backend, ":")
	var b strings.Builder
	b.WriteString("{ \"Routes\": [\n")
	for i := range routes {
		if i > 0 {
			b.WriteString(",\n")
		}
		pause := 1000
		if i == 0 {
			pause += version
		}
		fmt.Fprintf(&b, `  { "UpstreamPathTemplate": "/api/v1/resource%d/items/{id}", "UpstreamHttpMethod": [ "GET" ], "DownstreamPathTemplate": "/v1/resource%d/{id}",
    "DownstreamScheme": "http", "DownstreamHostAndPorts": [ { "Host": "%s", "Port": %s } ],
    "QoSOptions": { "MinimumThroughput": 10, "BreakDuration": %d, "Timeout": 5000 } }`, i, i, host, port, pause)
	}
	b.WriteString("\n] }\n")
	return b.String()
}
