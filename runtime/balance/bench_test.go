package balance_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/plan"
)

// BenchmarkPick is a choice without judging hosts, with all of them well, and
// with one that fails.
func BenchmarkPick(bench *testing.B) {
	for _, n := range []int{3, 10, 1000} {
		for _, o := range kinds() {
			b, err := balance.New(o)
			if err != nil {
				bench.Fatal(err)
			}
			list := make([]plan.Host, n)
			for i := range list {
				list[i].Name = fmt.Sprintf("h%d", i)
			}
			hosts := b.Hosts("http", list)
			well, failing := judging(), judging()
			breakHost(failing, hosts[n/2])
			r := &http.Request{Header: http.Header{"Cookie": {"sid=1"}}}
			for name, pick := range map[string]func(){
				"unjudged": func() { b.Pick(hosts, r).Release() },
				"well": func() {
					c := b.PickHealthy(hosts, r, well)
					c.Permit.Success()
					c.Host.Release()
				},
				"one fails": func() {
					c := b.PickHealthy(hosts, r, failing)
					c.Permit.Success()
					c.Host.Release()
				},
			} {
				bench.Run(fmt.Sprintf("%s/%d/%s", o.Type, n, name), func(bench *testing.B) {
					bench.ReportAllocs()
					for bench.Loop() {
						pick()
					}
				})
			}
		}
	}
}
