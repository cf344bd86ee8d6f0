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
	admin   string // of serve
	// reloaded has a line for every reload of serve.
	reloaded <-chan string
	pid      int
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

// startPeer starts a peer by its name; serve=PATH is another build of margay,
// so that two can be compared in one run.
func (b *bench) startPeer(name string) (peer, error) {
	if path, ok := strings.CutPrefix(name, "serve="); ok {
		return b.startServe(name, path)
	}
	switch name {
	case "nginx":
		return b.startNginx()
	case "haproxy":
		return b.startHaproxy(name, "")
	case "haproxy-down":
		return b.startHaproxy(name, "check inter 200ms fall 1")
	case "serve":
		return b.startServe(name, "margay")
	case "caddy":
		return b.startCaddy()
	}
	return b.startChild(name)
}

// startBackend starts nginx as the backend, or our own where there is none.
func (b *bench) startBackend() (string, error) {
	if err := os.WriteFile(filepath.Join(b.dir, "body"), []byte(strings.Repeat("x", b.body)), 0o644); err != nil {
		return "", err
	}
	address := freeAddress()
	conf := fmt.Sprintf(nginxHead, 1, b.dir, b.dir) + fmt.Sprintf(`
    server { listen %s backlog=4096; location / { rewrite ^ /body break; root %s; default_type application/json; add_header X-Backend one; } }
    open_file_cache max=10;
}`, address, b.dir)
	_, err := b.nginx(b.dir, conf, address)
	if errors.Is(err, errAbsent) {
		p, err := b.startChild("backend")
		return p.address, err
	}
	return address, err
}

// startChild starts this program in a role.
func (b *bench) startChild(role string) (peer, error) {
	self, err := os.Executable()
	if err != nil {
		return peer{}, err
	}
	c := exec.Command(self, "-role", role, "-backend", b.backend, "-routes", strconv.Itoa(b.routes), "-body", strconv.Itoa(b.body))
	if b.profile != "" && role == "margay" {
		c.Args = append(c.Args, "-profile", b.profile)
	}
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return peer{}, err
	}
	if err := b.run(c); err != nil {
		return peer{}, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	return peer{name: role, address: strings.TrimSpace(line), pid: c.Process.Pid}, err
}

const nginxHead = `daemon off; worker_processes %d; pid %s/nginx.pid; error_log stderr crit;
events { worker_connections 4096; }
http {
    access_log off; keepalive_requests 100000000; client_body_temp_path %s; tcp_nodelay on; sendfile on;
`

func (b *bench) startNginx() (peer, error) {
	address := freeAddress()
	own := filepath.Join(b.dir, "front")
	if err := os.MkdirAll(own, 0o755); err != nil {
		return peer{}, err
	}
	conf := fmt.Sprintf(nginxHead, 2, own, own) + fmt.Sprintf(`
    upstream backend { server %s; keepalive 256; keepalive_requests 100000000; }
    server { listen %s backlog=4096; location / { proxy_pass http://backend; proxy_http_version 1.1; proxy_set_header Connection ""; } }
}`, b.backend, address)
	return b.nginx(own, conf, address)
}

func (b *bench) nginx(dir, conf, address string) (peer, error) {
	path, err := found("nginx")
	if err != nil {
		return peer{}, err
	}
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		return peer{}, err
	}
	return b.listening("nginx", address, exec.Command(path, "-p", dir, "-c", file))
}

// startHaproxy starts haproxy with options for its server.
func (b *bench) startHaproxy(name, options string) (peer, error) {
	path, err := found("haproxy")
	if err != nil {
		return peer{}, err
	}
	address := freeAddress()
	conf := fmt.Sprintf(`global
    nbthread 2
    maxconn 4096
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
    http-reuse always
frontend front
    bind %s
    default_backend back
backend back
    server one %s %s
`, address, b.backend, options)
	file := filepath.Join(b.dir, name+".cfg")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		return peer{}, err
	}
	return b.listening(name, address, exec.Command(path, "-db", "-q", "-f", file))
}

// listening starts a program that will listen on an address.
func (b *bench) listening(name, address string, c *exec.Cmd) (peer, error) {
	if err := b.run(c); err != nil {
		return peer{}, err
	}
	return peer{name: name, address: address, pid: c.Process.Pid}, awaits(address)
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
