package syntax_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

func TestFindAndPath(t *testing.T) {
	tree := &syntax.Tree{}
	doc := syntax.Parse(tree, source.NewFile("ocelot.json", []byte(`{"Routes":[{},{"QoSOptions":{"Timeout":5}}]}`)))
	routes := tree.Find(doc.Root, "routes")
	second := tree.Node(tree.Node(routes).First).Next
	timeout := tree.Find(tree.Find(second, "QOSOPTIONS"), "Timeout")
	if got, want := tree.Path(doc.Root, timeout), "Routes:1:QoSOptions:Timeout"; got != want {
		t.Errorf("got path %q, want %q", got, want)
	}
	if got := tree.Path(routes, doc.Root); got != "" {
		t.Errorf("got path %q for a node that is not below, want none", got)
	}
	if got := tree.Find(second, "Timeout"); got != 0 {
		t.Errorf("got node %d for a name that is not there, want 0", got)
	}
}

// Path must give every node the key under which a walk from the root meets it,
// in a parsed tree and in one whose nodes have been put in another order.
func TestPathAgreesWithWalk(t *testing.T) {
	tree := &syntax.Tree{}
	doc := syntax.Parse(tree, source.NewFile("a.json", []byte(`{"a":[1,{"b":2,"c":[3]}],"d":{"e":{}},"f":4}`)))
	made := tree.Add(syntax.Node{Kind: syntax.Object, Flags: syntax.Made})
	tree.Node(made).First = tree.Find(doc.Root, "d")
	for _, root := range []syntax.ID{doc.Root, made} {
		var walk func(id syntax.ID, path string)
		walk = func(id syntax.ID, path string) {
			if got := tree.Path(root, id); got != path {
				t.Errorf("got %q, want %q", got, path)
			}
			i := 0
			for c := range tree.Children(id) {
				key := tree.Key(c)
				if tree.Node(id).Kind == syntax.Array {
					key = strconv.Itoa(i)
				}
				walk(c, strings.TrimPrefix(path+":"+key, ":"))
				i++
			}
		}
		walk(root, "")
	}
}
