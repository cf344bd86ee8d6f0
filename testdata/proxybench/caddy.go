package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// caddyModule is what is built where no caddy is installed.
const caddyModule = "github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9"

func (b *bench) startCaddy() (peer, error) {
	path, err := found("caddy")
	if err != nil {
		if path, err = b.buildCaddy(); err != nil {
			return peer{}, err
		}
	}
	address := freeAddress()
	_, port, _ := strings.Cut(address, ":")
	conf := fmt.Sprintf("{\n admin off\n auto_https off\n log {\n  level ERROR\n }\n}\nhttp://:%s {\n bind 127.0.0.1\n reverse_proxy %s\n}\n", port, b.backend)
	file := filepath.Join(b.dir, "Caddyfile")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		return peer{}, err
	}
	return b.listening("caddy", address, exec.Command(path, "run", "--config", file, "--adapter", "caddyfile"))
}

// buildCaddy builds Caddy into the folder of the part. The second time it comes
// from the build cache.
func (b *bench) buildCaddy() (string, error) {
	fmt.Fprintln(os.Stderr, "building", caddyModule)
	c := exec.Command("go", "install", caddyModule)
	c.Dir = b.dir // outside of this module
	c.Env = append(os.Environ(), "GOBIN="+b.dir, "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return "", fmt.Errorf("%w, and cannot be built: %v: %s", errAbsent, err, lines[len(lines)-1])
	}
	return filepath.Join(b.dir, "caddy"), nil
}
