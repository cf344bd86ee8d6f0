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
	// Values are the values of the type's members, one each.
	Values []Value
	// Place is where the object stands; nowhere for one that is only there by
	// default.
	Place syntax.Node
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
		o = &Object{Type: m.Object, Values: make([]Value, len(m.Object.Members))}
	}
	o.Place = place
	*v = Value{Set: true, Object: o}
	return d.members(o)
}

// members reads the members of an object up to its end.
func (d *deserializer) members(o *Object) error {
	for {
		found, err := d.next()
		if err != nil {
			return err
		}
		if !found {
			return d.unexpectedEnd("object")
		}
		switch d.token {
		case comment:
		case endObject:
			o.Place.End = uint32(d.end)
			return nil
		case propertyName:
			if err := d.member(o); err != nil {
				return err
			}
		default:
			return d.failAs(serializationException, "Unexpected token when deserializing object: "+d.token.String(), nil)
		}
	}
}

func (d *deserializer) unexpectedEnd(what string) error {
	return d.failAs(serializationException, "Unexpected end when deserializing "+what+".", nil)
}

// member reads the value of the member whose name was read.
func (d *deserializer) member(o *Object) error {
	d.key = member{d.start, d.end, d.str}
	name := d.str.text()
	i := closestMember(o.Type, name)
	if i < 0 || o.Type.Members[i].Is(model.NotInJSON) {
		return d.skipMember()
	}
	m := &o.Type.Members[i]
	found, err := d.read(m)
	if err != nil {
		return err
	}
	if !found {
		return d.failAs(serializationException, "Unexpected end when setting "+name+"'s value.", nil)
	}
	if m.Is(model.GetOnly) {
		return nil
	}
	v := &o.Values[i]
	if !v.Set && m.Present {
		initial(v, m)
	}
	return d.value(v, m)
}

// closestMember returns the place of the member with a name: the one spelled
// the same, else one that differs in case; -1 if there is none.
func closestMember(t *model.Type, name string) int {
	for i := range t.Members {
		if t.Members[i].Name == name {
			return i
		}
	}
	if m := t.Member(name); m != nil {
		for i := range t.Members {
			if &t.Members[i] == m {
				return i
			}
		}
	}
	return -1
}

// initial gives a value what a new object holds: text is added to lists and
// members of existing objects, while arrays are replaced.
func initial(v *Value, m *model.Member) {
	switch {
	case m.Shape == model.List || m.Shape == model.Set:
		for _, text := range m.Initial {
			v.Items = append(v.Items, Item{Initial: text})
		}
	case m.Shape == model.Single && m.Object != nil:
		v.Object = &Object{Type: m.Object, Values: make([]Value, len(m.Object.Members))}
	}
}

// skipMember reads over the value of a member that the type does not have.
func (d *deserializer) skipMember() error {
	if _, err := d.next(); err != nil {
		return err
	}
	if !d.token.starts() {
		return nil
	}
	for depth := d.depth(); ; {
		found, err := d.next()
		if err != nil || !found || d.depth() <= depth {
			return err
		}
	}
}

// list reads the elements of an array up to its end.
func (d *deserializer) list(v *Value, m *model.Member) error {
	if !m.Collection() || m.Shape == model.Dictionary {
		return d.wrongArray(m)
	}
	if m.Shape == model.Array || v.Scalar != 0 {
		v.Items = nil
	}
	v.Set, v.Scalar, v.Place = true, 0, d.containerPlace()
	d.key = member{}
	element := model.Member{Name: m.Name, Scalar: m.Scalar, Object: m.Object}
	for {
		found, err := d.read(&element)
		if err != nil {
			return err
		}
		switch {
		case !found:
			return d.unexpectedEnd("array")
		case d.token == endArray:
			v.Place.End = uint32(d.end)
			return nil
		case d.token == comment:
			continue
		}
		var item Value
		if err := d.value(&item, &element); err != nil {
			return err
		}
		d.addElement(v, m, Item{Scalar: item.Scalar, Object: item.Object})
	}
}

// addElement appends to a collection; a set keeps the first of equal elements.
func (d *deserializer) addElement(v *Value, m *model.Member, item Item) {
	if m.Shape == model.Set && item.Scalar != 0 {
		for _, other := range v.Items {
			if d.sameScalar(other, item.Scalar) {
				return
			}
		}
	}
	v.Items = append(v.Items, item)
}

func (d *deserializer) sameScalar(other Item, id syntax.ID) bool {
	isNull := d.tree.Node(id).Kind == syntax.Null
	if other.Scalar == 0 {
		return !isNull && other.Initial == d.tree.Text(id)
	}
	return isNull == (d.tree.Node(other.Scalar).Kind == syntax.Null) && d.tree.Text(other.Scalar) == d.tree.Text(id)
}

// dictionary reads the entries of an object up to its end. A name that comes
// twice keeps its first place and its last value.
func (d *deserializer) dictionary(v *Value, place syntax.Node) error {
	v.Set, v.Scalar, v.Place = true, 0, place
	element := model.Member{Scalar: model.String}
	for {
		found, err := d.next()
		switch {
		case err != nil:
			return err
		case !found:
			return d.unexpectedEnd("object")
		case d.token == comment:
			continue
		case d.token == endObject:
			v.Place.End = uint32(d.end)
			return nil
		case d.token != propertyName:
			return d.failAs(serializationException, "Unexpected token when deserializing object: "+d.token.String(), nil)
		}
		d.key = member{d.start, d.end, d.str}
		if found, err = d.read(&element); err != nil {
			return err
		}
		if !found {
			return d.unexpectedEnd("object")
		}
		var item Value
		if err := d.value(&item, &element); err != nil {
			return err
		}
		d.addEntry(v, item.Scalar)
	}
}

func (d *deserializer) addEntry(v *Value, id syntax.ID) {
	for i := range v.Items {
		if d.tree.Key(v.Items[i].Scalar) == d.tree.Key(id) {
			v.Items[i].Scalar = id
			return
		}
	}
	v.Items = append(v.Items, Item{Scalar: id})
}

// containerPlace is the place of a container that begins with the current token, with
// the name of the member that holds it.
func (d *deserializer) containerPlace() syntax.Node {
	n := syntax.Node{Start: uint32(d.start), End: uint32(d.end), File: d.doc.File}
	d.nameNode(&n)
	return n
}
