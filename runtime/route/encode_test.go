package route

import "testing"

func TestUnescape(t *testing.T) {
	for _, c := range []struct{ text, plain, form string }{
		{"a+b%20c", "a b c", "a b c"},
		{"%C3%A9%F0%9F%98%80", "é😀", "é😀"},
		{"%FFx%C3%41", "%FFx%C3A", "\ufffdx\ufffdA"},
		{"%u00e9%ud800%u12", "%u00e9%ud800%u12", "é\ufffd%u12"},
		{"%zz%", "%zz%", "%zz%"},
	} {
		if got := unescape(c.text); got != c.plain {
			t.Errorf("unescape %q: got %q, want %q", c.text, got, c.plain)
		}
		if got := unescapeForm(c.text); got != c.form {
			t.Errorf("unescapeForm %q: got %q, want %q", c.text, got, c.form)
		}
	}
}

func TestEqualNames(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"page", "PAGE", true},
		{"é", "É", true},
		{"k", "\u212a", false}, // the sign of kelvin
		{"s", "ſ", false},
		{"a", "b", false},
	} {
		if got := equalNames(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: got %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
