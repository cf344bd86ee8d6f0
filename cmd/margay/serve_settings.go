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
// who signs tokens, where services are, and when a host is passed over.
type surroundings struct {
	schemes  map[string]guard.Scheme
	services []plan.Service
	health   passiveHealth
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
	if out.health, err = passiveHealthOf(s.c, read.PassiveHealth); err != nil {
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
			lookup, scheme, host, err := hostOf(address)
			if err != nil {
				return nil, usage("write for instance http://10.0.0.1:8080", "service %q has the address %q: %v", name, address, err)
			}
			if len(service.Hosts) > 0 && (service.Scheme != scheme || service.Lookup != lookup) {
				return nil, usage("", "service %q has addresses with different schemes", name)
			}
			service.Scheme, service.Lookup, service.Hosts = scheme, lookup, append(service.Hosts, host)
		}
		services = append(services, service)
	}
	return services, nil
}

// hostOf reads an address of a service: a URL, with dns+ or srv+ in front where
// name servers know its hosts.
func hostOf(address string) (lookup plan.Lookup, scheme string, host plan.Host, err error) {
	kind, rest, _ := strings.Cut(address, "+http")
	switch {
	case kind == address:
		scheme, host, err = urlOf(address)
		return "", scheme, host, err
	case kind == "dns":
		lookup = plan.LookupAddresses
	case kind == "srv":
		lookup = plan.LookupSRV
	default:
		return "", "", host, errors.New("it is no URL with http or https, nor with dns+http or srv+http")
	}
	// A name with {service} or {namespace} is no host of a URL.
	scheme, name, ok := strings.Cut("http"+rest, "://")
	name, port, _ := strings.Cut(name, ":")
	if !ok || name == "" || strings.ContainsAny(name, "/?#@ ") || scheme != "http" && scheme != "https" {
		return "", "", host, errors.New("it is no name of name servers")
	}
	if lookup == plan.LookupSRV && port != "" {
		return "", "", host, errors.New("SRV records have ports of their own")
	}
	host = plan.Host{Name: name}
	host.Port, err = portOf(port)
	return lookup, scheme, host, err
}

// urlOf reads a URL that names a host.
func urlOf(address string) (scheme string, host plan.Host, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", host, errors.New("it is no URL with http or https")
	}
	if u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.User != nil {
		return "", host, errors.New("it has more than a host and a port")
	}
	host.Name = u.Hostname()
	host.Port, err = portOf(u.Port())
	return u.Scheme, host, err
}

func portOf(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return 0, errors.New("its port is none")
	}
	return int(n), nil
}
