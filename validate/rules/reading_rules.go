package rules

import (
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

// readingRules returns the rules about whether Ocelot reads the files as they
// are meant. Those with a Check word what loading noticed; schema.Check reports
// the others.
func readingRules() []*validate.Rule {
	return []*validate.Rule{
		unreadable("syntax-error", "A file is not JSON as .NET reads it."),
		notOcelot(),
		duplicateKey(),
		commentBeforeRoot(),
		read(diag.Warning, "invalid-encoding", "A file has bytes that are not valid in its encoding."),
		unreadable("type-mismatch", "A value does not convert to the type of its option."),
		fixable(read(diag.Error, "ignored-scalar", "A single value stands where an object or a list belongs, so Ocelot ignores it.")),
		weakness(read(diag.Error, "colon-in-key", "A colon in the name of an entry splits it into objects within objects."), 863), // a claim is not enforced
		fixable(read(diag.Error, "unknown-name", "Ocelot does not know a name.")),
		read(diag.Error, "misplaced-name", "A name of Ocelot's stands where it has no meaning."),
		stringLooksLikeDate(),
		mergeNumberRewritten(),
		duplicateOverwritten(),
		fixable(read(diag.Error, "removed-name", "A name belongs to an older version of Ocelot.")),
		read(diag.Error, "invented-resilience", "A resilience option is of no version of Ocelot."),
		read(diag.Warning, "resilience-ignored", "Ocelot ignores ResilienceOptions: only margay runs them."),
		weakness(read(diag.Warning, "secret-in-config", "A password or a token is written in the file."), 798),
		read(diag.Info, "null-value", "Versions of .NET read a null differently."),
	}
}

// read returns a rule of this section that schema.Check reports.
func read(severity diag.Severity, name, summary string) *validate.Rule {
	return reported(validate.Reading, severity, name, summary)
}

// unreadable returns a rule whose findings nobody can silence.
func unreadable(name, summary string) *validate.Rule {
	r := read(diag.Error, name, summary)
	r.Unsilenceable, r.Fixable = true, true
	return r
}

func fixable(r *validate.Rule) *validate.Rule {
	r.Fixable = true
	return r
}

// weakness returns a rule that finds a weakness of the Common Weakness
// Enumeration.
func weakness(r *validate.Rule, cwe int) *validate.Rule {
	r.CWE = cwe
	return r
}
