package schema

import (
	"slices"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/known"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// CheckOptions say what Check takes for granted. The zero value checks a
// configuration that an Ocelot gateway reads.
type CheckOptions struct {
	// AllowNames are names that nothing is said about, in any letter case. A
	// name that ends in * stands for all that begin with it.
	AllowNames []string
	// Margay says that margay runs the configuration, so that
	// ResilienceOptions is not ignored.
	Margay bool
	// Profile is whose release reads the configuration; it has to be the one
	// that the configuration was decoded for.
	Profile profile.Profile
}

// The rules of this package, by name.
const (
	syntaxError        = "syntax-error"
	notOcelot          = "not-ocelot"
	invalidEncoding    = "invalid-encoding"
	typeMismatch       = "type-mismatch"
	ignoredScalar      = "ignored-scalar"
	colonInKey         = "colon-in-key"
	unknownName        = "unknown-name"
	misplacedName      = "misplaced-name"
	removedName        = "removed-name"
	inventedResilience = "invented-resilience"
	resilienceIgnored  = "resilience-ignored"
	secretInConfig     = "secret-in-config"
	nullValue          = "null-value"
)

// Check returns the findings about a loaded configuration that need its texts,
// its tree and what Decode made of it, but no resolution: defects of the
// texts, names, shapes and types. One mistake is one finding.
//
// Shapes are judged by the JSON Schema. Elements of Routes, DynamicRoutes and
// Aggregates that a fast walk finds nothing in are not handed to the library.
//
// The secrets are those of Secrets: every printer of excerpts has to mask them,
// whatever finding it prints.
func Check(res *load.Result, cfg *config.Configuration, opts CheckOptions) (findings *diag.List, secrets []Secret) {
	search := make(chan []Secret)
	go func() { search <- Secrets(res) }()
	c := &checker{
		tree: res.Tree, known: cfg.Known, profile: opts.Profile, res: res, quiet: newQuiet(opts.AllowNames), shapes: shapes(),
		errors: bindErrors(cfg), list: &diag.List{}, fates: map[fateKey]fate{},
	}
	c.texts()
	c.notes()
	c.configuration(res.Bound)
	c.older(res.Bound)
	if !opts.Margay {
		c.resilienceIgnored()
	}
	secrets = <-search
	c.secrets(secrets)
	return c.list, secrets
}

type checker struct {
	tree *syntax.Tree
	// known are the members that the profile's release reads otherwise.
	known   known.Members
	profile profile.Profile
	res     *load.Result
	quiet   quiet
	shapes  *shapeSet
	// errors are the binder's errors by the node of the value.
	errors map[syntax.ID]*config.BindError
	// resilience are the sections that only margay reads.
	resilience []syntax.ID
	list       *diag.List
	// last is the identity of the route that the last finding was about.
	last struct {
		id       syntax.ID
		identity string
	}
	// fates remembers what has been made of a name in a class: many routes
	// have the same one.
	fates map[fateKey]fate
}

// add takes over a finding, unless it is about a text that the program has
// written by itself. What comes from outside of files can't be edited.
func (c *checker) add(d diag.Diagnostic) {
	switch c.origin(d.Span.File) {
	case load.Defaults:
		return
	case load.Outside:
		d.Fix = nil
	}
	c.list.Add(d)
}

func (c *checker) origin(file *source.File) load.FileKind {
	if i := slices.Index(c.tree.Files, file); i >= 0 {
		return c.res.Kind(uint16(i))
	}
	return load.UserFile
}

// bindErrors collects the errors of a configuration; nil where there are none,
// as nearly always.
func bindErrors(cfg *config.Configuration) map[syntax.ID]*config.BindError {
	if len(cfg.Dropped) == 0 && cfg.Failure == nil {
		return nil
	}
	out := make(map[syntax.ID]*config.BindError, len(cfg.Dropped)+1)
	for i := range cfg.Dropped {
		out[cfg.Dropped[i].Reason.At.Node] = &cfg.Dropped[i].Reason
	}
	if cfg.Failure != nil {
		out[cfg.Failure.At.Node] = cfg.Failure
	}
	return out
}

// configuration checks the section that Ocelot binds.
func (c *checker) configuration(root syntax.ID) {
	if root == 0 || c.tree.Node(root).Kind != syntax.Object {
		return
	}
	whole := &place{id: root, shape: c.shapes.root}
	for id := range c.tree.Children(root) {
		member, name := c.shapes.root.find(c.tree.Key(id))
		if !member.isSection() {
			continue
		}
		at := &place{id: id, shape: member, parent: whole, name: name}
		if member.isList() && c.isList(id) {
			c.elements(at)
		} else {
			c.unit(at)
		}
	}
	c.rootNames(whole)
}

// isSection says whether a member of the root, which may be nil, is one that
// Ocelot binds.
func (s *shape) isSection() bool {
	return s != nil && (s.isList() || s.class == "GlobalConfiguration")
}

// unit checks a part of the configuration on its own: the library sees it only
// if the walk finds something.
func (c *checker) unit(at *place) {
	w := walk{tree: c.tree, known: c.known, quiet: &c.quiet}
	c.report(at, w.judge(at.shape, at.id))
	c.resilience = append(c.resilience, w.resilience...)
}

// report says what the walk has found something in.
func (c *checker) report(at *place, v verdict) {
	switch v {
	case broken:
		c.examine(at)
	case unknownNames:
		c.namesBelow(at)
	}
}

// isList says whether a node is written as a list: as an array, or as an
// object whose names are positions, which is what layers leave behind.
func (c *checker) isList(id syntax.ID) bool { return isList(c.tree, id) }
