package rules_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load/loadtest"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/rules"
	"github.com/margay-dev/margay/validate/validatetest"
)

// TestOracleFindings holds findings against recorded starts: what kept Ocelot
// from starting is an error that says so, and no finding says so where it
// started.
func TestOracleFindings(t *testing.T) {
	all := rules.All()
	for _, file := range []string{"load.jsonl.gz", "load-ways.jsonl.gz"} {
		tally := oracletest.NewTally(file + ", findings")
		loadtest.Each(t, file, func(r *loadtest.Recording) { replayFindings(tally, r, all) })
		tally.Report(t)
	}
}

func TestOracleFindingsOfCorpus(t *testing.T) {
	all := rules.All()
	tally := oracletest.NewTally("load-corpus.jsonl.gz, findings")
	loadtest.EachOfCorpus(t, func(r *loadtest.Recording) { replayFindings(tally, r, all) })
	tally.Report(t)
}

func replayFindings(tally *oracletest.Tally, r *loadtest.Recording, all []*validate.Rule) {
	var want struct{ Phase *string }
	if err := r.Answer(&want); err != nil {
		tally.Differ(r.Group, r.ID, "%v", err)
		return
	}
	loaded, err := loadtest.Run(r)
	if err != nil {
		tally.Differ(r.Group, r.ID, "%v", err)
		return
	}
	in, reported := validatetest.InputOf(loaded, profileOf(r))
	told := ""
	for _, d := range validate.Run(in, all, reported, validate.Options{}).Sorted() {
		if d.Severity == diag.Error && strings.Contains(d.Effect, "Ocelot does not start") {
			told = d.Rule + ": " + d.Message
		}
	}
	switch {
	case want.Phase != nil && told == "":
		tally.Differ(r.Group, r.ID, "Ocelot does not start (%s), and no error says so", *want.Phase)
	case want.Phase == nil && told != "":
		tally.Differ(r.Group, r.ID, "Ocelot starts, but got %s", told)
	default:
		tally.Agree(r.Group)
	}
}

// profileOf returns what the recorded program had registered. Schemes that are
// no list are a text: every name counts.
func profileOf(r *loadtest.Recording) profile.Profile {
	p := profile.Profile{NoDiscovery: !r.Profile.Discovery}
	p.Provider, _ = profile.ParseProvider(r.Profile.QoS)
	if json.Unmarshal(r.Profile.Schemes, &p.Schemes) == nil && p.Schemes == nil {
		p.Schemes = []string{}
	}
	return p
}
