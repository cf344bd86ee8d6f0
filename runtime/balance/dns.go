package balance

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
)

// Resolver asks name servers. *net.Resolver is one.
type Resolver interface {
	LookupHost(ctx context.Context, host string) ([]string, error)
	LookupSRV(ctx context.Context, service, proto, name string) (string, []*net.SRV, error)
}

// DNS finds hosts by name. What it found is used for a while, and beyond that
// while it is looked up anew: who asks then does not wait, and a name server
// that is gone takes nobody's hosts away.
//
// The zero value asks the system's resolver. It is safe for concurrent use.
type DNS struct {
	// Resolver is asked. Nil: net.DefaultResolver.
	Resolver Resolver
	// TTL is how long an answer is used. 0: 5 seconds. (Name servers say that
	// too, but the system does not pass it on.)
	TTL time.Duration
	// Timeout bounds a question. 0: 5 seconds.
	Timeout time.Duration

	mu    sync.Mutex
	known map[question]*answer // guarded by mu
}

type question struct {
	lookup plan.Lookup
	name   string
	port   int
}

// answer is what is known of a name.
type answer struct {
	mu     sync.Mutex
	hosts  []plan.Host // guarded by mu
	err    error       // guarded by mu: of the last question
	asked  time.Time   // guarded by mu: when the last question was answered; zero: never
	asking *asking     // guarded by mu: nil, nobody does
}

// asking is a question that is on its way, for all who want to know.
type asking struct {
	over    chan struct{} // closed at its end
	cancel  context.CancelFunc
	waiting int // guarded by answer.mu
}

// maxNames bounds the names that are remembered.
const maxNames = 10_000

// Find returns the hosts of a name: its addresses, with port, or those that its
// SRV records list, of the lowest priority. Without an answer so far it waits
// for one, for as long as ctx lets it. A name that does not exist has no hosts
// and is no error.
func (d *DNS) Find(ctx context.Context, lookup plan.Lookup, name string, port int) ([]plan.Host, error) {
	q := question{lookup, name, port}
	a := d.answer(q)
	for {
		hosts, wait, err := d.look(q, a)
		if wait == nil {
			return hosts, err
		}
		select {
		case <-wait.over: // with an answer, or as those left who had asked
		case <-ctx.Done():
			a.leave(wait)
			return nil, context.Cause(ctx)
		}
	}
}

// look returns what is known of a name, or what to wait for, and asks where that
// is nothing or old.
func (d *DNS) look(q question, a *answer) ([]plan.Host, *asking, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	age := time.Since(a.asked)
	missing := a.asked.IsZero() || len(a.hosts) == 0 && age >= negative
	if a.asking == nil && (missing || age >= d.ttl()) {
		ctx, cancel := context.WithCancel(context.Background())
		a.asking = &asking{over: make(chan struct{}), cancel: cancel}
		go d.ask(ctx, q, a, a.asking)
	}
	switch {
	case missing:
		a.asking.waiting++
		return nil, a.asking, nil
	case len(a.hosts) > 0:
		return a.hosts, nil, nil
	}
	return nil, nil, a.err
}

// leave is for who waits no longer. A question that nobody waits for ends: it may
// be about a name that a client has made up.
func (a *answer) leave(w *asking) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if w.waiting--; w.waiting == 0 {
		w.cancel()
	}
}

// negative is how long a name without hosts is not asked for again.
const negative = time.Second

func (d *DNS) ttl() time.Duration {
	if d.TTL > 0 {
		return d.TTL
	}
	return 5 * time.Second
}

func (d *DNS) answer(q question) *answer {
	d.mu.Lock()
	defer d.mu.Unlock()
	if a := d.known[q]; a != nil {
		return a
	}
	if d.known == nil || len(d.known) >= maxNames {
		d.known = map[question]*answer{}
	}
	a := &answer{}
	d.known[q] = a
	return a
}

// ask asks name servers, and tells those who wait.
func (d *DNS) ask(ctx context.Context, q question, a *answer, w *asking) {
	defer w.cancel()
	hosts, err := d.lookup(ctx, q)
	a.mu.Lock()
	defer a.mu.Unlock()
	if ctx.Err() == nil { // that everybody left says nothing about the name
		a.take(hosts, err)
	}
	a.asking = nil
	close(w.over)
}

// take takes an answer. A name server that does not answer leaves what is
// known, an answer that there are no hosts does not. a.mu is held.
func (a *answer) take(hosts []plan.Host, err error) {
	a.asked, a.err = time.Now(), err
	if err == nil {
		a.hosts = hosts
	}
}

func (d *DNS) lookup(ctx context.Context, q question) ([]plan.Host, error) {
	timeout := d.Timeout
	if timeout <= 0 {
		timeout = 5 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	hosts, err := d.resolve(ctx, q)
	if missing, ok := errors.AsType[*net.DNSError](err); ok && missing.IsNotFound {
		return nil, nil
	}
	return hosts, err
}

func (d *DNS) resolve(ctx context.Context, q question) ([]plan.Host, error) {
	var resolver Resolver = net.DefaultResolver
	if d.Resolver != nil {
		resolver = d.Resolver
	}
	if q.lookup == plan.LookupSRV {
		_, records, err := resolver.LookupSRV(ctx, "", "", q.name)
		if len(records) > 0 { // an error beside them is about others, with names that cannot be
			err = nil
		}
		return hostsOf(records), err
	}
	addresses, err := resolver.LookupHost(ctx, q.name)
	slices.Sort(addresses) // name servers turn them round
	hosts := make([]plan.Host, 0, len(addresses))
	for _, address := range addresses {
		hosts = append(hosts, plan.Host{Name: address, Port: q.port})
	}
	return hosts, err
}

// hostsOf returns the targets of the lowest priority, sorted.
func hostsOf(records []*net.SRV) []plan.Host {
	var hosts []plan.Host
	lowest := uint16(1<<16 - 1)
	for _, r := range records {
		lowest = min(lowest, r.Priority)
	}
	for _, r := range records {
		if r.Priority == lowest {
			hosts = append(hosts, plan.Host{Name: strings.TrimSuffix(r.Target, "."), Port: int(r.Port)})
		}
	}
	slices.SortFunc(hosts, func(a, b plan.Host) int {
		if a.Name != b.Name {
			return strings.Compare(a.Name, b.Name)
		}
		return a.Port - b.Port
	})
	return hosts
}
