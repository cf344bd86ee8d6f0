package emit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"time"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
)

// Rewritten is a file with edits made.
type Rewritten struct {
	File *source.File
	// Raw are the bytes to write, in the file's encoding.
	Raw []byte
	// Text is what they say, as source.File has it.
	Text []byte
}

// Renamed is a gateway whose deprecated names are replaced.
type Renamed struct {
	normalize.Rewriting
	// Files are those that change, in the order in which they were loaded.
	Files []Rewritten
}

// ErrNotJSON is the error about texts that are not JSON.
var ErrNotJSON = errors.New("a text is not JSON")

// Rename replaces the deprecated names in the files of a result; see
// normalize.Rewrite. Unless opts ask for another answer, the new files have
// been compiled and resolve to the same under the program that the profile
// names, or the newest known one; an error says that they would not. It returns
// ErrNotJSON where a text is not JSON, because what stands in it is partly
// guessed; its findings say where.
func Rename(ctx context.Context, r *Result, opts normalize.RewriteOptions) (*Renamed, error) {
	if r.garbled() {
		return nil, fmt.Errorf("rename in %s: %w", r.Input.Name, ErrNotJSON)
	}
	out := &Renamed{Rewriting: normalize.Rewrite(r.Gateway, opts)}
	out.Files = r.apply(out.Edits)
	if len(out.Files) == 0 || opts.PreferDocumented {
		return out, nil
	}
	same, err := r.sameWith(ctx, out.Files)
	if err == nil && !same {
		err = fmt.Errorf("rename in %s: the result would not resolve to the same", r.Input.Name)
	}
	return out, err
}

// apply makes edits in the files of the user.
func (r *Result) apply(edits []diag.Edit) []Rewritten {
	var out []Rewritten
	for _, t := range r.Loaded.Texts {
		if r.Loaded.Kind(t.Index) != load.UserFile {
			continue
		}
		if text := diag.Apply(t.File, edits); !bytes.Equal(text, t.File.Text) {
			out = append(out, Rewritten{File: t.File, Raw: diag.Rewrite(t.File, edits), Text: text})
		}
	}
	return out
}

// sameWith compiles the input with other files and compares what both resolve
// to as the program does it.
func (r *Result) sameWith(ctx context.Context, files []Rewritten) (bool, error) {
	before, program := r, r.Profile
	if program.Documented() {
		program.Version = profile.Versions()[0]
		var err error
		if before, err = Compile(ctx, r.Input, Options{Profile: program}); err != nil {
			return false, err
		}
	}
	after, err := Compile(ctx, replaced(r.Input, files), Options{Profile: program})
	if err != nil {
		return false, err
	}
	return before.Gateway.SameAs(after.Gateway) && samePlans(before, after), nil
}

// samePlans says whether two results have the same plan but for where things
// are written; or both have none.
func samePlans(a, b *Result) bool {
	before, _ := Plan(a)
	after, _ := Plan(b)
	return reflect.DeepEqual(placeless(before), placeless(after))
}

// placeless takes out of a plan where things are written.
func placeless(p *plan.Plan) *plan.Plan {
	if p == nil {
		return nil
	}
	p.Digest = ""
	for i := range p.Routes {
		route := &p.Routes[i]
		route.At, route.Origins = "", nil
		for j := range route.Unread {
			route.Unread[j].At = ""
		}
	}
	for i := range p.Aggregates {
		p.Aggregates[i].At = ""
	}
	return p
}

// replaced returns an input that reads other bytes in place of some files.
func replaced(in load.Input, files []Rewritten) load.Input {
	if in.File != nil {
		in.File = source.NewFile(in.File.Name, files[0].Raw)
		return in
	}
	in.Folder.FS = replacedFS{in.Folder, files}
	return in
}

// replacedFS is a folder in which some files have other contents.
type replacedFS struct {
	load.Folder
	files []Rewritten
}

// Open implements fs.FS.
func (f replacedFS) Open(name string) (fs.File, error) {
	shown := f.Path(name)
	for _, file := range f.files {
		if file.File.Name == shown {
			return &replacedFile{Reader: bytes.NewReader(file.Raw), name: name, size: int64(len(file.Raw))}, nil
		}
	}
	return f.FS.Open(name)
}

// replacedFile is a regular file in memory.
type replacedFile struct {
	*bytes.Reader
	name string
	size int64
}

func (f *replacedFile) Close() error               { return nil }
func (f *replacedFile) Stat() (fs.FileInfo, error) { return replacedInfo{f}, nil }

type replacedInfo struct{ file *replacedFile }

func (i replacedInfo) Name() string       { return i.file.name }
func (i replacedInfo) Size() int64        { return i.file.size }
func (i replacedInfo) Mode() fs.FileMode  { return 0o444 }
func (i replacedInfo) ModTime() time.Time { return time.Time{} }
func (i replacedInfo) IsDir() bool        { return false }
func (i replacedInfo) Sys() any           { return nil }

// Edited makes edits in the files of a result and compiles them with the same
// profile. It returns the files that change, and the result itself where none
// does; ErrNotJSON where a text is not JSON, because what stands in it is partly
// guessed.
func Edited(ctx context.Context, r *Result, edits []diag.Edit) ([]Rewritten, *Result, error) {
	if r.garbled() {
		return nil, nil, fmt.Errorf("edit %s: %w", r.Input.Name, ErrNotJSON)
	}
	files := r.apply(edits)
	if len(files) == 0 {
		return nil, r, nil
	}
	after, err := Compile(ctx, replaced(r.Input, files), Options{Profile: r.Profile, Unchecked: true})
	return files, after, err
}
