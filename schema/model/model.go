// Package model describes the types of Ocelot's configuration file: which
// members each of them has, in which order the program goes through them, and
// what a new object holds before anything is read into it.
//
// It is data without behaviour, taken from the program itself (recorded in
// model.json). The binder, the merge of SwaggerForOcelot and the JSON Schema
// are held against it, so that they cannot disagree about a name or a default.
package model

// Scalar is a type that a single value converts to.
type Scalar uint8

// The scalars. None is what members that hold objects have.
const (
	None Scalar = iota
	String
	Int
	Long
	Double
	Bool
	Char
)

// Name returns the .NET name of the type, as messages quote it; "" for None.
func (s Scalar) Name() string {
	return [...]string{"", "System.String", "System.Int32", "System.Int64", "System.Double", "System.Boolean", "System.Char"}[s]
}

// Shape is how many values a member holds and how it is written.
type Shape uint8

// The shapes.
const (
	// Single is one scalar or one object.
	Single Shape = iota
	// List is a List<T>.
	List
	// Set is a HashSet<T>, which holds equal elements once.
	Set
	// Array is a T[].
	Array
	// Dictionary has text keys.
	Dictionary
)

// Type is one class of the file model.
type Type struct {
	// Name is the class name: "FileRoute".
	Name string
	// Namespace is what stands before the name, with its last dot; "" is
	// "Ocelot.Configuration.File.".
	Namespace string
	// Members are in the order in which both the binder and Newtonsoft go
	// through them: those of the class itself first, then its base's. The
	// first error is that of the first member, not of the first line.
	Members []Member
	// Constructor names the members that the only constructor takes, in its
	// order; nil where there is one without parameters.
	Constructor []string
}

// FullName returns the name of the class with its namespace.
func (t *Type) FullName() string {
	if t.Namespace != "" {
		return t.Namespace + t.Name
	}
	return "Ocelot.Configuration.File." + t.Name
}

// Member is a property of a class.
type Member struct {
	Name  string
	Shape Shape
	// Scalar is the type of the value, or of the elements or entries; None
	// where these are objects of type Object.
	Scalar Scalar
	Object *Type
	// Present says that a new object holds something here already: a
	// non-nullable scalar, an instance, an empty or filled collection.
	Present bool
	// Initial is the text of the scalar, or the elements of the collection,
	// that a new object holds.
	Initial []string
	Flags   Flags
}

// Flags are facts about a member that are rarely true.
type Flags uint8

// The flags.
const (
	// Nullable marks an int?, long?, double? or bool?.
	Nullable Flags = 1 << iota
	// Interface marks a collection declared as IList or IDictionary.
	Interface
	// GetOnly marks a member that can't be set; the binder converts what is
	// written all the same.
	GetOnly
	// Deprecated marks a member that Ocelot calls obsolete.
	Deprecated
	// NotInJSON marks a member that Newtonsoft neither reads nor writes.
	NotInJSON
)

// Is says whether all given flags are set.
func (m *Member) Is(flags Flags) bool { return m.Flags&flags == flags }

// Collection says whether the member holds more than one value.
func (m *Member) Collection() bool { return m.Shape != Single }

// TypeName returns the .NET name of the member's type without "?", as messages
// quote it: "System.Collections.Generic.HashSet`1[System.String]".
func (m *Member) TypeName() string {
	element := m.Scalar.Name()
	if m.Object != nil {
		element = m.Object.FullName()
	}
	generic := "System.Collections.Generic."
	if m.Is(Interface) {
		generic += "I"
	}
	switch m.Shape {
	case List:
		return generic + "List`1[" + element + "]"
	case Set:
		return generic + "HashSet`1[" + element + "]"
	case Array:
		return element + "[]"
	case Dictionary:
		return generic + "Dictionary`2[System.String," + element + "]"
	}
	return element
}

// Root returns the type of a whole configuration, FileConfiguration.
func Root() *Type { return &configuration }

// Member returns the member with the given name, which is compared as .NET
// compares configuration keys; nil if there is none.
func (t *Type) Member(name string) *Member {
	for i := range t.Members {
		if equalFold(t.Members[i].Name, name) {
			return &t.Members[i]
		}
	}
	return nil
}

// Place returns the index of the member with exactly the given name; -1 if
// there is none.
func (t *Type) Place(name string) int {
	for i := range t.Members {
		if t.Members[i].Name == name {
			return i
		}
	}
	return -1
}

// Closest returns the index of the member that Newtonsoft takes for a name:
// the one spelled the same, else the first that differs in case only; -1 if
// there is none.
func (t *Type) Closest(name string) int {
	if i := t.Place(name); i >= 0 {
		return i
	}
	for i := range t.Members {
		if equalFold(t.Members[i].Name, name) {
			return i
		}
	}
	return -1
}

// equalFold compares a member's name, which is ASCII, with any text without
// regard to the case of ASCII letters: no other character has one of them as
// its upper case in .NET's OrdinalIgnoreCase.
func equalFold(name, other string) bool {
	if len(name) != len(other) {
		return false
	}
	for i := range len(name) {
		if lower(name[i]) != lower(other[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
