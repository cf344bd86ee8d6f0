package schema

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// texts reports what is wrong with the files before anything is bound: text
// that is not JSON, and files without anything of Ocelot's.
func (c *checker) texts() {
	for i := range c.res.Texts {
		c.defects(&c.res.Texts[i])
	}
	c.unreadable()
	c.foreign()
}

// defects reports every place where a file is not JSON. The first one that
// stops .NET carries .NET's own text.
func (c *checker) defects(text *load.Text) {
	ocelot := ""
	if f := c.res.Failure; f != nil && f.Cause().At.File == text.File {
		ocelot = f.Cause().Message
	}
	for i := range text.Defects {
		defect := &text.Defects[i]
		d := diag.Diagnostic{
			Rule: syntaxError, Severity: diag.Error, Message: defect.Message, Help: defect.Help,
			Span:    source.Span{File: text.File, Start: defect.Start, End: defect.End},
			Related: defect.Related, Fix: defect.Fix, Ocelot: defect.Net,
			Effect: "Ocelot does not start",
		}
		if text.Part && i == 0 {
			d.Ocelot = ocelot
		}
		c.add(d)
	}
}

// unreadable reports a merge's part that one of the two readers refuses, where
// no defect has been found by itself: Ocelot's merge reads more than .NET's
// configuration, and writes it down for the latter to trip over.
func (c *checker) unreadable() {
	f := c.res.Failure
	if f == nil || c.list.Len() > 0 {
		return
	}
	cause := f.Cause()
	if !strings.HasSuffix(cause.Type, "JsonReaderException") || f.Reason != "" {
		return
	}
	d := diag.Diagnostic{
		Rule: syntaxError, Severity: diag.Error, Span: cause.At, Ocelot: cause.Message, Effect: "Ocelot does not start",
		Message: "this is not JSON as .NET's configuration reads it, though Ocelot's merge lets it through",
		Help:    "write plain JSON",
	}
	if strings.HasPrefix(cause.Type, "Newtonsoft.") {
		d.Message = "this is not JSON as Ocelot's merge reads it"
	} else if at := c.script(); !at.IsZero() {
		d.Span = at
	}
	c.add(d)
}

// script returns the first value of a part that is JavaScript rather than JSON:
// Newtonsoft writes undefined and constructors as it has read them.
func (c *checker) script() source.Span {
	for id := syntax.ID(1); int(id) < c.tree.Len(); id++ {
		if span := c.tree.Span(id); c.res.Kind(c.tree.Node(id).File) == load.UserFile {
			if text := span.Text(); strings.HasPrefix(text, "undefined") || strings.HasPrefix(text, "new ") {
				return span
			}
		}
	}
	return source.Span{}
}

// foreign reports a configuration without any of Ocelot's sections. It keeps
// still about what could not be read and about the names of older releases.
func (c *checker) foreign() {
	if len(c.res.Texts) == 0 || c.res.Failure != nil || len(c.res.Merges) > 0 {
		return
	}
	for i := range c.res.Texts {
		if len(c.res.Texts[i].Defects) > 0 {
			return
		}
	}
	file := c.res.Texts[len(c.res.Texts)-1].File
	d := diag.Diagnostic{
		Rule: notOcelot, Severity: diag.Error, Span: source.Span{File: file, End: min(1, len(file.Text))},
		Effect: "Ocelot starts without any route",
		Help:   "name a file with \"Routes\" or \"GlobalConfiguration\"",
	}
	switch {
	case c.res.Bound == 0 && c.res.Section != "":
		d.Message = fmt.Sprintf("there is no section %q", c.res.Section)
		d.Help = "name the section that the application binds"
	case c.res.Bound == 0 || !c.hasSection(c.res.Bound):
		d.Message = "there is no section of Ocelot's in here"
	default:
		return
	}
	c.add(d)
}

// hasSection says whether an object has a section of Ocelot's, under its name
// of today, an older one, or a misspelt one, which is reported by itself.
func (c *checker) hasSection(root syntax.ID) bool {
	for id := range c.tree.Children(root) {
		key := c.tree.Key(id)
		if s, _ := c.shapes.root.find(key); s.isSection() {
			return true
		}
		if _, ok := removedFrom("", key); ok {
			return true
		}
		if _, ok := sectionSlip(key); ok {
			return true
		}
	}
	return false
}

// notes words the facts of loading that belong to the rules of this package.
func (c *checker) notes() {
	for i := range c.res.Notes {
		if note := &c.res.Notes[i]; note.Kind == load.InvalidEncoding {
			c.add(invalid(note))
		}
	}
}

func invalid(note *load.Note) diag.Diagnostic {
	encoding := note.At.File.Encoding
	bytes := "bytes here are"
	switch n := len(note.Related); {
	case n == 1:
		bytes = "bytes here and in one more place are"
	case n > 1:
		bytes = fmt.Sprintf("bytes here and in %d more places are", n)
	}
	return diag.Diagnostic{
		Rule: invalidEncoding, Severity: diag.Warning, Span: note.At, Cause: note.File,
		Message: fmt.Sprintf("%s not %s", bytes, encoding),
		Effect:  "Ocelot reads U+FFFD in their stead",
		Help:    "save the file as UTF-8",
	}
}

// resilienceIgnored reports, once, that an Ocelot gateway passes over the
// sections that only margay reads.
func (c *checker) resilienceIgnored() {
	if len(c.resilience) == 0 {
		return
	}
	d := diag.Diagnostic{
		Rule: resilienceIgnored, Severity: diag.Warning, Span: c.nameSpan(c.resilience[0]),
		Message: "only margay runs \"ResilienceOptions\"",
		Effect:  "an Ocelot gateway ignores it",
		Help:    "write \"runtime\": \"margay\" into .margay.json if margay serves this file",
		Subject: diag.Subject{Option: "ResilienceOptions"},
	}
	if n := len(c.resilience); n > 1 {
		d.Message += fmt.Sprintf(", which stands here in %d places", n)
	}
	c.add(d)
}
