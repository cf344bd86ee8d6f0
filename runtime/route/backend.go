package route

import (
	"bytes"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// backend builds the path and query that the backend of one route is asked for.
type backend struct {
	pieces []piece
	// dynamic routes ask for what follows the service in the request.
	dynamic bool
	// service goes in front of the path where discovery is Service Fabric's
	// (sf-dyn).
	fabric  bool
	service []piece
}

// piece is a fixed text, or a placeholder with its braces.
type piece struct {
	text string
	name string // empty for a fixed text
}

func newBackend(b *plan.Backend, fabric bool) backend {
	return backend{
		pieces:  pieces(b.Path),
		dynamic: b.Path == "",
		fabric:  fabric,
		service: pieces(b.Service),
	}
}

// pieces splits a template at everything that can be a placeholder.
func pieces(text string) []piece {
	var out []piece
	from := 0
	for at := 0; at < len(text); at++ {
		if text[at] != '{' {
			continue
		}
		end := strings.IndexAny(text[at+1:], "{}")
		if end < 0 || text[at+1+end] == '{' {
			continue
		}
		end += at + 2
		if from < at {
			out = append(out, piece{text: text[from:at]})
		}
		out = append(out, piece{text: text[at:end], name: text[at+1 : end-1]})
		from, at = end, end-1
	}
	if from < len(text) {
		out = append(out, piece{text: text[from:]})
	}
	return out
}

// BackendTarget returns the path and query that the backend of the route is
// asked for, in the form of a request line. It fails with [ErrEscape] or
// [ErrEmptyPath], and must not be called for an aggregate.
func (m *Match) BackendTarget(in Target) (string, error) {
	return m.table.backends[m.index].target(m, in)
}

// MemberTarget is BackendTarget for the member route with an index in
// plan.Routes of the aggregate that takes the request.
func (m *Match) MemberTarget(route int, in Target) (string, error) {
	return m.table.backends[route].target(m, in)
}

// draft is a backend target under construction. It is passed by value, which
// lets its memory stay on the stack.
type draft struct {
	text []byte
	// values are the places of captured values in text.
	values []span
}

// target follows DownstreamUrlCreatorMiddleware and what System.Uri makes of
// its result.
func (b *backend) target(m *Match, in Target) (string, error) {
	var text [256]byte
	var values [8]span
	d := draft{text: text[:0], values: values[:0]}
	if b.dynamic {
		d = d.value(behindService(in.Path()))
	} else {
		d = d.fill(b.pieces, m)
	}
	if len(d.text) == 0 {
		return "", ErrEmptyPath
	}
	if bytes.HasSuffix(d.text, []byte("/")) && !endsWithSlash(in.Path()) {
		d.text = bytes.TrimRight(d.text, "/")
	}
	if b.fabric && (b.dynamic || len(b.service) > 0) {
		d = b.inFabric(d, m)
		path, err := d.path(len(d.text))
		return string(appendQuery(path, in.Query())), err
	}
	question := bytes.IndexByte(d.text, '?')
	switch {
	case question < 0:
		path, err := d.path(len(d.text))
		if err != nil {
			return "", err
		}
		return string(appendClientQuery(path, in.Query(), m)), nil
	case d.cutsPath(question):
		return "", ErrEscape
	}
	own := string(d.text[question:])
	path, err := d.path(question)
	if err != nil {
		return "", err
	}
	if in.Query() == "" {
		return string(appendQuery(path, own)), nil
	}
	return string(appendMerged(path, own, in.Query(), m)), nil
}

// cutsPath reports whether the question mark at a place comes from a captured
// value and would make a query of what follows the value in the path.
func (d draft) cutsPath(question int) bool {
	value := d.valueAt(question)
	if value == 0 {
		return false
	}
	end := d.values[value-1].to
	return end < len(d.text) && d.text[end] != '?'
}

// inFabric puts the name of the service in front.
func (b *backend) inFabric(behind draft, m *Match) draft {
	d := draft{text: []byte("/")}
	if b.dynamic {
		name, _ := m.Service()
		d.text = append(d.text, name...)
	} else {
		d = d.fill(b.service, m)
	}
	shift := len(d.text)
	d.text = append(d.text, behind.text...)
	for _, v := range behind.values {
		d.values = append(d.values, span{v.from + shift, v.to + shift})
	}
	return d
}

// behindService returns the path behind its first segment.
func behindService(path string) string {
	if i := strings.IndexByte(path[1:], '/'); i >= 0 {
		return path[1+i:]
	}
	return "/"
}

// fill puts values in place of their placeholders; others stay as written. In
// a query, an ampersand of a captured value is encoded, for it separates
// nothing there (difference ampersand-cut).
func (d draft) fill(pieces []piece, m *Match) draft {
	query := false
	for _, p := range pieces {
		value, captured, ok := p.text, false, false
		if p.name != "" {
			value, captured, ok = m.lookup(p.name)
		}
		switch {
		case !ok:
			d.text = append(d.text, p.text...)
		case captured && query:
			d = d.value(strings.ReplaceAll(value, "&", "%26"))
		default:
			d = d.value(value)
		}
		query = query || bytes.IndexByte(d.text, '?') >= 0
	}
	return d
}

func (d draft) value(text string) draft {
	from := len(d.text)
	d.text = append(d.text, text...)
	d.values = append(d.values, span{from, len(d.text)})
	return d
}

// lookup returns the value of a placeholder, and whether it was captured from
// path or query.
func (m *Match) lookup(name string) (value string, captured, ok bool) {
	for _, p := range m.set {
		if p.name == name {
			return p.value, false, true
		}
	}
	for i, v := range m.values() {
		if m.entry.names[i] == name {
			return v, i < len(m.entry.template.names), true
		}
	}
	return "", false, false
}

// count is the number of placeholders that have a value.
func (m *Match) count() int { return len(m.values()) + len(m.set) }
