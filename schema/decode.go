package schema

import (
	"github.com/margay-dev/margay/schema/bind"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/syntax"
)

// DecodeOptions say what of a tree is decoded. The zero value is the whole of
// it.
type DecodeOptions = bind.Options

// Decode returns the configuration that Ocelot's program binds from a tree in
// the normal form of package load: every value with its origin, the elements
// that are dropped without a message, and the error that stops the start. It
// always returns a configuration; root 0 gives that of an empty file.
func Decode(tree *syntax.Tree, root syntax.ID, opts DecodeOptions) *config.Configuration {
	return bind.Configuration(tree, root, opts)
}
