package report

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/margay-dev/margay/schema/source"
)

// hidden stands where a secret would.
const hidden = "***"

// masker hides secrets in texts and excerpts.
type masker struct {
	spans map[*source.File][]source.Span // in the order of the text
	texts *strings.Replacer              // nil if there are none
}

func (o Options) masker() masker {
	m := masker{spans: map[*source.File][]source.Span{}}
	secrets := slices.Clone(o.Hidden)
	for _, s := range o.Secrets {
		if s.File != nil && s.Start < s.End {
			m.spans[s.File] = append(m.spans[s.File], s)
			secrets = append(secrets, s.Text())
		}
	}
	for _, spans := range m.spans {
		slices.SortFunc(spans, func(a, b source.Span) int { return cmp.Compare(a.Start, b.Start) })
	}
	// A secret may contain another: the longest goes first.
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	var pairs []string
	for _, s := range slices.Compact(secrets) {
		if s = strings.Trim(s, `"`); s != "" {
			pairs = append(pairs, s, hidden)
		}
	}
	if len(pairs) > 0 {
		m.texts = strings.NewReplacer(pairs...)
	}
	return m
}

// text returns a text without secrets.
func (m masker) text(s string) string {
	if m.texts == nil {
		return s
	}
	return m.texts.Replace(s)
}

// at returns the secret that covers an offset of a file.
func (m masker) at(f *source.File, offset int) (source.Span, bool) {
	spans := m.spans[f]
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End > offset })
	if i < len(spans) && spans[i].Start <= offset {
		return spans[i], true
	}
	return source.Span{}, false
}

// secret says whether a text holds a secret.
func (m masker) secret(s string) bool { return m.texts != nil && m.texts.Replace(s) != s }
