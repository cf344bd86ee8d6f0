package load

import (
	"errors"
	"io/fs"
	"path"

	"github.com/margay-dev/margay/schema/load/newtonsoft"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// File is AddJsonFile: one JSON file, as .NET's configuration reads it.
type File struct {
	// Name is the file's name in the folder.
	Name string
	// Optional says that the file may be missing.
	Optional bool
	// Reload says that the program watches the file for changes.
	Reload bool
}

func (f File) add(l *loader) error {
	if w, ok := l.written[l.folder.inside(f.Name)]; ok {
		if w.failure != nil {
			l.result.fail(w.failure)
		}
		l.layer(f.Name, w.root)
		return nil
	}
	file, err := l.folder.Read(f.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.Optional:
		l.result.note(Note{Kind: Missing, Text: f.Name, File: l.folder.Path(f.Name)})
		l.layer(f.Name, 0)
		return nil
	case errors.Is(err, fs.ErrNotExist):
		l.result.fail(l.missing(f.Name))
		l.layer(f.Name, 0)
		return nil
	case err != nil:
		return err
	}
	l.layer(f.Name, l.parse(file))
	return nil
}

// read reads a file: what the program has written itself, or what is there.
func (l *loader) read(name string) (*source.File, error) {
	inside := l.folder.inside(name)
	if w, ok := l.written[inside]; ok {
		return source.NewFile(l.folder.Path(inside), w.text()), nil
	}
	return l.folder.Read(name)
}

// Single loads one file by itself, the fast path of most gateways. Nothing is
// copied unless the file has names that .NET does not keep apart.
func Single(file *source.File, opts Options) *Result {
	l := newLoader(Folder{}, opts)
	l.layer(file.Name, l.parse(file))
	l.finish()
	return l.result
}

// parse reads a file as .NET's JSON configuration provider does and returns
// its normalised root.
func (l *loader) parse(file *source.File) syntax.ID {
	doc := syntax.Parse(l.tree, file)
	l.result.Texts = append(l.result.Texts, Text{File: file, Index: doc.File, Root: doc.Root, Comments: doc.Comments, Defects: doc.Defects})
	l.noteEncoding(file)
	irregular := doc.Irregular
	if len(doc.Defects) > 0 {
		irregular = markIrregular(l.tree, doc.Root) || irregular
	}
	root, duplicate := l.normalise(doc.Root, irregular)
	if f := earlier(stop(file, &doc, false), duplicate, &doc); f != nil {
		l.result.fail(inFile(file.Name, f))
	}
	return root
}

// normalise brings a root into normal form. A root that is no object gives no
// configuration.
func (l *loader) normalise(root syntax.ID, irregular bool) (syntax.ID, *Failure) {
	if root == 0 || l.tree.Node(root).Kind != syntax.Object {
		return 0, nil
	}
	if !irregular {
		return root, nil
	}
	n := normaliser{tree: l.tree}
	normal := n.normalise(root)
	for _, id := range n.split {
		l.result.note(Note{Kind: ColonInKey, At: l.tree.KeySpan(id), Text: l.tree.Key(id), File: l.fileName(id)})
	}
	var failure *Failure
	for _, c := range n.found {
		at := l.place(c.second)
		if c.kind == DuplicateKey && failure == nil {
			failure = formatException("A duplicate key '"+c.key+"' was found.", at)
		}
		l.result.note(Note{Kind: c.kind, At: at, Related: spans(l.place(c.first)), Text: c.key, File: l.fileName(c.second)})
	}
	return normal, failure
}

// fileName is the name of the file that a node stands in.
func (l *loader) fileName(id syntax.ID) string { return l.tree.Files[l.tree.Node(id).File].Name }

// load hands a merged object on to the configuration: written to a file and
// read again, or read from memory.
func (l *loader) load(out Merged, root syntax.ID, primary string, inMemory bool) error {
	out.Root = root
	out.text = func() []byte { return newtonsoft.Write(l.tree, root) }
	if !inMemory {
		out.WrittenTo = l.folder.inside(primary)
	}
	normal, failure := l.reread(root, out)
	l.result.Merges = append(l.result.Merges, out)
	if inMemory {
		if failure != nil {
			l.result.fail(failure)
		}
		l.layer("merged configuration", normal)
		return nil
	}
	if !l.exists(path.Dir(out.WrittenTo)) {
		return l.stop(l.noDirectory(out.WrittenTo))
	}
	if failure != nil {
		failure = inFile(l.folder.Path(out.WrittenTo), failure)
	}
	l.write(writtenFile{text: out.text, root: normal, failure: failure}, out.WrittenTo)
	return File{Name: primary}.add(l)
}

func (l *loader) write(file writtenFile, name string) {
	if l.written == nil {
		l.written = map[string]writtenFile{}
	}
	l.written[name] = file
}

// reread is what .NET's reader makes of the merged text. The text itself is
// only made and parsed when the merge has let something through that .NET's
// reader refuses.
func (l *loader) reread(root syntax.ID, out Merged) (syntax.ID, *Failure) {
	if l.script && l.result.Failure == nil {
		file := source.NewFile(out.WrittenTo, out.Text())
		var scratch syntax.Tree
		doc := syntax.Parse(&scratch, file)
		if f := stop(file, &doc, out.WrittenTo == ""); f != nil {
			return root, f
		}
	}
	return l.normalise(root, l.irregular)
}
