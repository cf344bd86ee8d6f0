package load

import (
	"strings"

	"github.com/margay-dev/margay/schema/load/newtonsoft"
	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Merge is Ocelot's AddOcelot(folder, environment, …): all files of a folder
// whose names look like ocelot.*.json become one text, which is then loaded.
//
// ocelot.json does not match the pattern: it is never an input, but overwritten.
// Only the file of the current environment is left out; those of others take
// part. GlobalConfiguration counts from the global file only, and replaces the
// defaults as a whole. The elements of Routes, DynamicRoutes and Aggregates are
// put behind each other; a section written as an object replaces what came
// before it, and an array after such an object is a NullReferenceException.
// Without a global file the defaults are written out, which doubles the lists
// of MetadataOptions when they are bound. Everything else in a part is lost.
//
// The zero value merges the content root for the environment Development, as
// the program does when the host has no environment, into ocelot.json.
type Merge struct {
	// Folder is the folder with the parts; "" is the content root.
	Folder string
	// Environment names the environment, whose file is left out.
	Environment string
	// InMemory keeps the merged text in memory instead of writing it to
	// Primary.
	InMemory bool
	// Primary is the file that is written and loaded; "" is ocelot.json in
	// Folder.
	Primary string
	// Global is the only file whose GlobalConfiguration counts; "" is
	// ocelot.global.json in Folder.
	Global string
	// EnvironmentFile is the file that is left out; "" is
	// ocelot.<Environment>.json in Folder.
	EnvironmentFile string
	// Object is the JSON of a FileConfiguration object on top of which the
	// parts are merged; nil is a new object.
	Object *source.File
}

// merging is one merge under way.
type merging struct {
	*loader
	spec Merge
	out  Merged
	// root is the merged object; last holds the last element of a section's
	// array.
	root syntax.ID
	last map[syntax.ID]syntax.ID
	// from holds, for each section, the places in the parts that gave it
	// elements.
	from map[string][]source.Span
}

func (m Merge) add(l *loader) error {
	g := &merging{loader: l, spec: m.complete(), last: map[syntax.ID]syntax.ID{}, from: map[string][]source.Span{}}
	if !g.start() {
		return nil
	}
	if dir := join(g.spec.Folder, "."); !l.exists(dir) {
		return l.stop(l.noDirectory(dir))
	}
	names, err := l.enumerate(g.spec.Folder)
	if err != nil {
		return err
	}
	g.out.Enumerated = names
	parts := g.parts(names)
	for _, name := range parts {
		if len(parts) > 1 && g.sameFile(name, g.spec.Primary) {
			g.note(OverwrittenPrimary, name)
			continue
		}
		if err := g.part(name); err != nil {
			return err
		}
	}
	g.noteOrder()
	return g.load(g.out, g.root, g.spec.Primary, g.spec.InMemory)
}

// complete fills in the names that are not given.
func (m Merge) complete() Merge {
	environment := m.Environment
	if environment == "" {
		environment = "Development"
	}
	for _, name := range []struct {
		field *string
		file  string
	}{
		{&m.EnvironmentFile, "ocelot." + environment + ".json"},
		{&m.Primary, "ocelot.json"},
		{&m.Global, "ocelot.global.json"},
	} {
		if *name.field == "" {
			*name.field = join(m.Folder, name.file)
		}
	}
	return m
}

func join(folder, name string) string {
	if folder == "" || folder == "." {
		return name
	}
	return strings.TrimSuffix(folder, "/") + "/" + name
}

// parts picks the files that take part, and says what is odd about them.
func (g *merging) parts(names []string) []string {
	var parts []string
	for _, name := range names {
		switch {
		case g.sameFile(name, g.spec.Primary) && !partName(name):
			g.note(OverwrittenPrimary, name)
		case !partName(name):
		case ordinal.Equal(name, base(g.spec.EnvironmentFile)):
			g.note(EnvironmentSkipped, name)
		default:
			if environmentName(name) {
				g.note(OtherEnvironment, name)
			}
			parts = append(parts, name)
		}
	}
	return parts
}

func (g *merging) note(kind NoteKind, name string) {
	if kind == OverwrittenPrimary && g.spec.InMemory {
		return
	}
	g.result.note(Note{Kind: kind, Text: name, File: g.folder.Path(join(g.spec.Folder, name))})
}

// sameFile says whether a file of the merged folder is the file with the given
// path, in name and place.
func (g *merging) sameFile(name, path string) bool {
	return ordinal.Equal(g.folder.inside(join(g.spec.Folder, name)), g.folder.inside(path))
}

// start makes the object on top of which the parts are merged.
func (g *merging) start() bool {
	object := g.newObject(model.Root())
	if g.spec.Object != nil {
		typed := g.object(g.spec.Object, model.Root())
		if typed == nil {
			return false
		}
		fillNull(typed)
		object = g.emit(typed)
	}
	g.root = copyChildren(g.tree, object)
	return true
}

// part reads a file and merges its sections.
func (g *merging) part(name string) error {
	path := join(g.spec.Folder, name)
	file, err := g.read(path)
	if err != nil {
		return err
	}
	g.out.Parts = append(g.out.Parts, name)
	root := g.parsePart(file)
	if root == 0 {
		return nil
	}
	if g.tree.Node(root).Kind != syntax.Object {
		if g.result.Failure == nil {
			g.result.note(Note{Kind: PartIgnored, At: g.tree.Span(root), File: file.Name})
		}
		return nil
	}
	global := g.sameFile(name, g.spec.Global)
	if global {
		g.section(root, "GlobalConfiguration")
	}
	for _, section := range []string{"Aggregates", "Routes", "DynamicRoutes"} {
		g.section(root, section)
	}
	g.noteLost(root, global, file)
	return nil
}

// parsePart reads a part as Newtonsoft does. A part that it refuses stops the
// start; what can be read of it all the same is returned for further findings.
func (l *loader) parsePart(file *source.File) syntax.ID {
	doc, err := newtonsoft.Parse(l.tree, file)
	l.script = l.script || doc.Script
	l.irregular = l.irregular || doc.Irregular
	text := Text{File: file, Index: doc.File, Root: doc.Root, Comments: doc.Comments, Part: true}
	l.noteEncoding(file)
	switch {
	case err != nil:
		l.result.fail(fromNewtonsoft(err))
		again := syntax.Parse(l.tree, file)
		text.Index, text.Root, text.Defects = again.File, again.Root, again.Defects
		l.irregular = markIrregular(l.tree, again.Root) || l.irregular || again.Irregular
	case doc.Root == 0:
		first := doc.Comments[0]
		at := source.Span{File: file, Start: int(first.Start), End: int(first.End)}
		l.result.note(Note{Kind: CommentBeforeRoot, At: at, File: file.Name})
	}
	for _, id := range doc.Rewritten {
		kind := NumberRewritten
		if span := l.tree.Span(id).Text(); strings.HasPrefix(span, `"`) || strings.HasPrefix(span, "'") {
			kind = DateRewritten
		}
		l.result.note(Note{Kind: kind, At: l.tree.Span(id), Text: l.tree.Text(id), File: file.Name})
	}
	for _, id := range doc.Repeated {
		l.result.note(Note{Kind: RepeatedMember, At: l.place(id), Text: l.tree.Key(id), File: file.Name})
	}
	l.result.Texts = append(l.result.Texts, text)
	return text.Root
}
