package emit

import (
	"cmp"
	"slices"
	"strings"
)

// hidden stands where a secret would.
const hidden = "***"

// Mask returns a text without the secrets of the result's files.
func (r *Result) Mask(text string) string {
	if len(r.Secrets) == 0 {
		return text
	}
	r.maskOnce.Do(r.makeMasker)
	return r.masker.Replace(text)
}

// Masker returns Mask as a function that keeps nothing of the result in memory
// but its secrets.
func (r *Result) Masker() func(text string) string {
	if len(r.Secrets) == 0 {
		return func(text string) string { return text }
	}
	r.maskOnce.Do(r.makeMasker)
	return r.masker.Replace
}

// makeMasker prepares for the longest secrets first: one may contain another.
func (r *Result) makeMasker() {
	var secrets []string
	for _, s := range r.Secrets {
		for _, text := range s.Texts() {
			if text != "" {
				secrets = append(secrets, text)
			}
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	pairs := make([]string, 0, 2*len(secrets))
	for _, s := range slices.Compact(secrets) {
		pairs = append(pairs, s, hidden)
	}
	r.masker = strings.NewReplacer(pairs...)
}
