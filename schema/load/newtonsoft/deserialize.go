package newtonsoft

import (
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Object is a typed object that was read, with everything in it that the type
// knows.
type Object struct {
	Type *model.Type
	// Place is where the object stands; nowhere for one that is only there by
	// default.
	Place syntax.Node

	// values are what the text gave, in the order of the text; index has the
	// place in it, counted from 1, for each member of the type.
	values []Value
	index  []uint8
}

// New returns a new object of a type.
func New(t *model.Type) *Object { return &Object{Type: t, index: make([]uint8, len(t.Members))} }

// At returns what the i-th member of the type holds; the zero Value if the
// text gave it nothing.
func (o *Object) At(i int) Value {
	if o.index[i] == 0 {
		return Value{}
	}
	return o.values[o.index[i]-1]
}

// Get returns what the member with a name holds; the name is spelled as in the
// type.
func (o *Object) Get(name string) Value { return o.At(o.Type.Place(name)) }

// Put gives the member with a name a value; the name is spelled as in the
// type.
func (o *Object) Put(name string, v Value) { *o.at(o.Type.Place(name)) = v }

// at returns the value of the i-th member to be written to. The pointer is
// good until another member gets its first value.
func (o *Object) at(i int) *Value {
	if o.index[i] == 0 {
		o.values = append(o.values, Value{})
		o.index[i] = uint8(len(o.values))
	}
	return &o.values[o.index[i]-1]
}

// Value is what a member of an object holds. The zero Value is what a new
// object holds.
type Value struct {
	// Set says that the text gave the member a value; false leaves the
	// default.
	Set bool
	// Scalar is the node of a scalar or null; 0 otherwise.
	Scalar syntax.ID
	// Object is an object.
	Object *Object
	// Items are the elements of a collection, or the entries of a dictionary:
	// scalars, objects or null. Those that a new object holds come first.
	Items []Item

	Place syntax.Node
}

// Item is an element of a collection or an entry of a dictionary.
type Item struct {
	// Scalar is the node of a scalar or null; 0 for an object. A dictionary's
	// entry has its name.
	Scalar syntax.ID
	Object *Object
	// Initial is the text of an element that a new object holds.
	Initial string
}

// Deserialize reads a whole text into an object of a type, as
// JsonConvert.DeserializeObject does. A text without a value, and null, give a
// nil Object. Unlike Parse it stops the program for any value that does not
// fit its member.
func Deserialize(tree *syntax.Tree, file *source.File, typ *model.Type) (*Object, Document, *Error) {
	d := &deserializer{builder{reader: newReader(file), tree: tree}}
	d.doc.File = tree.AddFile(file)
	object, err := d.root(typ)
	d.doc.Comments = d.comments
	if err != nil {
		return nil, d.doc, err.(*Error)
	}
	return object, d.doc, nil
}

type deserializer struct{ builder }

func (d *deserializer) root(typ *model.Type) (*Object, error) {
	found, err := d.content()
	if err != nil || !found {
		return nil, err
	}
	var v Value
	if err := d.value(&v, &model.Member{Object: typ}); err != nil {
		return nil, err
	}
	for {
		found, err := d.next()
		if err != nil || !found {
			return v.Object, err
		}
		if d.token != comment {
			return nil, d.failAs(serializationException, "Additional text found in JSON string after finishing deserializing object.", nil)
		}
	}
}

// content reads the next token that is no comment.
func (d *deserializer) content() (bool, error) {
	for {
		found, err := d.next()
		if err != nil || !found || d.token != comment {
			return found, err
		}
	}
}

// read reads the next value of a member's type as far as its first token. It
// returns false at the end of the text.
func (d *deserializer) read(m *model.Member) (bool, error) {
	if m.Collection() || m.Object != nil || m.Scalar == model.Long || m.Scalar == model.Char {
		found, err := d.content()
		if err == nil && found && m.Scalar == model.Long && !m.Collection() && d.token == undefined {
			return false, d.fail("An undefined token is not a valid %s.", fullTypeName(m))
		}
		return found, err
	}
	err := d.readAs(m.Scalar)
	return d.token != none, err
}

// value makes the current token the value of a member.
func (d *deserializer) value(v *Value, m *model.Member) error {
	switch d.token {
	case startObject:
		return d.object(v, m)
	case startArray:
		return d.list(v, m)
	case endObject, endArray, endConstructor, propertyName:
		return d.failAs(serializationException, "Unexpected token while deserializing object: "+d.token.String(), nil)
	}
	id, err := d.convert(m)
	if err != nil {
		return err
	}
	*v = Value{Set: true, Scalar: id}
	return nil
}

func (d *deserializer) object(v *Value, m *model.Member) error {
	place := d.containerPlace()
	switch {
	case m.Shape == model.Dictionary:
		return d.dictionary(v, place)
	case m.Collection():
		return d.wrongObject(m, "JSON array (e.g. [1,2,3])")
	case m.Object == nil:
		return d.wrongObject(m, "JSON primitive value (e.g. string, number, boolean, null)")
	}
	o := v.Object
	if o == nil {
		o = New(m.Object)
	}
	o.Place = place
	*v = Value{Set: true, Object: o}
	return d.members(o)
}
