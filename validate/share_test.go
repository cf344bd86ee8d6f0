package validate_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/margay-dev/margay/validate"
)

func TestShareMakesOnce(t *testing.T) {
	type key struct{}
	var in validate.Input
	var made atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got := validate.Share(&in, key{}, func() int { return int(made.Add(1)) }); got != 1 {
				t.Errorf("got %d, want what was made first", got)
			}
		})
	}
	group.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times, want once", made.Load())
	}
}
