package schema

import (
	"github.com/margay-dev/margay/schema/bind"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/syntax"
)

// DecodeOptions say where in the configuration the decoded node stands, and
// whose release reads it. The zero value is for the root and the newest one.
type DecodeOptions = bind.Options

// Decode returns the configuration that Ocelot's program binds from a node of a
// tree in the normal form of package load, which is Bound of a load.Result:
// every value with its origin, the elements that are dropped without a message,
// and the error that stops the start. It always returns a configuration; node 0
// gives that of an empty file.
func Decode(tree *syntax.Tree, bound syntax.ID, opts DecodeOptions) *config.Configuration {
	return bind.Configuration(tree, bound, opts)
}
