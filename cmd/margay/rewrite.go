package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/unified"
	"github.com/margay-dev/margay/schema/source"
)

// rewritten are files that have been written in this run, by their real paths:
// two gateways may share a file, and both would change it.
type rewritten map[string]bool

// rewrite writes files and says which. One that cannot be written does not keep
// the others from being written.
func (p *program) rewrite(files []emit.Rewritten, done rewritten) error {
	var problems []error
	for _, file := range files {
		real, err := filepath.EvalSymlinks(file.File.Name)
		if err == nil && done[real] {
			continue
		}
		if err = replaceFile(file.File.Name, file.File.Raw(), file.Raw); err == nil {
			done[real] = true
			err = p.say("%s changed", file.File.Name)
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// printDifferences prints what would change in files, for git apply and patch. A
// secret is never printed, not even where a patch needs it.
func (p *program) printDifferences(g gateway, files []emit.Rewritten) error {
	for _, file := range files {
		text := difference(file)
		masked := g.Mask(text)
		if _, err := p.stdout.Write([]byte(masked)); err != nil {
			return err
		}
		if err := p.warnOfPatch(file.File, masked != text); err != nil {
			return err
		}
	}
	return nil
}

// warnOfPatch says that nothing can apply the difference of a file.
func (p *program) warnOfPatch(file *source.File, masked bool) error {
	switch {
	case masked:
		return p.say("%s: secrets are left out of its difference, so nothing can apply it; let margay write the file", file.Name)
	case !file.Encoding.IsUTF8():
		return p.say("%s is not UTF-8, so nothing can apply its difference; let margay write the file", file.Name)
	}
	return nil
}

// difference returns the difference of a file as its bytes are; of one that is
// not UTF-8, that of its text.
func difference(file emit.Rewritten) string {
	old, changed := string(file.File.Raw()), string(file.Raw)
	if !file.File.Encoding.IsUTF8() {
		old, changed = string(file.File.Text), string(file.Text)
	}
	before, after := patchNames(file.File)
	return unified.Diff(before, after, old, changed)
}

// patchNames returns the names of a file in a patch. git ends a name that has a
// blank in it with a tab, since a time could follow, and writes what cannot be
// printed as in a text of C.
func patchNames(file *source.File) (before, after string) {
	name := filepath.ToSlash(file.Name)
	before, after = "a/"+filepath.ToSlash(filepath.Clean(name)), "b/"+filepath.ToSlash(filepath.Clean(name))
	if !filepath.IsLocal(file.Name) {
		before, after = name, name
	}
	switch {
	case printable(name) != name:
		return octal(before), octal(after)
	case strings.Contains(name, " "):
		return before + "\t", after + "\t"
	}
	return before, after
}

// octal writes a name as git does: between quotation marks, and each byte of
// what cannot be printed in octal.
func octal(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for len(name) > 0 {
		r, size := utf8.DecodeRuneInString(name)
		switch char := name[:size]; {
		case r == '"' || r == '\\':
			b.WriteString(`\` + char)
		case r != utf8.RuneError && printable(char) == char:
			b.WriteString(char)
		default:
			for i := range size {
				fmt.Fprintf(&b, `\%03o`, char[i])
			}
		}
		name = name[size:]
	}
	return b.String() + `"`
}
