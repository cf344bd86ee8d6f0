// Package schema says what an Ocelot configuration may hold: it decodes trees
// into the typed configuration and checks them against the embedded JSON
// Schema, which is also the documentation of every property.
//
// It takes the tree that package load returns and gives back the configuration
// and findings about names, shapes and types. It resolves nothing: what the
// values of several sections amount to is for package normalize.
package schema
