package aggregate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/guard/aggregate"
	"pgregory.net/rapid"
)

func part(key string, status int, body string) aggregate.Part {
	return aggregate.Part{Key: key, Status: status, ContentType: "text/plain", Body: []byte(body)}
}

func TestJoin(t *testing.T) {
	latin := part("K2", 200, "\xe9")
	latin.ContentType = "text/plain; charset=iso-8859-1"
	for _, tt := range []struct {
		recorded string
		parts    []aggregate.Part
		want     string
	}{
		{"ag-basic/001", []aggregate.Part{part("K1", 200, `{"a":1}`), part("K2", 200, `[2]`)}, `{"K1":{"a":1},"K2":[2]}`},
		{"ag-basic/002", []aggregate.Part{part("K1", 200, "plain"), part("K2", 200, "")}, `{"K1":"plain","K2":null}`},
		{"ag-basic/003", []aggregate.Part{part("K1", 404, "nf"), part("K2", 500, "")},
			`{"K1":{"title":"Not Found","status":404,"detail":"nf"},"K2":{"title":"Internal Server Error","status":500}}`},
		{"a failure in JSON", []aggregate.Part{part("K1", 404, `{"e":1}`), part("K2", 500, `"x"`)}, `{"K1":{"e":1},"K2":"x"}`},
		{"ag-basic/017", []aggregate.Part{part("K1", 200, "é"), latin}, `{"K1":"é","K2":"é"}`},
		{"ag-cfg/001", []aggregate.Part{part("K1", 200, "[1]"), part("K2", 200, "1"), part("K3", 200, "3"), part("K2", 200, "2")},
			`{"K1":[1],"K2":[1,2],"K3":3}`},
		{"blanks in a list", []aggregate.Part{part("K", 200, " "), part("K", 200, "1"), part("K", 204, "")}, `{"K":[1]}`},
		{"an unknown charset", []aggregate.Part{{Key: "K", Status: 200, ContentType: "text/plain; charset=x-none", Body: []byte("a\xff")}}, `{"K":"a�"}`},
		{"a byte order mark", []aggregate.Part{part("K", 200, "\ufeff[1]")}, `{"K":[1]}`},
		{"an odd key", []aggregate.Part{part(`a"b<`, 200, "1")}, `{"a\"b<":1}`},
		{"nothing", nil, `{}`},
	} {
		if got := string(aggregate.Join(tt.parts)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.recorded, got, tt.want)
		}
	}
}

// Whatever the members answer, the joined answer is JSON.
func TestJoinGivesJSON(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		parts := rapid.SliceOf(rapid.Custom(func(rt *rapid.T) aggregate.Part {
			return aggregate.Part{Key: rapid.StringN(0, 2, 4).Draw(rt, "key"), Status: rapid.SampledFrom([]int{200, 204, 404, 599}).Draw(rt, "status"),
				ContentType: rapid.SampledFrom([]string{"", "text/plain", "text/plain; charset=utf-16", "x;"}).Draw(rt, "type"),
				Body:        rapid.SliceOf(rapid.Byte()).Draw(rt, "body")}
		})).Draw(rt, "parts")
		if got := aggregate.Join(parts); !json.Valid(got) {
			rt.Fatalf("got %q", got)
		}
	})
}

func TestSelect(t *testing.T) {
	const users = `[{"id":1,"other":"a"},{"id":2,"other":"b"},{"id":1}]`
	for _, tt := range []struct {
		document, path string
		want           []string
	}{
		{users, "$[*].id", []string{"1", "2"}},
		{users, "[*].other", []string{"a", "b"}},
		{users, "$[?(@.id > 1)].other", []string{"b"}},
		{users, "$[0].id", []string{"1"}},
		{users, "$[-1:].id", []string{"1"}},
		{`[]`, "$[*].id", nil},
		{`[{"id":"a b/c"},{"id":null}]`, "$[*].id", []string{"a b/c", ""}},
		{`{"z":{"id":1},"a":{"id":2}}`, "$.*.id", []string{"1", "2"}},
		{`{"data":{"ids":[true,1.50,1e3,1e20,12345678901234567890,{"b":1,"a":[2]}]}}`, "data.ids[*]",
			[]string{"True", "1.5", "1000", "1E+20", "12345678901234567890", `{"b":1,"a":[2]}`}},
		{`{"a b":5}`, "$['a b']", []string{"5"}},
	} {
		d, err := aggregate.NewDocument([]byte(tt.document))
		if err != nil {
			t.Fatal(err)
		}
		p, err := aggregate.NewPath(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Select(d); !slices.Equal(got, tt.want) || err != nil {
			t.Errorf("%s of %s: got %q, %v, want %q", tt.path, tt.document, got, err, tt.want)
		}
	}
}

func TestPathsThatAreNone(t *testing.T) {
	for _, text := range []string{"", " ", "$[", "$.a.length()"} {
		if _, err := aggregate.NewPath(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func TestDocumentsThatAreNone(t *testing.T) {
	for _, text := range []string{"", "not json", "{", `{"a":1} x`, strings.Repeat("[", 70) + strings.Repeat("]", 70)} {
		if _, err := aggregate.NewDocument([]byte(text)); !errors.Is(err, aggregate.ErrNotJSON) {
			t.Errorf("%.20q: got %v", text, err)
		}
	}
}

func FuzzSelect(f *testing.F) {
	for _, seed := range [][2]string{{"$[*].id", `[{"id":1}]`}, {"$..a", `{"a":{"a":1}}`}, {"$[?(@.a<'b')]", `[{"a":1},{"a":"x"}]`}, {"a[0:2,3]", `{}`}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, path, document string) {
		p, err := aggregate.NewPath(path)
		if err != nil {
			return
		}
		d, err := aggregate.NewDocument([]byte(document))
		if err != nil {
			return
		}
		_, _ = p.Select(d)
	})
}

func BenchmarkJoin(b *testing.B) {
	for _, members := range []int{2, 10} {
		b.Run(fmt.Sprint(members), func(b *testing.B) {
			var parts []aggregate.Part
			for i := range members {
				parts = append(parts, part(fmt.Sprint("K", i), 200, `{"id":1,"name":"something of some length"}`))
			}
			b.ReportAllocs()
			for b.Loop() {
				aggregate.Join(parts)
			}
		})
	}
}
