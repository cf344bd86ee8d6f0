package load

import (
	"github.com/margay-dev/margay/schema/load/newtonsoft"
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Object is Ocelot's AddOcelot(configuration, …) with an object that the
// program has made in code: it is written to a file and loaded from there.
type Object struct {
	// JSON is the object as JSON.
	JSON *source.File
	// Untyped says that the object is a JObject, which keeps everything; a
	// FileConfiguration loses what its type does not know and writes every
	// member.
	Untyped bool
	// Primary is the file that is written; "" is ocelot.json.
	Primary string
}

func (o Object) add(l *loader) error {
	primary := o.Primary
	if primary == "" {
		primary = "ocelot.json"
	}
	root := syntax.ID(0)
	if o.Untyped {
		root = l.parsePart(o.JSON)
	} else if typed := l.object(o.JSON, model.Root()); typed != nil {
		root = l.emit(typed)
	}
	if root == 0 {
		l.layer(primary, 0)
		return nil
	}
	return l.load(Merged{}, root, primary, false)
}

// object reads a typed object. It returns nil after a failure.
func (l *loader) object(file *source.File, t *model.Type) *newtonsoft.Object {
	object, doc, err := newtonsoft.Deserialize(l.tree, file, t)
	l.result.Texts = append(l.result.Texts, Text{File: file, Index: doc.File, Comments: doc.Comments, Part: true})
	l.noteEncoding(file)
	switch {
	case err != nil:
		l.result.fail(fromNewtonsoft(err))
		return nil
	case object == nil:
		l.result.fail(nullReference(source.Span{File: file}, "the file holds nothing that the merge can read", `write { "Routes": [] } for a file without routes`))
		return nil
	}
	return object
}

// fillNull replaces members of a FileConfiguration that are null by new ones,
// as Ocelot does before it merges files on top of an object.
func fillNull(o *newtonsoft.Object) {
	for i := range o.Type.Members {
		if v := o.At(i); v.Set && v.Scalar != 0 {
			o.Put(o.Type.Members[i].Name, newtonsoft.Value{})
		}
	}
}

// emit makes the nodes of a typed object as Newtonsoft writes it: every member
// in the order of the type. What the text gave points into the text; the rest
// are nodes of a new object.
func (l *loader) emit(o *newtonsoft.Object) syntax.ID {
	n := o.Place
	n.Kind = syntax.Object
	fallback := l.newObject(o.Type)
	if n.End == 0 {
		n = *l.tree.Node(fallback)
		n.First = 0
	}
	list := appender{tree: l.tree, parent: l.tree.Add(n)}
	fallback = l.tree.Node(fallback).First
	for i := range o.Type.Members {
		m := &o.Type.Members[i]
		if m.Is(model.NotInJSON) {
			continue
		}
		id := fallback
		if v := o.At(i); v.Set {
			id = l.emitValue(m, &v, fallback)
		}
		if m.Is(model.GetOnly) {
			id = l.computed(o, m, id)
		}
		list.add(id, m.Name)
		fallback = l.tree.Node(fallback).Next
	}
	return list.parent
}

// emitValue makes the node of a member. The node that a new object has there
// gives the elements that the object begins with.
func (l *loader) emitValue(m *model.Member, v *newtonsoft.Value, fallback syntax.ID) syntax.ID {
	switch {
	case v.Scalar != 0:
		return v.Scalar
	case v.Object != nil:
		return l.emit(v.Object)
	}
	n := v.Place
	n.Kind = syntax.Array
	if m.Shape == model.Dictionary {
		n.Kind = syntax.Object
	}
	list := appender{tree: l.tree, parent: l.tree.Add(n)}
	element := l.tree.Node(fallback).First
	for _, item := range v.Items {
		id := item.Scalar
		switch {
		case item.Object != nil:
			id = l.emit(item.Object)
		case id == 0:
			id = element
			element = l.tree.Node(element).Next
		}
		list.add(id, l.tree.Key(id))
	}
	return list.parent
}
