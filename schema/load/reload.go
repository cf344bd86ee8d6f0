package load

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/margay-dev/margay/schema/source"
)

// Program is a running program with the configuration it has loaded. It is not
// safe for concurrent use.
type Program struct {
	// Result is the configuration as it is now.
	Result *Result

	folder    Folder
	providers []Provider
	opts      Options
}

// Start loads the providers like Run and remembers what was read.
func Start(folder Folder, providers []Provider, opts Options) (*Program, error) {
	p := &Program{folder: folder, opts: opts}
	for _, provider := range providers {
		if f, ok := provider.(File); ok {
			provider = remember(folder, f)
		}
		p.providers = append(p.providers, provider)
	}
	var err error
	p.Result, err = Run(folder, p.providers, opts)
	return p, err
}

// Reload tells the program that its files have changed. Only files that it
// watches are read anew: a deleted one is an empty layer, even if it was
// required. One that cannot be loaded becomes an empty layer as well, but the
// program does not notice before another file is read (recorded: group change
// of load-ways.jsonl).
func (p *Program) Reload(folder Folder) error {
	noticed := false
	for _, provider := range p.providers {
		k, ok := provider.(*kept)
		if !ok || !k.File.Reload {
			continue
		}
		loaded, err := k.refresh(folder)
		if err != nil {
			return err
		}
		noticed = noticed || loaded
	}
	if !noticed {
		return nil
	}
	var err error
	p.Result, err = Run(p.folder, p.providers, p.opts)
	return err
}

// kept is a file as the program has read it.
type kept struct {
	File
	// text is nil for a file that was not there or could not be loaded.
	text *source.File
	// seen is the file as it was last looked at; nil if it was not there.
	seen []byte
	// empty says that the file counts as an empty layer.
	empty bool
	err   error
}

func remember(folder Folder, f File) *kept {
	k := &kept{File: f}
	if k.text, k.err = folder.Read(f.Name); k.text != nil {
		k.seen = k.text.Raw()
	}
	return k
}

// refresh reads the file again if it has changed. It says whether the program
// notices.
func (k *kept) refresh(folder Folder) (bool, error) {
	text, err := folder.Read(k.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		changed := k.seen != nil
		k.text, k.seen, k.empty = nil, nil, true
		return changed, nil
	case err != nil:
		return false, err
	case k.seen != nil && bytes.Equal(k.seen, text.Raw()):
		return false, nil
	}
	k.text, k.seen, k.empty = text, text.Raw(), false
	if Single(text, Options{}).Failure != nil {
		k.text, k.empty = nil, true
		return false, nil
	}
	return true, nil
}

func (k *kept) add(l *loader) error {
	switch {
	case k.text != nil:
		l.layer(k.Name, l.parse(k.text))
	case k.empty:
		l.layer(k.Name, 0)
	case errors.Is(k.err, fs.ErrNotExist):
		return k.File.add(l)
	default:
		return k.err
	}
	return nil
}
