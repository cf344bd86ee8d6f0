package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
)

// Fingerprints returns what identifies each finding from run to run, in the
// same order: 32 hexadecimal digits of the rule and the subject, never of the
// line, the place in a list or the wording, so that it survives moved lines,
// reordered routes and a better message. Findings that have all of these in
// common are numbered in their order, the first one has no number. Pass all
// findings of a run, since a number depends on those before it.
func Fingerprints(ds []diag.Diagnostic) []string {
	seen := map[string]int{}
	prints := make([]string, len(ds))
	for i := range ds {
		own := Fingerprint(ds[i])
		seen[own]++
		prints[i] = own
		if n := seen[own]; n > 1 {
			prints[i] = fmt.Sprintf("%s-%d", own, n)
		}
	}
	return prints
}

// Fingerprint returns what a finding has in common with all others of its rule
// about the same subject: the fingerprint without a number. Lengths go into the
// hash as well, so that a text cannot pass for two.
func Fingerprint(d diag.Diagnostic) string {
	const digits = 32
	hash := sha256.New()
	for _, text := range []string{d.Rule, d.Subject.Route, d.Subject.Option} {
		fmt.Fprintf(hash, "%d:%s", len(text), text)
	}
	return hex.EncodeToString(hash.Sum(nil))[:digits]
}

// printed is a finding that is printed, with its fingerprint.
type printed struct {
	diag.Diagnostic
	fingerprint string
}

// printed returns the findings that are bad enough to print. Fingerprints do
// not depend on which these are.
func (o Options) printed(ds []diag.Diagnostic) []printed {
	least := o.least()
	var out []printed
	for i, fingerprint := range Fingerprints(ds) {
		if ds[i].Severity >= least {
			out = append(out, printed{ds[i], fingerprint})
		}
	}
	return out
}
