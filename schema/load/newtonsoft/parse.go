// Package newtonsoft reads and writes JSON as Newtonsoft.Json 13 does, the
// library behind Ocelot's folder merge, SwaggerForOcelot and the
// administration API.
//
// It takes the text of a file and gives back nodes of a syntax.Tree that point
// into it, rewritten where the library writes a value again in another form:
// dates, numbers, symbols. It accepts what the library accepts (single quotes,
// names without quotes, hexadecimal and octal numbers, NaN) and fails with the
// library's own messages and positions.
package newtonsoft

import (
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Document is a text as JToken.Parse returns it.
type Document struct {
	// Root is the root value; 0 if the text begins with a comment, which the
	// library then returns in place of the value.
	Root syntax.ID
	// File is the index of the text in the tree.
	File uint16
	// Comments are all comments in order.
	Comments []syntax.Comment
	// Rewritten are the scalars that are written again with another text.
	Rewritten []syntax.ID
	// Script says that there is JavaScript in the text, undefined or a
	// constructor, which is written again as it is and is no JSON.
	Script bool
	// Irregular says that some object carries the flag Irregular.
	Irregular bool
	// Repeated are members that a later one of the same name replaced.
	Repeated []syntax.ID
}

// Parse reads a whole text and appends its nodes to the tree. Like the
// library it stops at the first error; what was read so far is then lost.
func Parse(tree *syntax.Tree, file *source.File) (Document, *Error) {
	b := &builder{reader: newReader(file), tree: tree}
	b.doc.File = tree.AddFile(file)
	err := b.document()
	b.doc.Comments = b.comments
	if err != nil {
		b.doc.Root = 0
		return b.doc, err.(*Error)
	}
	return b.doc, nil
}

// builder turns tokens into nodes.
type builder struct {
	*reader
	tree *syntax.Tree
	doc  Document
	open []frame
	// key is the name of the member whose value is read next.
	key member
}

// frame is a container whose end was not read yet.
type frame struct {
	id, last syntax.ID
	names    names
}

type member struct {
	start, end int
	name       str
}

// document reads the root value and checks that nothing follows it.
func (b *builder) document() error {
	found, err := b.next()
	if err != nil {
		return err
	}
	if !found {
		return b.fail("Error reading JToken from JsonReader.")
	}
	switch b.token {
	case comment:
	case startObject, startArray, startConstructor:
		if err := b.container(); err != nil {
			return err
		}
	case endObject, endArray, endConstructor:
		return b.fail("Error reading JToken from JsonReader. Unexpected token: %s.", b.token)
	default:
		b.doc.Root = b.scalar()
	}
	for found {
		if found, err = b.next(); err != nil {
			return err
		}
	}
	return nil
}

// container reads everything up to the end of the root container.
func (b *builder) container() error {
	name := map[token]string{startObject: "JObject", startArray: "JArray", startConstructor: "JConstructor"}[b.token]
	b.enter()
	b.doc.Root = b.open[0].id
	for read := false; ; read = true {
		found, err := b.next()
		if err != nil {
			return err
		}
		if !found {
			if !read {
				return b.fail("Error reading %s from JsonReader.", name)
			}
			return b.fail("Unexpected end of content while loading %s.", name)
		}
		b.take()
		if len(b.open) == 0 {
			return nil
		}
	}
}

// take adds the current token to the tree.
func (b *builder) take() {
	switch b.token {
	case propertyName:
		b.key = member{b.start, b.end, b.str}
	case startObject, startArray, startConstructor:
		b.enter()
	case endObject, endArray, endConstructor:
		b.leave()
	case comment:
	default:
		b.scalar()
	}
}

func (b *builder) enter() {
	n := syntax.Node{Start: uint32(b.start), End: uint32(b.end)}
	switch b.token {
	case startObject:
		n.Kind = syntax.Object
	case startArray:
		n.Kind = syntax.Array
	default:
		n.Kind = syntax.Bad
	}
	id := b.add(n)
	if b.token == startConstructor {
		b.tree.SetText(id, constructorPrefix+b.str.text())
		b.doc.Script = true
	}
	b.open = append(b.open, frame{id: id, names: b.spareNames()})
}

// spareNames returns the table of a container that was left at this depth, so
// that a file with many objects needs few tables.
func (b *builder) spareNames() names {
	if n := len(b.open); n < cap(b.open) {
		spare := b.open[:n+1][n].names
		spare.reset()
		return spare
	}
	return names{}
}

func (b *builder) leave() {
	n := len(b.open) - 1
	b.tree.Node(b.open[n].id).End = uint32(b.end)
	b.open = b.open[:n]
}

func (b *builder) scalar() syntax.ID {
	n := syntax.Node{Start: uint32(b.start), End: uint32(b.end)}
	rewritten := ""
	switch b.token {
	case text, date:
		n.Kind = syntax.String
		rewritten = b.stringNode(&n)
	case integer, float:
		n.Kind = syntax.Number
		rewritten = b.numberNode(&n)
	case boolean:
		n.Kind = syntax.False
		if b.truth {
			n.Kind = syntax.True
		}
	case null:
		n.Kind = syntax.Null
	default:
		id := b.add(n)
		b.tree.SetText(id, undefinedText)
		b.doc.Script = true
		return id
	}
	id := b.add(n)
	if rewritten != "" {
		b.tree.SetText(id, rewritten)
		if b.token != text {
			b.doc.Rewritten = append(b.doc.Rewritten, id)
		}
	}
	return id
}

// What stands in the text of a Bad node: JavaScript that Newtonsoft accepts
// and writes again, and that no JSON reader takes.
const (
	undefinedText     = "undefined"
	constructorPrefix = "new "
)

// stringNode returns the text to set where the file's own characters would
// not give the string's value.
func (b *builder) stringNode(n *syntax.Node) string {
	if b.token == date {
		if written := b.moment.String(); written != b.str.text() {
			return written
		}
	}
	if b.str.escaped {
		n.Flags |= syntax.Escaped
	}
	if b.str.quote == '"' && !b.str.odd {
		return ""
	}
	return b.str.text()
}

func (b *builder) numberNode(n *syntax.Node) string {
	if b.num.plain {
		return ""
	}
	written := b.num.String()
	if written == "NaN" || written == "Infinity" || written == "-Infinity" {
		n.Kind = syntax.String
		return written
	}
	if written == string(b.text[b.start:b.end]) {
		return ""
	}
	return written
}

// add appends a node below the innermost open container.
func (b *builder) add(n syntax.Node) syntax.ID {
	n.File = b.doc.File
	if len(b.open) == 0 {
		return b.tree.Add(n)
	}
	f := &b.open[len(b.open)-1]
	if b.tree.Node(f.id).Kind != syntax.Object {
		id := b.tree.Add(n)
		b.link(f, f.last, id)
		f.last = id
		return id
	}
	return b.addMember(f, n)
}

// addMember appends a member, or puts it into the place of an earlier one of
// exactly the same name.
func (b *builder) addMember(f *frame, n syntax.Node) syntax.ID {
	n.KeyStart, n.KeyEnd = uint32(b.key.start), uint32(b.key.end)
	if b.key.name.escaped {
		n.Flags |= syntax.KeyEscaped
	}
	id := b.tree.Add(n)
	name := b.key.name.text()
	if b.key.name.quote == '\'' || b.key.name.odd {
		b.tree.SetKey(id, name)
	}
	before, same, irregular := f.names.add(b.tree, name, id)
	if irregular {
		b.tree.Node(f.id).Flags |= syntax.Irregular
		b.doc.Irregular = true
	}
	if same == 0 {
		b.link(f, f.last, id)
		f.last = id
		return id
	}
	b.doc.Repeated = append(b.doc.Repeated, same)
	b.tree.Node(id).Next = b.tree.Node(same).Next
	b.link(f, before, id)
	if f.last == same {
		f.last = id
	}
	return id
}

func (b *builder) link(f *frame, before, id syntax.ID) {
	if before == 0 {
		b.tree.Node(f.id).First = id
		return
	}
	b.tree.Node(before).Next = id
}
