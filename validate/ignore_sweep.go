package validate

import (
	"cmp"
	"slices"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// sweeps hold the directives by the findings that they may silence.
type sweeps map[silent]*sweep

// silent is what the findings that a directive silences have in common.
type silent struct {
	rule string
	file *source.File
}

// sweep passes over a file once, from finding to finding.
type sweep struct {
	// ahead are the directives that begin behind the last finding, in the order
	// in which they begin; unused those that have begun.
	ahead, unused []*directive
	// to is the offset up to which a directive that has been used silences.
	to int
}

// sweepsOf leaves out the directives without a reason, which do nothing.
func sweepsOf(directives []directive) sweeps {
	all := sweeps{}
	for i := range directives {
		d := &directives[i]
		if d.reason == "" {
			continue
		}
		key := silent{d.rule, d.at.File}
		if all[key] == nil {
			all[key] = &sweep{}
		}
		all[key].ahead = append(all[key].ahead, d)
	}
	for _, s := range all {
		slices.SortStableFunc(s.ahead, func(a, b *directive) int { return cmp.Compare(a.from, b.from) })
	}
	return all
}

// silence says whether a directive covers a finding, and marks all that do as
// used. It is asked about the findings of a file in their order.
func (s sweeps) silence(f diag.Diagnostic) bool {
	own := s[silent{f.Rule, f.Span.File}]
	return own != nil && own.silence(f.Span.Start)
}

func (s *sweep) silence(start int) bool {
	for len(s.ahead) > 0 && s.ahead[0].from <= start {
		s.unused, s.ahead = append(s.unused, s.ahead[0]), s.ahead[1:]
	}
	for _, d := range s.unused {
		if start < d.to {
			d.used = true
			s.to = max(s.to, d.to)
		}
	}
	s.unused = s.unused[:0] // used, or over
	return start < s.to
}
