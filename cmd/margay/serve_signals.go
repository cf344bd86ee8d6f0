package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilStopped returns a context that ends with an interrupt or SIGTERM.
func untilStopped(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}

// untilStoppedTwice returns a context that ends with the first such signal, and
// one that ends with the second. Both are waited for from now on: a second one
// that comes before anybody asks for it is not lost.
func untilStoppedTwice(parent context.Context) (first, second context.Context, stop context.CancelFunc) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	first, endFirst := context.WithCancel(parent)
	second, endSecond := context.WithCancel(context.WithoutCancel(parent))
	go func() {
		for _, end := range []context.CancelFunc{endFirst, endSecond} {
			select {
			case <-signals:
				end()
			case <-second.Done():
				return
			}
		}
	}()
	return first, second, func() {
		signal.Stop(signals)
		endFirst()
		endSecond()
	}
}
