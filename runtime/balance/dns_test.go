package balance_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/plan"
)

// slowServer answers a minute after it was asked, or not at all to who leaves.
type slowServer struct{ asked, left atomic.Int32 }

func (s *slowServer) LookupHost(ctx context.Context, _ string) ([]string, error) {
	s.asked.Add(1)
	select {
	case <-time.After(time.Minute):
		return []string{"10.0.0.1"}, nil
	case <-ctx.Done():
		s.left.Add(1)
		return nil, ctx.Err()
	}
}

func (s *slowServer) LookupSRV(context.Context, string, string, string) (string, []*net.SRV, error) {
	return "", nil, errors.New("not asked")
}

// TestWaitingForNameServersEndsWithTheContext: those who ask for one name
// share a question, which lasts until the last of them has left.
func TestWaitingForNameServersEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slowServer{}
		d := &balance.DNS{Resolver: s, Timeout: time.Hour}
		ask := func(patience time.Duration) error {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			start := time.Now()
			_, err := d.Find(ctx, plan.LookupAddresses, "orders", 80)
			if took := time.Since(start); took != min(patience, time.Minute) {
				t.Errorf("waited %v with a patience of %v", took, patience)
			}
			return err
		}
		ended := make(chan error, 2)
		go func() { ended <- ask(2 * time.Second) }()
		go func() { ended <- ask(time.Second) }()
		for range 2 {
			if err := <-ended; !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want the end of the context", err)
			}
		}
		synctest.Wait()
		if s.asked.Load() != 1 || s.left.Load() != 1 {
			t.Errorf("asked %d times, %d given up; want one question, given up", s.asked.Load(), s.left.Load())
		}
		if err := ask(time.Hour); err != nil {
			t.Errorf("got %v for a name that others did not wait for", err)
		}
	})
}

// TestWhoComesAsTheLastOneLeavesIsAnswered: the question that is being given up
// does not answer for the next one.
func TestWhoComesAsTheLastOneLeavesIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &balance.DNS{Resolver: &slowServer{}, Timeout: time.Hour}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			time.Sleep(time.Second)
			cancel()
		}()
		_, _ = d.Find(ctx, plan.LookupAddresses, "orders", 80)
		if hosts, err := d.Find(t.Context(), plan.LookupAddresses, "orders", 80); err != nil || len(hosts) != 1 {
			t.Errorf("got %v, %v, want the host", hosts, err)
		}
	})
}

// partialServer answers as net.Resolver does where one of the records is
// malformed: with the others, and an error.
type partialServer struct{ nameServer }

func (*partialServer) LookupSRV(context.Context, string, string, string) (string, []*net.SRV, error) {
	return "", []*net.SRV{{Target: "a.example.", Port: 81}}, &net.DNSError{Err: "DNS response contained records which contain invalid names"}
}

func TestOneMalformedRecordTakesNobodysHosts(t *testing.T) {
	d := &balance.DNS{Resolver: &partialServer{}}
	hosts, err := d.Find(t.Context(), plan.LookupSRV, "orders", 0)
	if err != nil || fmt.Sprint(hosts) != "[{a.example 81}]" {
		t.Errorf("got %v, %v, want the sound record", hosts, err)
	}
}

// oneNameServer knows one name and does not answer for others.
type oneNameServer struct{ nameServer }

func (*oneNameServer) LookupHost(_ context.Context, name string) ([]string, error) {
	if name == "blue" {
		return []string{"10.0.0.1"}, nil
	}
	return nil, errors.New("no name server answers")
}

func TestAServiceOfSeveralNamesHasTheHostsOfThoseThatAreKnown(t *testing.T) {
	d := balance.Services{DNS: &balance.DNS{Resolver: &oneNameServer{}}, List: []plan.Service{
		{Name: "both", Lookup: plan.LookupAddresses, Hosts: []plan.Host{{Name: "green"}, {Name: "blue"}}},
		{Name: "none", Lookup: plan.LookupAddresses, Hosts: []plan.Host{{Name: "green"}, {Name: "red"}}},
	}}
	if got := find(t, d, "both", ""); got != "[{10.0.0.1 0}]" {
		t.Errorf("got %s, want the host of the name that is known", got)
	}
	if _, _, err := d.Find(t.Context(), "none", ""); err == nil {
		t.Error("got no error where no name is known")
	}
}
