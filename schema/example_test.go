package schema_test

import (
	"fmt"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

// A route in which one value does not convert is lost without a message; the
// finding says so.
func Example() {
	file := source.NewFile("ocelot.json", []byte(`{
  "Routes": [
    { "UpstreamPathTemplate": "/orders", "QoSOptions": { "Timeout": "5s" } },
    { "UpstreamPathTemplate": "/{everything}" }
  ]
}`))
	loaded := load.Single(file, load.Options{})
	cfg := schema.Decode(loaded.Tree, loaded.Bound, schema.DecodeOptions{})
	fmt.Println("routes:", len(cfg.Routes), "dropped:", cfg.Dropped[0].Path)

	findings, _ := schema.Check(loaded, cfg, schema.CheckOptions{})
	for _, d := range findings.Sorted() {
		fmt.Printf("%d: %s [%s]\n%s\nhelp: %s\n", d.Span.Position().Line, d.Message, d.Rule, d.Effect, d.Help)
	}
	// Output:
	// routes: 1 dropped: Routes:0
	// 3: "5s" is not a whole number [type-mismatch]
	// Ocelot drops the whole route /orders without a message
	// help: write 5000 (milliseconds)
}
