package syntax_test

import (
	"fmt"

	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

func ExampleParse() {
	file := source.NewFile("ocelot.json", []byte(`{
  // comments and trailing commas are fine
  "Routes": [ { "Key": "orders", "Timeout": 0x1F } ],
  "GlobalConfiguration" { },
}`))
	var tree syntax.Tree
	doc := syntax.Parse(&tree, file)
	for _, d := range doc.Defects {
		at := file.Position(d.Start)
		fmt.Printf("%d:%d: %s\n", at.Line, at.Column, d.Message)
	}
	fmt.Println(".NET:", doc.Stop().Net)
	route := tree.Node(tree.Find(doc.Root, "routes")).First
	key := tree.Find(route, "KEY")
	fmt.Println(tree.Path(doc.Root, key), "=", tree.Text(key))
	// Output:
	// 3:45: "0x1F" is hexadecimal: JSON knows only decimal numbers
	// 4:24: a colon is missing after "GlobalConfiguration"
	// .NET: 'x' is an invalid end of a number. Expected a delimiter. LineNumber: 2 | BytePositionInLine: 45.
	// Routes:0:Key = orders
}
