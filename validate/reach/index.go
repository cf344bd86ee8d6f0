package reach

import "strings"

// index finds the routes whose templates may fit a path, by its segments. It
// may name too many. It leaves out those whose dot has to stand for another
// character than a dot.
type index struct {
	literal map[string]*index // by the segment in lower case
	segment *index            // behind a placeholder that is a whole segment
	// ends are the templates that stop here, rest those that go on in a way
	// that segments do not tell.
	ends, rest []int
}

// metacharacters make a template a regular expression that need not respect
// segments. A question mark starts the query.
const metacharacters = `\*+()[]|^$`

func (x *index) add(i int, template string) {
	path, _, query := strings.Cut(template, "?")
	if strings.ContainsAny(path, metacharacters) || !strings.HasPrefix(path, "/") {
		x.rest = append(x.rest, i)
		return
	}
	segments := strings.Split(path[1:], "/")
	for n, s := range segments {
		last := n == len(segments)-1
		switch {
		case !last && isPlaceholder(s):
			if x.segment == nil {
				x.segment = &index{}
			}
			x = x.segment
			continue
		case last && s == "":
			x.ends = append(x.ends, i) // /a/ takes /a too
		case strings.ContainsAny(s, "{}"), last && s[0] == '.':
			x.rest = append(x.rest, i)
			return
		}
		x = x.child(strings.ToLower(s))
	}
	x.ends = append(x.ends, i)
	if query {
		x.child("").ends = append(x.child("").ends, i) // /a?b takes /a/?b too
	}
}

func (x *index) child(segment string) *index {
	if x.literal == nil {
		x.literal = map[string]*index{}
	}
	if x.literal[segment] == nil {
		x.literal[segment] = &index{}
	}
	return x.literal[segment]
}

func isPlaceholder(s string) bool {
	return len(s) >= 2 && s[0] == '{' && strings.IndexByte(s, '}') == len(s)-1
}

// each calls f for every route that may take target.
func (x *index) each(target string, f func(i int)) {
	path, _, _ := strings.Cut(target, "?")
	x.walk(strings.ToLower(strings.TrimPrefix(path, "/")), false, f)
}

func (x *index) walk(path string, done bool, f func(i int)) {
	for _, i := range x.rest {
		f(i)
	}
	if done {
		for _, i := range x.ends {
			f(i)
		}
		return
	}
	segment, after, more := strings.Cut(path, "/")
	if next := x.literal[segment]; next != nil {
		next.walk(after, !more, f)
	}
	if x.segment != nil && segment != "" {
		x.segment.walk(after, !more, f)
	}
}
