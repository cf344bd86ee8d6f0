package timeout_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/timeout"
)

// A callee that gives up long after both limits was stopped by the total one:
// nothing is left to try (std-0278-timeout).
func TestTotalLimitWinsWhereBothHaveEnded(t *testing.T) {
	for _, test := range []struct {
		gaveUpAfter time.Duration
		want        timeout.Kind
	}{{6 * time.Second, timeout.Attempt}, {8 * time.Second, timeout.Total}, {12 * time.Second, timeout.Total}} {
		synctest.Test(t, func(t *testing.T) {
			s := timeout.New(timeout.Options{Attempt: 6 * time.Second, Total: 8 * time.Second})
			_, err := timeout.Run(t.Context(), s, func(context.Context) (int, error) {
				time.Sleep(test.gaveUpAfter)
				return 0, context.Canceled
			})
			missed, ok := errors.AsType[*timeout.Error](err)
			if !ok || missed.Kind != test.want {
				t.Errorf("gave up after %v: got %v, want the %v timeout", test.gaveUpAfter, err, test.want)
			}
		})
	}
}
