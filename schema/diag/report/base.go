package report

import (
	"path/filepath"
	"strings"
)

// Base is where the paths of a report start. The readers of SARIF, Code
// Quality and annotations take them from the root of the repository,
// wherever the command ran. The zero Base leaves names as they are.
type Base struct {
	// Root is the root of the repository, Dir the folder that names are
	// relative to; both absolute and without links.
	Root, Dir string
}

// name returns how a file is called from the root; a file outside keeps its
// name.
func (b Base) name(file string) string {
	if b.Root == "" {
		return file
	}
	full := file
	if !filepath.IsAbs(file) {
		full = filepath.Join(b.Dir, file)
	}
	inside, err := filepath.Rel(b.Root, full)
	if err != nil || inside == ".." || strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
		return file
	}
	return inside
}
