package load

import (
	"cmp"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/syntax"
)

// Provider is something that a program adds to its configuration: File, Merge,
// Swagger, Object, Variables, CommandLine or Memory.
type Provider interface {
	// add reads the provider and lays it over what is there. The error is
	// about reading files; what the program trips over is a Failure.
	add(l *loader) error
}

// Options are choices about loading as a whole. The zero value binds the root
// and merges in sorted order.
type Options struct {
	// Section is the path of the section that Ocelot binds: "Gateway:Ocelot";
	// "" is the root.
	Section string
	// Host are the providers of the host's own configuration where the gateway
	// binds another one, built separately; {BaseUrl} is looked up there. nil
	// means that both are one.
	Host []Provider
	// Order puts the names of a folder's files into the order in which the
	// file system enumerates them. nil leaves them sorted.
	Order func(names []string) []string
}

// Run loads the providers in the order in which the program adds them. It
// returns an error only for files that exist but cannot be read. The result
// can be used in either case.
func Run(folder Folder, providers []Provider, opts Options) (*Result, error) {
	l := newLoader(folder, opts)
	var first error
	for _, p := range providers {
		if err := p.add(l); err != nil && first == nil {
			first = err
		}
	}
	l.finish()
	if opts.Host == nil {
		return l.result, first
	}
	host, err := Run(folder, opts.Host, Options{})
	l.result.BaseURL = host.BaseURL
	return l.result, cmp.Or(first, err)
}

// loader is the state of one run.
type loader struct {
	folder  Folder
	opts    Options
	result  *Result
	tree    *syntax.Tree
	overlay overlayer
	// defaults are new objects by type.
	defaults map[*model.Type]syntax.ID
	// written are the files that the program has written, by their names in
	// the folder: what it reads later is what it wrote.
	written map[string]writtenFile
	// script says that a part has JavaScript in it, irregular that a part has
	// an irregular object.
	script, irregular bool
}

// writtenFile is what the program reads back of a file that it has written.
type writtenFile struct {
	text    func() []byte
	root    syntax.ID
	failure *Failure
}

func newLoader(folder Folder, opts Options) *loader {
	tree := &syntax.Tree{}
	l := &loader{folder: folder, opts: opts, tree: tree, result: &Result{Tree: tree, Section: opts.Section}}
	l.overlay = overlayer{tree: tree, listOverlaid: l.noteOverlay}
	return l
}

// respell gives the keys their spelling.
func (l *loader) respell() {
	var sources []keySource
	for _, layer := range l.result.Layers {
		if layer.Root != 0 {
			sources = append(sources, keySource{node: layer.Root, keys: layer.keys})
		}
	}
	r := respeller{tree: l.tree}
	r.respell(l.result.Root, sources)
}

// layer lays a provider's configuration over the ones before.
func (l *loader) layer(name string, root syntax.ID) {
	l.result.Layers = append(l.result.Layers, Layer{Name: name, Root: root})
	l.result.Root = l.overlay.overlay(l.result.Root, root)
}

func (l *loader) noteOverlay(base, over syntax.ID) {
	l.result.note(Note{Kind: IndexOverlay, At: l.place(over), Related: spans(l.place(base)), Text: l.tree.Key(over)})
}

// finish looks up what Ocelot takes from the whole configuration.
func (l *loader) finish() {
	r := l.result
	if l.overlay.respelled {
		l.respell()
	}
	r.Bound = Find(r.Tree, r.Root, r.Section)
	r.BaseURL = baseURL(r.Tree, r.Root)
}

// baseURL is what {BaseUrl} stands for: Ocelot asks the host's configuration,
// not the section that it binds (recorded: section.std, own.separate).
func baseURL(tree *syntax.Tree, root syntax.ID) string {
	for _, key := range []string{"GlobalConfiguration:BaseUrl", "BaseUrl"} {
		id := Find(tree, root, key)
		if id == 0 {
			continue
		}
		if e := entry(tree, id, key); !e.Null && e.Value != "" {
			return e.Value
		}
	}
	return "http://localhost:5000"
}

// Find returns the node of a configuration key below a normalised root, 0 if
// there is none. The empty key is the root itself.
func Find(tree *syntax.Tree, root syntax.ID, key string) syntax.ID {
	if key == "" || root == 0 {
		return root
	}
	for step := range strings.SplitSeq(key, ":") {
		if root = child(tree, root, step); root == 0 {
			return 0
		}
	}
	return root
}

func child(tree *syntax.Tree, parent syntax.ID, name string) syntax.ID {
	for key, id := range keyed(tree, parent) {
		if ordinal.Equal(key, name) {
			return id
		}
	}
	return 0
}

// enumerate returns the names of a folder's files in the order of the run.
func (l *loader) enumerate(dir string) ([]string, error) {
	names, err := l.folder.list(dir)
	if err != nil {
		return nil, err
	}
	for name := range l.written {
		if !slices.Contains(names, name) && !strings.Contains(name, "/") {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, ordinal.Compare)
	if l.opts.Order != nil {
		names = l.opts.Order(names)
	}
	return names, nil
}
