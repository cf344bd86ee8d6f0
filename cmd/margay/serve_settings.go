package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/jsonc"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/guard/bearer"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/settings"
	"github.com/margay-dev/margay/validate/rules"
)

// surroundings are what no configuration says and only the application knew:
// who signs tokens, and where services are.
type surroundings struct {
	schemes  map[string]guard.Scheme
	services []plan.Service
	// files are those that it was read from.
	files []string
}

// surroundings reads them off the settings of the path and --auth.
func (s *serving) surroundings(p *program) (*surroundings, error) {
	cache := &settingsCache{explicit: s.c.IsSet(flagConfig), path: s.c.String(flagConfig), known: map[string]*settings.Settings{}}
	read, err := p.settings(s.path(), s.c.String(flagStdinName), cache, rules.All())
	if err != nil {
		return nil, err
	}
	out := &surroundings{}
	dir := "."
	for name := range cache.known {
		out.files = append(out.files, name)
		dir = filepath.Dir(name)
	}
	if out.services, err = servicesOf(read.Services); err != nil {
		return nil, err
	}
	auth := read.Auth
	if name := s.c.String(flagAuth); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, cause(err))
		}
		auth, dir = json.RawMessage(jsonc.ToJSON(text)), filepath.Dir(name)
		out.files = append(out.files, name)
	}
	return out, out.addSchemes(auth, dir)
}

// addSchemes makes the schemes. Key files are named from a folder.
func (o *surroundings) addSchemes(auth json.RawMessage, dir string) error {
	o.schemes = map[string]guard.Scheme{}
	if len(auth) == 0 {
		return nil
	}
	all, err := bearer.ReadSettings(auth, dir)
	if err != nil {
		return fmt.Errorf("read authentication schemes: %w", err)
	}
	for _, one := range all {
		if one.Keys != "" {
			o.files = append(o.files, one.Keys)
		}
	}
	o.schemes, err = guard.Schemes(all, nil)
	return err
}

// servicesOf reads the addresses of services, sorted by name.
func servicesOf(written map[string][]string) ([]plan.Service, error) {
	var services []plan.Service
	for _, name := range slices.Sorted(maps.Keys(written)) {
		service := plan.Service{Name: name}
		if namespace, rest, ok := strings.Cut(name, "."); ok {
			service.Namespace, service.Name = namespace, rest
		}
		for _, address := range written[name] {
			scheme, host, err := hostOf(address)
			if err != nil {
				return nil, usage("write for instance http://10.0.0.1:8080", "service %q has the address %q: %v", name, address, err)
			}
			if service.Scheme != "" && service.Scheme != scheme {
				return nil, usage("", "service %q has addresses with http and with https", name)
			}
			service.Scheme, service.Hosts = scheme, append(service.Hosts, host)
		}
		services = append(services, service)
	}
	return services, nil
}

// hostOf reads an address of a service.
func hostOf(address string) (scheme string, host plan.Host, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", host, errors.New("it is no URL with http or https")
	}
	if u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.User != nil {
		return "", host, errors.New("it has more than a host and a port")
	}
	host.Name = u.Hostname()
	if port := u.Port(); port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return "", host, errors.New("its port is none")
		}
		host.Port = int(n)
	}
	return u.Scheme, host, nil
}
