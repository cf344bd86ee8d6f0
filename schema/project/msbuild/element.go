// Package msbuild reads .NET project files as far as packages, project
// references and compiled files need it.
//
// It takes a file system and the name of a project file and returns what the
// project refers to, each with the line that says so. It runs no targets and no
// functions; what depends on them, on the command line or on a file outside of
// the file system comes back as not known, never as a guess.
package msbuild

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// element is one XML element.
type element struct {
	name  string
	attrs map[string]string // by lower-cased name
	text  string
	line  int
	below []*element
}

// attr returns an attribute; "" if it is not there.
func (e *element) attr(name string) string { return e.attrs[strings.ToLower(name)] }

// is compares the name as MSBuild does, without regard to case.
func (e *element) is(name string) bool { return strings.EqualFold(e.name, name) }

// metadata returns an attribute, or the child element of that name, with its
// line. Several children of the name, or one under a condition, come back as
// something that no property fills in.
func (e *element) metadata(name string) (value string, line int) {
	line = e.line
	found := 0
	for _, child := range e.below {
		if !child.is(name) {
			continue
		}
		if found++; found == 1 {
			value, line = strings.TrimSpace(child.text), child.line
		}
		if found > 1 || child.attr("Condition") != "" {
			value = "$(" + name + " by condition)"
		}
	}
	if found == 0 {
		value = strings.TrimSpace(e.attr(name))
	}
	return value, line
}

// maxElements bounds what is kept of one file.
const maxElements = 20_000

var errLarge = errors.New("holds too many elements")

// parse reads a project file. The error says what is wrong, for people.
func parse(text []byte) (*element, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	d := xml.NewDecoder(bytes.NewReader(text))
	root := &element{}
	open := []*element{root}
	line, counted, total := 1, 0, 0
	for {
		start := int(d.InputOffset())
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("is not XML: %w", err)
		}
		top := open[len(open)-1]
		switch t := t.(type) {
		case xml.StartElement:
			line += bytes.Count(text[counted:start], []byte("\n"))
			counted = start
			e := &element{name: t.Name.Local, line: line, attrs: map[string]string{}}
			for _, a := range t.Attr {
				e.attrs[strings.ToLower(a.Name.Local)] = a.Value
			}
			top.below = append(top.below, e)
			open = append(open, e)
			if total++; total > maxElements {
				return nil, errLarge
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.text += string(t)
		}
	}
	if len(root.below) == 0 {
		return nil, errors.New("is not XML: it has no element")
	}
	return root.below[0], nil
}
