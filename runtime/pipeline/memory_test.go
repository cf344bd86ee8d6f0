package pipeline_test

import (
	"fmt"
	stdruntime "runtime"
	"testing"

	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
)

// TestMemoryOfAnIdleRoute holds a route with every strategy below the 4 KiB
// that are promised for one that nobody asks for.
func TestMemoryOfAnIdleRoute(t *testing.T) {
	const n, limit = 1000, 4 << 10
	routes := make([]plan.Route, n)
	for i := range routes {
		routes[i] = named(fmt.Sprint("/", i), wholeRoute())
	}
	before := heap()
	set := newSet(t, pipeline.Options{}, routes...)
	if got := int64(heap()-before) / n; got > limit { // what others left may go meanwhile
		t.Errorf("got %d bytes a route, want at most %d", got, limit)
	} else {
		t.Logf("%d bytes a route", got)
	}
	stdruntime.KeepAlive(set)
}

func heap() uint64 {
	stdruntime.GC()
	stdruntime.GC()
	var m stdruntime.MemStats
	stdruntime.ReadMemStats(&m)
	return m.HeapAlloc
}
