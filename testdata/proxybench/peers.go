package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// peer is one proxy under load.
type peer struct {
	name    string
	address string
	pid     int
}

// pids are its processes: its own and its children.
func (p peer) pids() []int {
	all := []int{p.pid}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", p.pid, p.pid))
	for _, field := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(field); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// cpuOf returns the CPU seconds that processes have used.
func cpuOf(pids []int) (float64, error) {
	const ticks = 100 // USER_HZ of Linux
	total := 0
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return 0, err
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		total += user + system
	}
	return float64(total) / ticks, nil
}

// start starts the backend and the peers that can be had, nginx first.
func start(s settings) (peers []peer, stop func(), err error) {
	var running []*exec.Cmd
	dir, err := os.MkdirTemp("", "proxybench")
	if err != nil {
		return nil, func() {}, err
	}
	stop = func() {
		for _, c := range running {
			_ = c.Process.Signal(os.Interrupt)
			done := time.AfterFunc(3*time.Second, func() { _ = c.Process.Kill() })
			_ = c.Wait()
			done.Stop()
		}
		os.RemoveAll(dir)
	}
	backend, process, err := startBackend(dir, s)
	if err != nil {
		return nil, stop, err
	}
	running = append(running, process)
	for name := range strings.SplitSeq(s.peers, ",") {
		p, process, err := startPeer(name, dir, backend, s)
		if errors.Is(err, exec.ErrNotFound) {
			fmt.Printf("SKIPPED %s: it is not installed\n", name)
			continue
		}
		if err != nil {
			return nil, stop, fmt.Errorf("start %s: %w", name, err)
		}
		running = append(running, process)
		peers = append(peers, p)
	}
	return peers, stop, nil
}

// startBackend starts nginx as the backend, or our own where there is none.
func startBackend(dir string, s settings) (string, *exec.Cmd, error) {
	body := filepath.Join(dir, "body")
	if err := os.WriteFile(body, []byte(strings.Repeat("x", s.body)), 0o644); err != nil {
		return "", nil, err
	}
	address := freeAddress()
	conf := fmt.Sprintf(nginxHead, 1, dir, dir) + fmt.Sprintf(`
    server { listen %s backlog=4096; location / { rewrite ^ /body break; root %s; default_type application/json; add_header X-Backend one; } }
    open_file_cache max=10;
}`, address, dir)
	c, err := nginx(dir, "backend.conf", conf)
	if errors.Is(err, exec.ErrNotFound) {
		_, c, err := startChild("backend", "", s)
		return "", c, err
	}
	return address, c, errors.Join(err, awaits(address))
}

func startPeer(name, dir, backend string, s settings) (peer, *exec.Cmd, error) {
	switch name {
	case "nginx":
		return startNginx(dir, backend)
	case "serve":
		return startServe(dir, backend, s)
	case "caddy":
		return startCaddy(dir, backend)
	}
	return startChild(name, backend, s)
}

// startChild starts this program in a role.
func startChild(role, backend string, s settings) (peer, *exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return peer{}, nil, err
	}
	c := exec.Command(self, "-role", role, "-backend", backend, "-routes", strconv.Itoa(s.routes), "-body", strconv.Itoa(s.body))
	if s.profile != "" && role == "margay" {
		c.Args = append(c.Args, "-profile", s.profile)
	}
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return peer{}, nil, err
	}
	if err := c.Start(); err != nil {
		return peer{}, nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return peer{}, nil, err
	}
	return peer{name: role, address: strings.TrimSpace(line), pid: c.Process.Pid}, c, nil
}

const nginxHead = `daemon off; worker_processes %d; pid %s/nginx.pid; error_log stderr crit;
events { worker_connections 4096; }
http {
    access_log off; keepalive_requests 100000000; client_body_temp_path %s; tcp_nodelay on; sendfile on;
`

func startNginx(dir, backend string) (peer, *exec.Cmd, error) {
	address := freeAddress()
	own := filepath.Join(dir, "front")
	if err := os.MkdirAll(own, 0o755); err != nil {
		return peer{}, nil, err
	}
	conf := fmt.Sprintf(nginxHead, 2, own, own) + fmt.Sprintf(`
    upstream backend { server %s; keepalive 256; keepalive_requests 100000000; }
    server { listen %s backlog=4096; location / { proxy_pass http://backend; proxy_http_version 1.1; proxy_set_header Connection ""; } }
}`, backend, address)
	c, err := nginx(own, "front.conf", conf)
	if err != nil {
		return peer{}, nil, err
	}
	return peer{name: "nginx", address: address, pid: c.Process.Pid}, c, awaits(address)
}

func nginx(dir, name, conf string) (*exec.Cmd, error) {
	path, err := exec.LookPath("nginx")
	if err != nil {
		if path, err = exec.LookPath("/usr/sbin/nginx"); err != nil {
			return nil, exec.ErrNotFound
		}
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		return nil, err
	}
	c := exec.Command(path, "-p", dir, "-c", file)
	c.Stderr = os.Stderr
	return c, c.Start()
}

func startCaddy(dir, backend string) (peer, *exec.Cmd, error) {
	path, err := exec.LookPath("caddy")
	if err != nil {
		return peer{}, nil, exec.ErrNotFound
	}
	address := freeAddress()
	conf := fmt.Sprintf("{\n admin off\n auto_https off\n log {\n  level ERROR\n }\n}\nhttp://%s {\n reverse_proxy %s\n}\n", address, backend)
	file := filepath.Join(dir, "Caddyfile")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		return peer{}, nil, err
	}
	c := exec.Command(path, "run", "--config", file, "--adapter", "caddyfile")
	if err := c.Start(); err != nil {
		return peer{}, nil, err
	}
	return peer{name: "caddy", address: address, pid: c.Process.Pid}, c, awaits(address)
}

func freeAddress() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// awaits waits until somebody listens.
func awaits(address string) error {
	for range 100 {
		if c, err := net.Dial("tcp", address); err == nil {
			return c.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("nobody listens on %s", address)
}

// startServe starts margay itself, with a plan of as many routes as the load
// asks for and an access log on standard error, which nobody reads.
func startServe(dir, backend string, s settings) (peer, *exec.Cmd, error) {
	path, err := exec.LookPath("margay")
	if err != nil {
		return peer{}, nil, exec.ErrNotFound
	}
	file := filepath.Join(dir, "plan.json")
	out, err := os.Create(file)
	if err != nil {
		return peer{}, nil, err
	}
	defer out.Close()
	if err := planOf(backend, s.routes, qos).Encode(out); err != nil {
		return peer{}, nil, err
	}
	address := freeAddress()
	c := exec.Command(path, "serve", "--listen", address, "--admin", "127.0.0.1:0", file)
	if err := c.Start(); err != nil {
		return peer{}, nil, err
	}
	return peer{name: "serve", address: address, pid: c.Process.Pid}, c, awaits(address)
}
