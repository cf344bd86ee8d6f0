package change

import (
	"fmt"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/prose"
)

// rateLimit words how often a client may call. Without the header by which
// clients are told apart a request is answered 503.
func (w *wording) rateLimit() {
	a, b := w.old.route.RateLimit, w.new.route.RateLimit
	switch {
	case a == nil && b == nil:
	case a == nil:
		w.say("rateLimit", w.take("rateLimit"), "limits each client to "+limitText(b)+"; there was no limit").Detail = withoutHeader(b)
	case b == nil:
		w.say("rateLimit", w.take("rateLimit"), "no rate limit any more (each client had "+limitText(a)+")")
	default:
		if fields := w.take("rateLimit.limit", "rateLimit.period", "rateLimit.periodText"); len(fields) > 0 {
			w.say("rateLimit", fields, "limits each client to "+limitText(b)+" instead of "+limitText(a))
		}
		if fields := w.take("rateLimit.clientHeader"); len(fields) > 0 {
			w.say("rateLimit", fields, fmt.Sprintf("tells clients apart by the header %s instead of %s", b.ClientHeader, a.ClientHeader)).Detail = withoutHeader(b)
		}
	}
}

func limitText(l *plan.RateLimit) string {
	return prose.Plural(l.Limit, "request") + " per " + l.PeriodText
}

func withoutHeader(l *plan.RateLimit) string {
	return "a request without the header " + l.ClientHeader + " is answered 503"
}
