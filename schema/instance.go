package schema

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/schema/known"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/syntax"
)

// place is a value of the tree with the schema that it is held against and the
// way that leads to it.
type place struct {
	id     syntax.ID
	shape  *shape
	parent *place
	// name is the member's name in the spelling of the schema; "" for an
	// element of a list.
	name string
	// index is the element's position in its list.
	index int
}

// part returns the class of the part of the configuration around a place: of a
// route, of GlobalConfiguration.
func (p *place) part() string {
	class := ""
	for ; p.parent != nil; p = p.parent {
		if p.shape.class != "" {
			class = p.shape.class
		}
	}
	return class
}

// instance is a value in the form in which the library takes it, with the
// places of all its parts by JSON Pointer.
type instance struct {
	tree   *syntax.Tree
	known  known.Members
	quiet  *quiet
	places map[string]*place
	// order is the places in the order of the tree.
	order []*place
}

// value returns a place as a value of the library. Names are folded to the
// spelling of the schema, because the library compares letter case and .NET
// does not; names about which nothing is said are left out, as is what could
// not be read.
func (in *instance) value(at *place, pointer string) any {
	in.places[pointer] = at
	in.order = append(in.order, at)
	id := at.id
	n := in.tree.Node(id)
	if n.Flags&syntax.AlsoValue != 0 && !at.shape.types.has(arrayType|objectType) {
		id = in.tree.ValueOf(id)
		n = in.tree.Node(id)
	}
	switch n.Kind {
	case syntax.Null, syntax.Bad:
		return nil
	case syntax.True, syntax.False:
		return n.Kind == syntax.True
	case syntax.Number:
		return number(at.shape, in.tree.Text(id))
	case syntax.String:
		return in.text(at.shape, in.tree.Text(id))
	case syntax.Array:
		return in.list(at, pointer)
	}
	if at.shape.isList() && isList(in.tree, id) {
		return in.list(at, pointer)
	}
	return in.object(at, pointer)
}

// text returns a text. An empty one is null where a list or an object belongs.
func (in *instance) text(s *shape, text string) any {
	if text == "" && s.types.has(arrayType|objectType) {
		return nil
	}
	return text
}

// number returns a number as the library takes it. What it would need big
// arithmetic for is handed over as a text, which every schema of a number
// accepts as well; the format has the say about both.
func number(s *shape, text string) any {
	switch {
	case len(text) <= 24 && !strings.ContainsAny(text, "eE"):
		return json.Number(text)
	case s.types.has(numberType | integerType):
		return text
	}
	return json.Number("0")
}

func (in *instance) list(at *place, pointer string) []any {
	out := []any{}
	for id := range in.tree.Children(at.id) {
		if in.tree.Node(id).Kind == syntax.Bad {
			continue
		}
		item := &place{id: id, shape: orAny(at.shape.items), parent: at, index: len(out)}
		out = append(out, in.value(item, pointer+"/"+strconv.Itoa(len(out))))
	}
	return out
}

func (in *instance) object(at *place, pointer string) map[string]any {
	out := map[string]any{}
	for id := range in.tree.Children(at.id) {
		if in.tree.Node(id).Kind == syntax.Bad || in.known.Is(id, profile.Unread) {
			continue
		}
		key := in.tree.Key(id)
		s, name := at.shape.find(key)
		switch {
		case s == nil && at.shape.isDict():
			s, name = at.shape.entries, key
		case s == nil && in.quiet.name(key):
			continue
		case s == nil:
			s, name = anything, key
		}
		member := &place{id: id, shape: s, parent: at, name: name}
		out[name] = in.value(member, pointer+"/"+escapePointer(name))
	}
	for _, name := range at.shape.required {
		if out[name] == nil {
			delete(out, name)
		}
	}
	return out
}

// anything accepts every value.
var anything = &shape{open: true}

func orAny(s *shape) *shape {
	if s == nil {
		return anything
	}
	return s
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// escapePointer writes a name as the library writes it in a JSON Pointer, which
// it escapes for a URL as well.
func escapePointer(name string) string { return url.PathEscape(pointerEscapes.Replace(name)) }

// complaint is what the library objects to: a place and the keyword of the
// schema that it breaks.
type complaint struct {
	at      *place
	keyword string
}

// judge returns the library's complaints about a place in the order of the
// file; none if it is valid. The library reports them in random order, some
// of them more than once.
func (in *instance) judge(at *place) []complaint {
	invalid, ok := errors.AsType[*jsonschema.ValidationError](in.validate(at))
	if !ok {
		return nil
	}
	var out []complaint
	in.leaves(invalid, &out)
	slices.SortFunc(out, func(a, b complaint) int {
		x, y := in.tree.Node(a.at.id), in.tree.Node(b.at.id)
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Start, y.Start), cmp.Compare(a.keyword, b.keyword))
	})
	return slices.Compact(out)
}

// validate judges a place by the schema of its class. A member of the root
// without a class is judged inside of an otherwise empty root.
func (in *instance) validate(at *place) error {
	if at.shape.class == "" && at.name != "" {
		return library()("").Validate(map[string]any{at.name: in.value(at, "/"+escapePointer(at.name))})
	}
	return library()(at.shape.class).Validate(in.value(at, ""))
}

func (in *instance) leaves(err *jsonschema.ValidationError, out *[]complaint) {
	for _, cause := range err.Causes {
		in.leaves(cause, out)
	}
	if at := in.at(err.InstanceLocation); len(err.Causes) == 0 && at != nil {
		*out = append(*out, complaint{at, err.KeywordLocation[strings.LastIndexByte(err.KeywordLocation, '/')+1:]})
	}
}

// at returns the place of a pointer. The library drops the last step where it
// is the empty name, which only an entry of a dictionary can have.
func (in *instance) at(pointer string) *place {
	at := in.places[pointer]
	if entry := in.places[pointer+"/"]; entry != nil && at.shape.isDict() {
		return entry
	}
	return at
}
