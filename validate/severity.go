package validate

import (
	"maps"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// Override gives rules other severities for what they find in some files.
type Override struct {
	// Covers says whether it is about a file, which may be nil: what is found in
	// no file is covered by none.
	Covers func(*source.File) bool
	// Severities are by the names of rules; 0 is off.
	Severities map[string]diag.Severity
}

// severities are what the options make of rules, file by file.
type severities struct {
	opts   Options
	byFile map[*source.File]map[string]diag.Severity
}

// of returns the severities for findings in a file, by rules; those that the
// options say nothing about are not there.
func (s *severities) of(file *source.File) map[string]diag.Severity {
	if len(s.opts.Overrides) == 0 {
		return s.opts.Severities
	}
	if known, ok := s.byFile[file]; ok {
		return known
	}
	all := map[string]diag.Severity{}
	maps.Copy(all, s.opts.Severities)
	for _, override := range s.opts.Overrides {
		if override.Covers(file) {
			maps.Copy(all, override.Severities)
		}
	}
	if s.byFile == nil {
		s.byFile = map[*source.File]map[string]diag.Severity{}
	}
	s.byFile[file] = all
	return all
}

// switchedOff says whether a rule need not run: nobody wants its findings in any
// file.
func switchedOff(rule string, opts Options) bool {
	if severity, ok := opts.Severities[rule]; !ok || severity != 0 {
		return false
	}
	for _, override := range opts.Overrides {
		if override.Severities[rule] != 0 {
			return false
		}
	}
	return true
}

// adjust applies the severities of the options.
func adjust(all *diag.List, opts Options) *diag.List {
	if len(opts.Severities) == 0 && len(opts.Overrides) == 0 {
		return all
	}
	wanted := severities{opts: opts}
	kept := &diag.List{}
	for _, d := range all.Sorted() {
		severity, ok := wanted.of(d.Span.File)[d.Rule]
		switch {
		case !ok:
			kept.Add(d)
		case severity != 0:
			d.Severity = severity
			kept.Add(d)
		}
	}
	return kept
}
