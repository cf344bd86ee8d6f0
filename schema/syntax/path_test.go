package syntax_test

import (
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
