package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/load/loadtest"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestOracleCheck holds the findings against what the program did with the
// recorded configurations: no element is dropped and no start stops without a
// finding, and no finding says so of anything that was kept.
func TestOracleCheck(t *testing.T) {
	for _, name := range []string{"load.jsonl.gz", "load-ways.jsonl.gz"} {
		tally := oracletest.NewTally(name)
		loadtest.Each(t, name, func(r *loadtest.Recording) {
			if difference := contradiction(r); difference != "" {
				tally.Differ(r.Group, r.ID, "%s", difference)
				return
			}
			tally.Agree(r.Group)
		})
		tally.Report(t)
	}
}

func contradiction(r *loadtest.Recording) string {
	res, err := loadtest.Run(r)
	if err != nil {
		return err.Error()
	}
	cfg := schema.Decode(res.Tree, res.Bound, schema.DecodeOptions{Section: res.Section})
	list, _ := schema.Check(res, cfg, schema.CheckOptions{})
	findings := list.Sorted()
	for _, d := range findings {
		if !d.Span.IsZero() && !ofUser(res, d) && d.Rule != "syntax-error" {
			return fmt.Sprintf("finding on a text that the program writes itself: %+v", d)
		}
	}
	if res.Failure != nil {
		return ""
	}
	for i := range cfg.Dropped {
		if !said(cfg, findings, &cfg.Dropped[i]) {
			return fmt.Sprintf("nothing says that %s is dropped: %s", cfg.Dropped[i].Path, cfg.Dropped[i].Reason.Message)
		}
	}
	if stops := says(findings, "does not start", nil); stops != (cfg.Failure != nil) {
		return fmt.Sprintf("findings say that the start stops: %t, failure %v", stops, cfg.Failure)
	}
	return claimed(cfg, findings)
}

func ofUser(res *load.Result, d diag.Diagnostic) bool {
	for i, file := range res.Tree.Files {
		if file == d.Span.File {
			return res.Kind(uint16(i)) != load.Defaults
		}
	}
	return false
}

// said says whether a finding inside of a dropped element, about its name, or
// about the list that it should not be in, tells that it is dropped.
func said(cfg *config.Configuration, findings []diag.Diagnostic, dropped *config.Dropped) bool {
	key := cfg.Tree.KeySpan(dropped.Element.Node)
	return says(findings, "drops", func(d diag.Diagnostic) bool {
		return within(cfg, d, dropped) || d.Span.File == key.File && d.Span.Start == key.Start
	}) || says(findings, "Ocelot takes", func(d diag.Diagnostic) bool {
		at := cfg.Files().Span(dropped.Element.Origin)
		return d.Span.File == at.File && d.Span.Start < at.Start
	})
}

func within(cfg *config.Configuration, d diag.Diagnostic, dropped *config.Dropped) bool {
	span := cfg.Files().Span(dropped.Element.Origin)
	reason := cfg.Files().Span(dropped.Reason.At.Origin)
	return d.Span.File == span.File && span.Start <= d.Span.Start && d.Span.Start < span.End ||
		d.Span.File == reason.File && d.Span.Start == reason.Start
}

func says(findings []diag.Diagnostic, effect string, about func(diag.Diagnostic) bool) bool {
	for _, d := range findings {
		if d.Severity == diag.Error && strings.Contains(d.Effect, effect) && (about == nil || about(d)) {
			return true
		}
	}
	return false
}

// claimed returns a finding that says of a whole route that it is dropped while
// it is not; "" if there is none.
func claimed(cfg *config.Configuration, findings []diag.Diagnostic) string {
	for _, d := range findings {
		if !strings.Contains(d.Effect, "drops the whole") || d.Severity != diag.Error {
			continue
		}
		dropped := false
		for i := range cfg.Dropped {
			dropped = dropped || within(cfg, d, &cfg.Dropped[i])
		}
		if !dropped {
			return fmt.Sprintf("%s: %s, but nothing is dropped there", d.Message, d.Effect)
		}
	}
	return ""
}
