package pipeline

import (
	"net/http"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
)

// attempt asks the breaker, makes one attempt under the attempt timeout, and
// reports its outcome to the breaker, whatever becomes of it.
func (c *call) attempt() error {
	if c.breaker == nil {
		return c.told()
	}
	permit, err := c.breaker.Acquire()
	if err != nil {
		return err
	}
	defer permit.Failure() // after a panic or Goexit only: else it is reported
	err = c.told()
	c.report(&permit, err)
	return err
}

// told makes one attempt, and tells whoever chose the host what it was.
func (c *call) told() error {
	if c.hosts == nil {
		return c.try()
	}
	told := false
	defer func() {
		if !told { // it panicked or ended the goroutine
			c.op.judged(breaker.Failure)
		}
	}()
	err := c.try()
	c.op.judged(c.judge.result(c.ctx, c.op, c.attempts.Attempt(), err))
	told = true
	return err
}

// try makes one attempt. Its context ends with the attempt, or with the body of
// the response that it brought.
func (c *call) try() error {
	attempt := c.timeouts.AttemptAt(c.started)
	if attempt == nil {
		return c.op.try(c.ctx)
	}
	kept := false
	defer func() {
		if !kept {
			attempt.Release()
		}
	}()
	err := attempt.Outcome(c.op.try(attempt))
	if err == nil {
		c.op.keep(attempt)
		kept = true
	}
	return err
}

func (c *call) report(permit *breaker.Permit, err error) {
	o := breaker.Outcome{Result: c.judge.result(c.ctx, c.op, c.attempts.Attempt(), err), Status: c.op.status()}
	if err != nil && isTimeout(err) {
		o.Status = http.StatusGatewayTimeout // as the proxy in front of oxy would answer
	}
	if c.timesBreaker {
		o.Latency = time.Since(c.started)
	}
	if o.Result == breaker.Failure {
		c.events.remember(c, err)
	}
	permit.Report(o)
}
