package source_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/margay-dev/margay/schema/source"
)

// Invalid bytes become U+FFFD as in .NET, which the recordings syn.u8 show.
func TestDecode(t *testing.T) {
	for _, test := range []struct {
		raw     string
		text    string
		enc     source.Encoding
		invalid []int
	}{
		{"", "", source.UTF8, nil},
		{"{}", "{}", source.UTF8, nil},
		{"\xEF\xBB\xBF{}", "{}", source.UTF8BOM, nil},
		{"\xEF\xBB\xBF\xEF\xBB\xBF{}", "\uFEFF{}", source.UTF8BOM, nil},
		{"\xEF\xBB", "\uFFFD", source.UTF8, []int{0}},
		{"\xFF\xFEa\x00\x3D\xD8\x00\xDE", "a😀", source.UTF16LE, nil},
		{"\xFE\xFF\x00a\xD8\x3D\xDE\x00", "a😀", source.UTF16BE, nil},
		{"\xFF\xFE\x00\x00a\x00\x00\x00", "a", source.UTF32LE, nil},
		{"\x00\x00\xFE\xFF\x00\x01\xF6\x00", "😀", source.UTF32BE, nil},

		{"a\xFFb", "a\uFFFDb", source.UTF8, []int{1}},
		{"a\uFFFDb", "a\uFFFDb", source.UTF8, nil},
		{"\uFFFD\xFF", "\uFFFD\uFFFD", source.UTF8, []int{3}},
		{"\xE2\x82", "\uFFFD", source.UTF8, []int{0}},
		{"\xE2\x82x", "\uFFFDx", source.UTF8, []int{0}},
		{"\xF0\x9F\x98x", "\uFFFDx", source.UTF8, []int{0}},
		{"\xC0\xAF", "\uFFFD\uFFFD", source.UTF8, []int{0, 3}},
		{"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD", source.UTF8, []int{0, 3, 6}},
		{"\xE0\x80\x80", "\uFFFD\uFFFD\uFFFD", source.UTF8, []int{0, 3, 6}},
		{"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD", source.UTF8, []int{0, 3, 6, 9}},
		{"\xF5\x80", "\uFFFD\uFFFD", source.UTF8, []int{0, 3}},

		{"\xFF\xFE\x00\xD8a\x00", "\uFFFDa", source.UTF16LE, []int{0}},
		{"\xFF\xFEa\x00b", "a\uFFFD", source.UTF16LE, []int{1}},
		{"\xFF\xFE\x00\xD8", "\uFFFD", source.UTF16LE, []int{0}},
		{"\xFF\xFE\x00\x00\x00\xD8\x00\x00a", "\uFFFD\uFFFD", source.UTF32LE, []int{0, 3}},
	} {
		file := source.NewFile("a.json", []byte(test.raw))
		if string(file.Text) != test.text || file.Encoding != test.enc || !slices.Equal(file.Invalid, test.invalid) {
			t.Errorf("%q: got %q, %v, invalid %v, want %q, %v, %v", test.raw, file.Text, file.Encoding, file.Invalid, test.text, test.enc, test.invalid)
		}
	}
}

// Every character of the text has the bytes that ByteOffset says.
func TestByteOffset(t *testing.T) {
	const text = "{\r\n \"é\": \"中😀\",\n}"
	for e := source.UTF8; e <= source.UTF32BE; e++ {
		file := source.NewFile("a.json", e.Encode([]byte(text)))
		want := len(e.Mark())
		for at, r := range text {
			if got := file.ByteOffset(at); got != want {
				t.Errorf("%v: offset %d: got byte %d, want %d", e, at, got, want)
			}
			want += len(e.Encode([]byte(string(r)))) - len(e.Mark())
		}
		if got := file.ByteOffset(len(text)); got != len(file.Raw()) {
			t.Errorf("%v: got byte %d at the end, want %d", e, got, len(file.Raw()))
		}
	}
}

func TestByteOffsetBehindInvalidBytes(t *testing.T) {
	file := source.NewFile("a.json", []byte("a\xFFb\n\xE2\x82c\xF0d"))
	for text, raw := range map[int]int{0: 0, 1: 1, 4: 2, 5: 3, 6: 4, 9: 6, 10: 7, 13: 8, 14: 9, 99: 9, -1: 0} {
		if got := file.ByteOffset(text); got != raw {
			t.Errorf("offset %d of %q: got byte %d, want %d", text, file.Text, got, raw)
		}
	}
}

// FuzzNewFile holds what must be true of any bytes: every place has a position
// and a byte, both in order, and valid bytes survive being read and written.
func FuzzNewFile(f *testing.F) {
	for _, raw := range []string{"", "{}", "a\xFFb", "\xEF\xBB\xBF\xE2\x82", "\xFF\xFE\x00\xD8a", "\xFF\xFE\x00\x00a", "a\r\nb\rc\n"} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 1<<10 {
			t.Skip("every place is looked up, and each passes over what is invalid before it")
		}
		file := source.NewFile("a.json", raw)
		last, line := -1, 1
		for at := 0; at <= len(file.Text); at++ {
			b, p := file.ByteOffset(at), file.Position(at)
			if b < last || b > len(raw) || p.Line < line || p.Line > line+1 || p.Column > p.Column16 {
				t.Fatalf("offset %d: byte %d after %d, position %+v", at, b, last, p)
			}
			last, line = b, p.Line
		}
		if last != len(raw) {
			t.Fatalf("the end is byte %d of %d", last, len(raw))
		}
		if len(file.Invalid) == 0 && string(file.Encoding.Encode(file.Text)) != string(raw) {
			t.Fatalf("%q: got %q when written again", raw, file.Encoding.Encode(file.Text))
		}
	})
}

func ExampleFile_ByteOffset() {
	raw := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune("{😀}")) {
		raw = binary.LittleEndian.AppendUint16(raw, unit)
	}
	file := source.NewFile("ocelot.json", raw)
	end := len(file.Text) - 1
	fmt.Printf("%v: byte %d of the text is byte %d of the file\n", file.Encoding, end, file.ByteOffset(end))
	// Output: UTF-16LE: byte 5 of the text is byte 8 of the file
}
