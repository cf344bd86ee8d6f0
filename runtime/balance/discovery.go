package balance

import (
	"context"
	"errors"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// Discovery finds the hosts of services while requests wait for them.
type Discovery interface {
	// Find returns the hosts of a service, none if there is no such service. It
	// is asked for every request and answers from memory where it can. The scheme
	// is empty where the route decides on it.
	Find(ctx context.Context, service, namespace string) (scheme string, hosts []plan.Host, err error)
}

// Services is a Discovery of services that a plan lists, with their hosts or
// with names that name servers know.
type Services struct {
	List []plan.Service
	// DNS is asked for names; it may be that of another plan, with what it knows.
	DNS *DNS
}

// Find returns the hosts of the service in its namespace; an empty namespace is
// one like any other. Where the service is not listed, plan.AnyService is. The
// error is that of name servers, if none of the names has hosts.
func (s Services) Find(ctx context.Context, service, namespace string) (string, []plan.Host, error) {
	listed := s.listed(service, namespace)
	switch {
	case listed == nil:
		return "", nil, nil
	case listed.Lookup == "":
		return listed.Scheme, listed.Hosts, nil
	case !isName(service) || namespace != "" && !isName(namespace):
		return "", nil, nil // it comes from a client, and is none that DNS knows
	}
	var all []plan.Host
	var failed error
	for _, h := range listed.Hosts {
		name := strings.NewReplacer("{service}", service, "{namespace}", namespace).Replace(h.Name)
		found, err := s.DNS.Find(ctx, listed.Lookup, name, h.Port)
		all, failed = append(all, found...), errors.Join(failed, err)
	}
	if len(all) == 0 && failed != nil {
		return "", nil, failed
	}
	return listed.Scheme, all, nil
}

func (s Services) listed(service, namespace string) (found *plan.Service) {
	for i := range s.List {
		switch one := &s.List[i]; {
		case one.Name == service && one.Namespace == namespace:
			return one
		case one.Name == plan.AnyService:
			found = one
		}
	}
	return found
}

// isName reports whether a text is made of labels of host names.
func isName(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return false
		}
	}
	return len(s) < 254
}

// Always is a Discovery of one gateway that has every service.
type Always []plan.Host

// Find returns the hosts.
func (a Always) Find(context.Context, string, string) (string, []plan.Host, error) { return "", a, nil }

// Either asks one after the other, until one knows the service. Members that
// are nil know none.
type Either []Discovery

// Find returns the first hosts that are found.
func (e Either) Find(ctx context.Context, service, namespace string) (scheme string, hosts []plan.Host, err error) {
	for _, d := range e {
		if d == nil {
			continue
		}
		if scheme, hosts, err = d.Find(ctx, service, namespace); err != nil || len(hosts) > 0 {
			return scheme, hosts, err
		}
	}
	return "", nil, nil
}
