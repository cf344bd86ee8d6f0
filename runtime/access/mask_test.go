package access

import (
	"strings"
	"testing"
)

func TestMaskedNames(t *testing.T) {
	for target, want := range map[string]string{
		"/a?page=2":           "/a?page=2",
		"/a?access_token=x":   "/a?access_token=" + hidden,
		"/a?%74ok%65n=x&b=c":  "/a?%74ok%65n=" + hidden + "&b=c",
		"/a?%zztoken=x&%6b=y": "/a?%zztoken=" + hidden + "&%6b=y",
	} {
		if got := masked(target); got != want {
			t.Errorf("%s: got %s, want %s", target, got, want)
		}
	}
}

// FuzzMasked checks that nothing but values goes, that all values of secret
// names do, and that masking twice changes nothing.
func FuzzMasked(f *testing.F) {
	for _, seed := range []string{"/", "/a?b=c", "/a?access_token=x&page=2", "?key=", "/?=&&=?token=a=b", "/a?token", "/a?acc%65ss_tok%65n=x&%zztoken=y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, target string) {
		got := masked(target)
		if masked(got) != got {
			t.Errorf("%q becomes %q and then %q", target, got, masked(got))
		}
		path, query, _ := strings.Cut(target, "?")
		gotPath, gotQuery, _ := strings.Cut(got, "?")
		before, after := strings.Split(query, "&"), strings.Split(gotQuery, "&")
		if path != gotPath || len(before) != len(after) {
			t.Fatalf("%q becomes %q", target, got)
		}
		for i := range before {
			name, value, _ := strings.Cut(before[i], "=")
			gotName, gotValue, _ := strings.Cut(after[i], "=")
			if name != gotName || isSecret(name) && value != "" && gotValue != hidden || !isSecret(name) && value != gotValue {
				t.Errorf("%q becomes %q", before[i], after[i])
			}
		}
	})
}
