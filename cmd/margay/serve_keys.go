package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/margay-dev/margay/runtime/guard"
)

// keysInterval is the time between two looks at the keys of issuers. Fetches
// are much rarer: their schemes keep to pauses of their own.
const keysInterval = time.Second

// followKeys fetches the keys of issuers at once, aside, and again before they
// are too old or a while after it went wrong, until ctx is done.
func (s *serving) followKeys(ctx context.Context) {
	ticker := time.NewTicker(keysInterval)
	defer ticker.Stop()
	log := keyLog{logger: s.logger, failing: map[string]bool{}}
	for {
		s.guards.Load().RefreshKeys()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			log.look(s.guards.Load().Keys())
		}
	}
}

// keyLog logs when keys cannot be fetched any more, and when they can again.
type keyLog struct {
	logger  *slog.Logger
	failing map[string]bool // by the name of the scheme
}

func (l *keyLog) look(all []guard.SchemeKeys) {
	for _, k := range all {
		failing := k.Err != nil
		switch {
		case failing == l.failing[k.Name]:
			continue
		case failing:
			l.logger.Warn("keys of an issuer cannot be fetched", "scheme", k.Name, "issuer", k.Issuer, "keys_at_hand", k.Count, "error", k.Err)
		default:
			l.logger.Info("keys of an issuer are fetched again", "scheme", k.Name, "issuer", k.Issuer, "keys_at_hand", k.Count)
		}
		l.failing[k.Name] = failing
	}
}
