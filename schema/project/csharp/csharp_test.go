package csharp

import (
	"fmt"
	"strings"
	"testing"
)

func show(tokens []Token) string {
	var words []string
	for _, t := range tokens {
		word := t.Text
		switch {
		case t.Holes != nil:
			word = "$'"
			for _, part := range t.Holes {
				if part.Hole != nil {
					word += "{" + show(part.Hole) + "}"
				} else {
					word += part.Text
				}
			}
			word += "'"
		case t.Kind == Text:
			word = "'" + t.Text + "'"
		}
		if t.Maybe != "" {
			word += "?"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestLex(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`a.B("c");`, `a . B ( 'c' ) ;`},
		{"a // b\nc /* d\n */ e", `a c e`},
		{`"// no" "/* no */"`, `'// no' '/* no */'`},
		{`"a\"b\\" c`, `'a"b\' c`},
		{`"tab\tA"`, "'tab\tA'"},
		{`@"a\b""c" d`, `'a\b"c' d`},
		{"@\"a\nb\" c", "'a\nb' c"},
		{`$"o.{env}.json"`, `$'o.{env}.json'`},
		{`$"{{{a}}}"`, `$'{{a}}'`},
		{`$"{{a}}"`, `'{a}'`},
		{`$"{a:yyyy} {b,5}"`, `$'{a} {b}'`},
		{`$"{f("x")} {g("}")}"`, `$'{f ( 'x' )} {g ( '}' )}'`},
		{`$"{(a ? "b" : "c")}" d`, `$'{( a ? 'b' : 'c' )}' d`},
		{`$@"a\{b}""c"`, `$'a\{b}"c'`},
		{`@$"{b}"`, `$'{b}'`},
		{`"""a "b" c""" d`, `'a "b" c' d`},
		{`$"""a {b} c"""`, `$'a {b} c'`},
		{`$$"""{a} {{b}}"""`, `$'{a} {b}'`},
		{"\"open\nnext", "'open\n' next"},
		{`'"' a '\'' b`, `" a \' b`},
		{`@class $x`, `class $ x`},
		{"#if false\na\n#else\nb\n#endif\nc", `b c`},
		{"#if true\na\n#else\nb\n#endif", `a`},
		{"#if DEBUG\na\n#else\nb\n#endif\nc", `a? b? c`},
		{"#define X\n#if X\na\n#elif Y\nb\n#else\nc\n#endif", `a`},
		{"#if !true\n#if Q\na\n#endif\n'\n\"\n#endif\nb", `b`},
		{"#if Q\na\n#elif true\nb\n#else\nc\n#endif", `a? b?`},
		{"#if false\na", ``},
		{"#region x\na\n#endregion", `a`},
		{"a #if false\nb", `a # if false b`},
		{"#endif\na", `a`},
		{"", ""},
		{"/*", ""},
		{"\"", "''"},
		{"$\"{", "$'{}'"},
		{"$\"{{", "'{'"},
		{"1.5e3 0x1F 1.ToString()", "1.5e3 0x1F 1 . ToString ( )"},
	} {
		if got := show(Lex(tt.in)); got != tt.want {
			t.Errorf("%q: got %s want %s", tt.in, got, tt.want)
		}
	}
}

func TestLines(t *testing.T) {
	tokens := Lex("a\n@\"x\ny\"\n$\"{\nb}\" /*\n*/ c\n#if false\nd\n#endif\ne")
	var got []string
	for _, tok := range tokens {
		got = append(got, fmt.Sprint(tok.Line))
	}
	if lines := strings.Join(got, " "); lines != "1 2 4 6 10" {
		t.Errorf("got lines %s", lines)
	}
}

func TestValues(t *testing.T) {
	for _, tt := range []struct{ code, want string }{
		{`x.F("a.json");`, "a.json"},
		{`x.F("a" + "." + "json");`, "a.json"},
		{`x.F($"o.{builder.Environment.EnvironmentName}.json");`, "o.{env}.json"},
		{`x.F($"o.{env.EnvironmentName.ToLower()}.json");`, "o.{env}.json"},
		{`var e = Environment.GetEnvironmentVariable("ASPNETCORE_ENVIRONMENT") ?? "Development"; x.F($"o.{e}.json");`, "o.{env}.json"},
		{`var e = Environment.GetEnvironmentVariable("TENANT"); x.F($"o.{e}.json");`, "?"},
		{`x.F("o." + ctx.HostingEnvironment.EnvironmentName + ".json");`, "o.{env}.json"},
		{`x.F(string.Format("o.{0}.json", env.EnvironmentName));`, "o.{env}.json"},
		{`x.F(Path.Combine("conf", "o.json"));`, "conf/o.json"},
		{`x.F(Path.Combine(env.ContentRootPath, "conf", "o.json"));`, "conf/o.json"},
		{`x.F(Path.Combine(Directory.GetCurrentDirectory(), name));`, "?"},
		{`const string N = "n.json"; x.F(N);`, "n.json"},
		{`x.F(Names.Other);`, "other.json"},
		{`x.F(Defaults.Scheme);`, "Bearer"},
		{`string n = a ? "b" : "c"; x.F(n);`, "?"},
		{`string n = "b"; n = "c"; x.F(n);`, "?"},
		{`x.F(config["File"]);`, "?"},
		{`void G(string n) { x.F(n); }`, "?"},
		{`var a = b; var b = a; x.F(a);`, "?"},
		{`x.F(path: "p.json");`, "p.json"},
		{`x.F(("p.json"));`, "p.json"},
		{`x.F($"{N}.{env.EnvironmentName}.json"); const string N = "n";`, "n.{env}.json"},
	} {
		p := &Program{Known: map[string]string{"Defaults.Scheme": "Bearer"}}
		p.Add("a.cs", tt.code)
		p.Add("b.cs", `class Names { public const string Other = "other.json"; string later = "no"; }`)
		calls := p.Calls("F")
		if len(calls) != 1 || len(calls[0].Args) != 1 {
			t.Fatalf("%s: got %d calls", tt.code, len(calls))
		}
		got, ok := p.Text(&calls[0], calls[0].Args[0])
		if !ok {
			got = "?"
		}
		if got != tt.want {
			t.Errorf("%s: got %s want %s", tt.code, got, tt.want)
		}
	}
}

func TestDoubts(t *testing.T) {
	for _, tt := range []struct{ code, want string }{
		{`s.F();`, ""},
		{`if (a) { s.F(); }`, "under the if of line 1"},
		{`if (a) s.F();`, "under the if of line 1"},
		{`if (a) { } else s.F();`, "under the else of line 1"},
		{`if (a) { } s.F();`, ""},
		{`try { s.F(); } finally { }`, ""},
		{`using (x) { s.F(); }`, ""},
		{`var b = a ? s.F() : s;`, "under the ?: of line 1"},
		{`int? b = s.F();`, ""},
		{`host.Run(x => { x.S.F(); });`, ""},
		{`host.Run(x => x.S.F());`, ""},
		{`if (a) host.Run(x => x.S.F());`, "under the if of line 1"},
		{`switch (a) { case 1: s.F(); break; }`, "under the case of line 1"},
		{"if (a) return;\ns.F();", "behind a return in line 1"},
		{"x.Y(() => { return 1; });\ns.F();", ""},
		{"#if DEBUG\ns.F();\n#endif", "inside #if DEBUG"},
		{`class P { static void Main() { s.F(); } }`, ""},
		{`class P { static void Main() { Set(s); } static void Set(S s) { s.F(); } }`, ""},
		{`class P { static void Main() { if (a) Set(s); } static void Set(S s) { s.F(); } }`, "under the if of line 1"},
		{`class P { static void Main() { } static void Set(S s) { s.F(); } }`, "in Set, which nothing here calls"},
		{`class P { static void Main() { b.UseStartup<S>(); } } class S { void ConfigureServices(X s) { s.F(); } }`, ""},
		{`class S { void ConfigureServices(X s) { s.F(); } }`, "in class S, which nothing here uses"},
		{`class M : Module { protected override void Load(X s) { s.F(); } }`, ""},
		{`static X Set(this X s) => s.F();`, "in Set, which nothing here calls"},
		{"y.Set();\nstatic X Set(this X s) => s.F();", ""},
	} {
		p := &Program{}
		p.Add("a.cs", tt.code)
		calls := p.Calls("F")
		if len(calls) != 1 {
			t.Fatalf("%s: got %d calls", tt.code, len(calls))
		}
		if got := p.Doubt(&calls[0]); got != tt.want {
			t.Errorf("%s: got %q want %q", tt.code, got, tt.want)
		}
	}
}

func TestChains(t *testing.T) {
	for _, tt := range []struct {
		code, receiver string
		next           string
		discarded      bool
	}{
		{`a.B.C(x).F().G<H, I>(j).K();`, "C B a", "G K", true},
		{`var x = a.F();`, "a", "", false},
		{`return a.F().G();`, "a", "G", false},
		{`await a!.F();`, "a", "", true},
		{`b.Use(a.F());`, "a", "", false},
		{`b.ConfigureServices(s => s.F().G());`, "s", "G", true},
		{`b.ConfigureServices((c, s) => { s.F(c); });`, "s", "", true},
		{"a\n  .F()\n  .G(o => { o.X(); })\n  .H();", "a", "G H", true},
	} {
		p := &Program{}
		p.Add("a.cs", tt.code)
		calls := p.Calls("F")
		if len(calls) != 1 {
			t.Fatalf("%s: got %d calls", tt.code, len(calls))
		}
		c := &calls[0]
		if got := strings.Join(c.Receiver(), " "); got != tt.receiver {
			t.Errorf("%s: got receiver %s want %s", tt.code, got, tt.receiver)
		}
		var next []string
		last := c
		for n := c.Next(); n != nil; n = n.Next() {
			next, last = append(next, n.Name), n
		}
		if got := strings.Join(next, " "); got != tt.next {
			t.Errorf("%s: got chain %s want %s", tt.code, got, tt.next)
		}
		if got := last.Discarded(); got != tt.discarded {
			t.Errorf("%s: got discarded %t", tt.code, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a.B(\"c\", $\"{d}\");\n#if X\nclass E { void F() => g.H<I>(j); }\n#endif")
	f.Add("$$\"\"\"{{a}}\"\"\" @\"\"\"\" '\\'' /* */ // \n#elif")
	f.Add("if(a){b.C()}else{d=e?f.G():h}}}}((([[")
	f.Fuzz(func(t *testing.T, text string) {
		p := &Program{}
		p.Add("a.cs", text)
		s := Read("a.cs", text)
		lines := strings.Count(text, "\n") + 1
		for i := range s.Tokens {
			if line := s.Tokens[i].Line; line < 1 || line > lines {
				t.Fatalf("token %d in line %d of %d", i, line, lines)
			}
		}
		for _, c := range s.Calls(func(string) bool { return true }) {
			p.Doubt(&c)
			c.Receiver()
			c.Discarded()
			for _, a := range c.Args {
				p.Text(&c, a)
			}
		}
	})
}
