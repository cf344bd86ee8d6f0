package route

import (
	"errors"
	"testing"
)

func TestParseTarget(t *testing.T) {
	for raw, want := range map[string]string{
		"/a/../b?c#d":                 "/b|?c%23d",
		"/%41%2f%c3%a9%C0%80":         "/A%2f%C3%A9%C0%80|",
		"/a//../b/.":                  "/a/b/|",
		"/%2525|[x]":                  "/%25%7C%5Bx%5D|",
		"http://gateway.example":      "/|",
		"https://gateway.example?a=b": "/|?a=b",
		"http://gateway.example/a/./": "/a/|",
		"*":                           "|",
		"gateway.example:80":          "|",
	} {
		got, err := ParseTarget(raw)
		if got.Path()+"|"+got.Query() != want || err != nil {
			t.Errorf("%s: got %q, %q, %v, want %q", raw, got.Path(), got.Query(), err, want)
		}
	}
	for _, raw := range []string{"", "?a", "a/b", "/a b", "/é", "/%00", "ftp://a/b", "HTTP://a/b", "/a\n"} {
		if got, err := ParseTarget(raw); !errors.Is(err, ErrTarget) {
			t.Errorf("%q: got %q, %v, want ErrTarget", raw, got, err)
		}
	}
}

func TestWithQuery(t *testing.T) {
	in, err := ParseTarget("/a?b=1")
	if err != nil {
		t.Fatal(err)
	}
	if got := in.WithQuery("?c=2"); got.String() != "/a?c=2" || got.Path() != "/a" || got.Query() != "?c=2" {
		t.Errorf("got %q with path %q and query %q, want /a?c=2", got, got.Path(), got.Query())
	}
	if in.String() != "/a?b=1" {
		t.Errorf("got %q, want the first target unchanged", in)
	}
}
