package balance

import (
	"context"

	"github.com/margay-dev/margay/runtime/plan"
)

// Discovery finds the hosts of services while requests wait for them.
type Discovery interface {
	// Find returns the hosts of a service, none if there is no such service. It
	// is asked for every request and answers from memory where it can. The scheme
	// is empty where the route decides on it.
	Find(ctx context.Context, service, namespace string) (scheme string, hosts []plan.Host, err error)
}

// Static is a Discovery of services that are listed.
type Static []plan.Service

// Find returns the hosts that are listed for the service in its namespace; an
// empty namespace is one like any other.
func (s Static) Find(_ context.Context, service, namespace string) (string, []plan.Host, error) {
	for i := range s {
		if s[i].Name == service && s[i].Namespace == namespace {
			return s[i].Scheme, s[i].Hosts, nil
		}
	}
	return "", nil, nil
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
