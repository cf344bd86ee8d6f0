package newtonsoft

import (
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/syntax"
)

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
	i := o.Type.Closest(name)
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
	v := o.at(i)
	if !v.Set && m.Present {
		initial(v, m)
	}
	return d.value(v, m)
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
		v.Object = New(m.Object)
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
