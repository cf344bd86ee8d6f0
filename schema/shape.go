package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/margay-dev/margay/schema/model"
)

// shape is one schema of the document in the form in which nodes of a tree are
// held against it at full speed. It says the same as the document, from which
// it is made: a property test holds the two together.
type shape struct {
	// class is the name of the definition; "" for shapes without a name.
	class string
	// title is what the schema calls it.
	title string
	// types are the JSON types that are accepted; none accepts everything.
	types types
	// format is the name of the format of a scalar; "" for none.
	format string
	check  func(text string) bool
	// enum holds the texts that are accepted; nil for any.
	enum []string
	// unit is the unit of a duration or size, in the plural.
	unit string
	// items are the elements of a list, entries those of a dictionary.
	items, entries *shape
	// names and members are those of an object.
	names    []string
	members  []*shape
	index    model.Index
	required []string
	// open accepts names that are not in names.
	open bool
	// hasDefault says that a new object holds a value here.
	hasDefault bool
	// inside says that the class belongs to ResilienceOptions, which only
	// margay reads.
	inside bool
}

// types is a set of JSON types.
type types uint8

const (
	nullType types = 1 << iota
	booleanType
	integerType
	numberType
	stringType
	arrayType
	objectType
)

var typeNames = map[string]types{
	"null": nullType, "boolean": booleanType, "integer": integerType, "number": numberType | integerType,
	"string": stringType, "array": arrayType, "object": objectType,
}

func (t types) has(other types) bool { return t&other != 0 }

// isDict says whether the shape is a dictionary: an object with free names.
func (s *shape) isDict() bool { return s.entries != nil }

// isObject says whether the shape is an object with given names.
func (s *shape) isObject() bool { return s.types.has(objectType) && !s.isDict() }

// isList says whether the shape is a list.
func (s *shape) isList() bool { return s.types.has(arrayType) }

// find returns the member with a name, compared as .NET compares configuration
// keys, and its spelling in the schema; nil if there is none.
func (s *shape) find(name string) (member *shape, spelling string) {
	if i := s.index.Find(name); i >= 0 {
		return s.members[i], s.names[i]
	}
	return nil, ""
}

// shapes returns the shape of a whole configuration and those of the classes by
// name.
var shapes = sync.OnceValue(func() *shapeSet {
	var doc definition
	if err := json.Unmarshal([]byte(document), &doc); err != nil {
		panic(fmt.Sprintf("schema: read the embedded schema: %v", err))
	}
	set := &shapeSet{classes: map[string]*shape{}, doc: &doc}
	set.root = set.shape(&doc)
	markInside(set.classes["Resilience"])
	markInside(set.classes["GlobalResilience"])
	return set
})

type shapeSet struct {
	root    *shape
	classes map[string]*shape
	doc     *definition
}

func markInside(s *shape) {
	s.inside = true
	for _, member := range s.members {
		if member.class != "" {
			markInside(member)
		}
	}
}

// definition is a schema as the document writes it.
type definition struct {
	Ref         string                 `json:"$ref"`
	AllOf       []definition           `json:"allOf"`
	Title       string                 `json:"title"`
	Type        stringOrList           `json:"type"`
	Format      string                 `json:"format"`
	Enum        []*string              `json:"enum"`
	Unit        string                 `json:"x-unit"`
	Items       *definition            `json:"items"`
	Required    []string               `json:"required"`
	Properties  ordered                `json:"properties"`
	Default     json.RawMessage        `json:"default"`
	Additional  json.RawMessage        `json:"additionalProperties"`
	Definitions map[string]*definition `json:"definitions"`
}

// stringOrList is "type", which may be one name or several.
type stringOrList []string

func (l *stringOrList) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		*l = make(stringOrList, 1)
		return json.Unmarshal(text, &(*l)[0])
	}
	return json.Unmarshal(text, (*[]string)(l))
}

// ordered is "properties" in the order of the document.
type ordered struct {
	names  []string
	schema map[string]*definition
}

func (o *ordered) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &o.schema); err != nil {
		return err
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			return err
		}
		if depth == 1 {
			if name, ok := token.(string); ok {
				o.names = append(o.names, name)
				var skipped json.RawMessage
				if err := d.Decode(&skipped); err != nil {
					return err
				}
				continue
			}
		}
		if token == json.Delim('{') {
			depth++
		} else if depth--; depth == 0 {
			return nil
		}
	}
}

func (set *shapeSet) shape(d *definition) *shape {
	switch {
	case d.Ref != "":
		return set.resolve(d.Ref)
	case len(d.AllOf) == 1:
		return set.shape(&d.AllOf[0])
	}
	s := &shape{}
	set.fill(s, d)
	return s
}

// resolve follows a reference of the form #/definitions/C or
// #/definitions/C/properties/P.
func (set *shapeSet) resolve(ref string) *shape {
	path := strings.Split(strings.TrimPrefix(ref, "#/definitions/"), "/")
	d := set.doc.Definitions[path[0]]
	if len(path) == 3 {
		return set.shape(d.Properties.schema[path[2]])
	}
	if s := set.classes[path[0]]; s != nil {
		return s
	}
	s := &shape{class: path[0]}
	set.classes[path[0]] = s
	set.fill(s, d)
	return s
}

func (set *shapeSet) fill(s *shape, d *definition) {
	s.title, s.format, s.unit, s.required = d.Title, d.Format, d.Unit, d.Required
	s.check = texts[d.Format]
	s.hasDefault = d.Default != nil
	for _, name := range d.Type {
		s.types |= typeNames[name]
	}
	for _, text := range d.Enum {
		if text != nil {
			s.enum = append(s.enum, *text)
		}
	}
	if d.Items != nil {
		s.items = set.shape(d.Items)
	}
	s.names = d.Properties.names
	for _, name := range s.names {
		s.members = append(s.members, set.shape(d.Properties.schema[name]))
	}
	s.index = model.NewIndex(s.names)
	switch additional := string(d.Additional); {
	case additional == "true":
		s.open = true
	case additional != "" && additional != "false":
		var entries definition
		if err := json.Unmarshal(d.Additional, &entries); err != nil {
			panic(fmt.Sprintf("schema: read the embedded schema: %v", err))
		}
		s.entries = set.shape(&entries)
	}
}
