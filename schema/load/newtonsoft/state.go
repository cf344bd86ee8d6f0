package newtonsoft

// token is JsonToken, with the names that messages quote.
type token uint8

const (
	none token = iota
	startObject
	startArray
	startConstructor
	propertyName
	comment
	integer
	float
	text
	boolean
	null
	undefined
	endObject
	endArray
	endConstructor
	date
)

func (t token) String() string {
	return [...]string{"None", "StartObject", "StartArray", "StartConstructor", "PropertyName", "Comment", "Integer",
		"Float", "String", "Boolean", "Null", "Undefined", "EndObject", "EndArray", "EndConstructor", "Date"}[t]
}

func (t token) starts() bool { return t == startObject || t == startArray || t == startConstructor }

func closing(c byte) token {
	switch c {
	case '}':
		return endObject
	case ']':
		return endArray
	}
	return endConstructor
}

// container is what the token closes.
func (t token) container() container {
	switch t {
	case endObject:
		return objectContainer
	case endArray:
		return arrayContainer
	}
	return constructorContainer
}

// state is where the reader stands between two tokens.
type state uint8

const (
	atStart state = iota
	inProperty
	atObjectStart
	inObject
	atArrayStart
	inArray
	atConstructorStart
	inConstructor
	afterValue
	finished
)

// container is what a position is in.
type container uint8

const (
	noContainer container = iota
	objectContainer
	arrayContainer
	constructorContainer
)

func (c container) String() string {
	return [...]string{"None", "Object", "Array", "Constructor"}[c]
}

// position is one step of the path to the current token: the last name read in
// an object, or the index in an array.
type position struct {
	in    container
	index int
	name  string
}

// set makes t the current token, a value that stands for itself.
func (r *reader) set(t token) {
	r.token = t
	if t != none && t != comment {
		r.valueRead()
	}
}

// valueRead moves on behind a value, which counts in an array.
func (r *reader) valueRead() {
	r.state = afterValue
	if r.current.in == noContainer {
		r.state = finished
	}
	r.count()
}

func (r *reader) count() {
	if r.current.in == arrayContainer || r.current.in == constructorContainer {
		r.current.index++
	}
}

// open enters an object, array or constructor.
func (r *reader) open(t token) error {
	r.token, r.end = t, r.pos
	in := objectContainer
	switch t {
	case startObject:
		r.state = atObjectStart
	case startArray:
		r.state, in = atArrayStart, arrayContainer
	case startConstructor:
		r.state, in = atConstructorStart, constructorContainer
	}
	r.count()
	if r.current.in == noContainer {
		r.current = position{in: in, index: -1}
		return nil
	}
	r.stack = append(r.stack, r.current)
	r.current = position{in: in, index: -1}
	if len(r.stack)+1 > maxDepth && !r.tooDeep {
		r.tooDeep = true
		return r.fail("The reader's MaxDepth of %d has been exceeded.", maxDepth)
	}
	return nil
}

// close leaves a container, which must be of the token's kind.
func (r *reader) close(t token) error {
	r.token, r.end = t, r.pos
	left := r.current.in
	r.current = position{}
	if n := len(r.stack); n > 0 {
		r.current = r.stack[n-1]
		r.stack = r.stack[:n-1]
	}
	if r.depth() <= maxDepth {
		r.tooDeep = false
	}
	if left != t.container() {
		return r.fail("JsonToken %s is not valid for closing JsonType %s.", t, left)
	}
	r.state = afterValue
	if r.current.in == noContainer {
		r.state = finished
	}
	return nil
}

// resume returns to the inside of the current container, after a comma.
func (r *reader) resume() {
	switch r.current.in {
	case objectContainer:
		r.state = inObject
	case arrayContainer:
		r.state = inArray
	case constructorContainer:
		r.state = inConstructor
	default:
		r.state = finished
	}
}

// depth is how many containers are open around the current token.
func (r *reader) depth() int {
	if r.token.starts() || r.current.in == noContainer {
		return len(r.stack)
	}
	return len(r.stack) + 1
}
