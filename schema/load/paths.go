package load

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/source"
)

// Input is one gateway that the user named: a file, or a folder with a plan.
type Input struct {
	// Name is the path as it is shown.
	Name string
	// Globbed says that a pattern found it, so that it may be something else
	// than a gateway.
	Globbed bool
	// Piped says that File came in a stream: there is nothing to write to.
	Piped bool
	// File is a single file; nil for a folder.
	File *source.File
	// Folder and Plan say what to load otherwise.
	Folder Folder
	Plan   Plan
}

// Run loads the input.
func (in Input) Run() (*Result, error) {
	if in.File != nil {
		return Single(in.File, in.Plan.Options), nil
	}
	return in.Plan.Run(in.Folder)
}

// Paths turns what a user writes into inputs.
type Paths struct {
	Choice Choice
	// MaxSize is the largest file that is read, in bytes; 0 is DefaultMaxSize.
	MaxSize int64
	// Stdin is read for "-", under StdinName; the name "" is "<stdin>".
	Stdin     io.Reader
	StdinName string
	// Streams keeps what came in streams, by path, so that a path can be
	// resolved again; nil keeps nothing.
	Streams map[string][]byte
}

// Resolve returns the inputs for the given paths, each a file, a folder, a
// pattern or "-". A path that leads nowhere gives an error and never keeps the
// others from being resolved.
func (p Paths) Resolve(paths []string) (inputs []Input, problems []error) {
	for _, path := range paths {
		found, err := p.resolve(path)
		if err != nil {
			problems = append(problems, err)
		}
		inputs = append(inputs, found...)
	}
	return inputs, problems
}

func (p Paths) resolve(path string) ([]Input, error) {
	if path == "-" {
		return p.stdin()
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && strings.ContainsAny(path, "*?["):
		return p.glob(path)
	case err != nil:
		return nil, plain("read", path, err)
	case info.IsDir():
		return p.folder(path)
	case info.Mode()&fs.ModeNamedPipe != 0:
		return p.pipe(path)
	}
	return p.file(path)
}

func (p Paths) stdin() ([]Input, error) {
	return p.stream("-", cmp.Or(p.StdinName, "<stdin>"), func() (io.ReadCloser, error) { return io.NopCloser(p.Stdin), nil })
}

// pipe reads what another program writes, as in `margay lint <(jq . a.json)`.
// Only a pipe that is named is opened: one that lies in a folder could block.
func (p Paths) pipe(path string) ([]Input, error) {
	return p.stream(path, path, func() (io.ReadCloser, error) { return os.Open(path) })
}

// stream reads a gateway from what can be read once.
func (p Paths) stream(path, name string, open func() (io.ReadCloser, error)) ([]Input, error) {
	raw, known := p.Streams[path]
	if !known {
		var err error
		if raw, err = p.drain(open); err != nil {
			return nil, plain("read", name, err)
		}
	}
	if int64(len(raw)) > p.limit() {
		return nil, &SizeError{Name: name, Limit: p.limit()}
	}
	if p.Streams != nil {
		p.Streams[path] = raw
	}
	in := p.single(source.NewFile(name, raw))
	in.Piped = true
	return []Input{in}, nil
}

// drain reads a stream, up to one byte more than the limit.
func (p Paths) drain(open func() (io.ReadCloser, error)) ([]byte, error) {
	in, err := open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, p.limit()+1))
}

func (p Paths) limit() int64 {
	if p.MaxSize == 0 {
		return DefaultMaxSize
	}
	return p.MaxSize
}

func (p Paths) single(file *source.File) Input {
	return Input{Name: file.Name, File: file, Plan: Plan{Options: Options{Section: p.Choice.Section}}}
}

func (p Paths) glob(pattern string) ([]Input, error) {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", pattern, err)
	}
	matches = slices.DeleteFunc(matches, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || info.IsDir()
	})
	if len(matches) == 0 {
		return nil, noMatch(pattern)
	}
	var inputs []Input
	var problems []error
	for _, path := range matches {
		found, err := p.file(path)
		problems = append(problems, err)
		for _, in := range found {
			in.Globbed = true
			inputs = append(inputs, in)
		}
	}
	return inputs, errors.Join(problems...)
}

// noMatch says why a pattern finds nothing: Glob itself keeps still about a
// folder that cannot be read.
func noMatch(pattern string) error {
	dir := filepath.Dir(pattern[:strings.IndexAny(pattern, "*?[")] + "x")
	if _, err := os.ReadDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return plain("read folder", dir, err)
	}
	return fmt.Errorf("read %s: no file matches", pattern)
}

func (p Paths) file(path string) ([]Input, error) {
	dir, name := filepath.Split(filepath.FromSlash(path))
	file, err := p.open(dir).Read(name)
	if err != nil {
		return nil, err
	}
	return []Input{p.single(file)}, nil
}

// open returns a folder under the name with which the user calls it.
func (p Paths) open(dir string) Folder {
	root := dir
	if root == "" {
		root = "."
	}
	return Folder{FS: os.DirFS(root), Name: dir, Separator: filepath.Separator, MaxSize: p.MaxSize}
}

func (p Paths) folder(path string) ([]Input, error) {
	path = filepath.FromSlash(path)
	folder := p.open(path)
	plan, err := Detect(folder, p.Choice)
	if err != nil {
		return nil, err
	}
	return []Input{{Name: path, Folder: folder, Plan: plan}}, nil
}
