package load

import (
	"github.com/margay-dev/margay/schema/load/newtonsoft"
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// defaultsName is the name of the text that holds what the program writes by
// itself. It is shown nowhere: nodes of it count as made.
const defaultsName = "defaults"

// newObject returns the node of a new object of a type as Newtonsoft writes
// it. Its nodes stand in a text of their own, with the kind Defaults.
func (l *loader) newObject(t *model.Type) syntax.ID {
	if id := l.defaults[t]; id != 0 {
		return id
	}
	first := l.tree.Len()
	file := source.NewFile(defaultsName, newtonsoft.WriteNew(t))
	doc, err := newtonsoft.Parse(l.tree, file)
	if err != nil {
		panic("newtonsoft.WriteNew wrote a text that cannot be read: " + err.Message)
	}
	l.result.setKind(doc.File, Defaults)
	for id := max(first, 1); id < l.tree.Len(); id++ {
		l.tree.Node(syntax.ID(id)).Flags |= syntax.Made
	}
	if l.defaults == nil {
		l.defaults = map[*model.Type]syntax.ID{}
	}
	l.defaults[t] = doc.Root
	return doc.Root
}
