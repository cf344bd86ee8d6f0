package project

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The bounds of looking around.
const (
	maxEntries   = 4096 // names that are read of one folder
	maxLevels    = 16   // folders upwards
	maxSolution  = 64   // projects of a solution
	maxSize      = 1 << 20
	maxGuesswork = 8 // projects in one folder
)

// Root returns the folder up to which is looked for projects, and the folder of
// a path in it, with slashes: the repository, else the topmost folder with a
// solution, else the nearest one with a project, else the folder of the path.
// The path need not exist.
func Root(name string) (root, dir string, err error) {
	start, err := filepath.Abs(name)
	if err != nil {
		return "", "", err
	}
	if info, err := os.Stat(start); err != nil || !info.IsDir() {
		start = filepath.Dir(start)
	}
	root = bounds(start)
	rel, err := filepath.Rel(root, start)
	return root, filepath.ToSlash(rel), err
}

func bounds(start string) string {
	var solution, project string
	for dir, level := start, 0; level < maxLevels; level++ {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		names := folder(os.DirFS(dir), ".")
		if slices.ContainsFunc(names, isSolution) {
			solution = dir
		}
		if project == "" && slices.ContainsFunc(names, isProject) {
			project = dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		dir = above
	}
	switch {
	case solution != "":
		return solution
	case project != "":
		return project
	}
	return start
}

func isProject(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".csproj", ".fsproj", ".vbproj":
		return true
	}
	return false
}

func isSolution(name string) bool {
	extension := strings.ToLower(path.Ext(name))
	return extension == ".sln" || extension == ".slnx"
}

// folder returns the names of the files of a folder, sorted; of a very large
// folder not all.
func folder(files fs.FS, dir string) []string {
	var names []string
	for _, e := range entries(files, dir) {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func entries(files fs.FS, dir string) []fs.DirEntry {
	f, err := files.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil
	}
	all, _ := d.ReadDir(maxEntries)
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}

// find returns the project files that may own a folder: those of the nearest
// folder upwards that has some, else those of the nearest solution.
func find(files fs.FS, dir string) []string {
	solution := ""
	for at, level := dir, 0; level < maxLevels; level++ {
		var here []string
		for _, name := range folder(files, at) {
			switch {
			case isProject(name) && len(here) < maxGuesswork:
				here = append(here, path.Join(at, name))
			case isSolution(name) && solution == "":
				solution = path.Join(at, name)
			}
		}
		if len(here) > 0 {
			return here
		}
		if at == "." {
			break
		}
		at = path.Dir(at)
	}
	if solution == "" {
		return nil
	}
	return members(files, solution)
}

// member is the path of a project in either form of a solution file.
var member = regexp.MustCompile(`"([^"\r\n]+\.(?:cs|fs|vb)proj)"`)

func members(files fs.FS, solution string) []string {
	text, err := readFile(files, solution)
	if err != nil {
		return nil
	}
	var all []string
	for _, m := range member.FindAllStringSubmatch(string(text), maxSolution) {
		name := path.Join(path.Dir(solution), strings.ReplaceAll(m[1], `\`, "/"))
		if fs.ValidPath(name) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// readFile reads a regular file of a reasonable size.
func readFile(files fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, errors.New("is not a regular file of at most 1 MiB")
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, 0, info.Size()+1)
	for len(text) <= maxSize {
		n, err := f.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if errors.Is(err, io.EOF) {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
		if len(text) == cap(text) {
			text = slices.Grow(text, 512)
		}
	}
	return nil, errors.New("is larger than 1 MiB")
}
