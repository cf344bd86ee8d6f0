package project

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/margay-dev/margay/schema/project/csharp"
	"github.com/margay-dev/margay/schema/project/msbuild"
)

// The bounds of what is read of one project.
const (
	maxSources     = 400
	maxSourceBytes = 4 << 20
	maxDepth       = 12
	maxFolders     = 400
)

// sources collects the sources that one project compiles.
type sources struct {
	*graph
	project *msbuild.Project
	program *csharp.Program

	root    string
	removed []*regexp.Regexp
	maybe   []*regexp.Regexp
	only    map[string]bool // the listed sources where there is no default
	bytes   int
	folders int
	gap     string
}

// collect adds the sources to the program, and says what it had to leave out.
func (s *sources) collect() string {
	if strings.ToLower(path.Ext(s.project.File)) != ".csproj" {
		return path.Base(s.project.File) + " is no C# project"
	}
	s.root = path.Dir(s.project.File)
	for _, pattern := range s.project.CompileRemove {
		s.removed = append(s.removed, glob(pattern))
	}
	for _, pattern := range s.project.CompileMaybe {
		s.maybe = append(s.maybe, glob(pattern))
	}
	s.included()
	s.walk(s.root, 0)
	return s.gap
}

// included takes the sources that the project lists.
func (s *sources) included() {
	if s.project.NoDefaultCompile {
		s.only = map[string]bool{}
	}
	for _, pattern := range s.project.CompileInclude {
		name := path.Join(s.root, pattern)
		outside := s.root != "." && !strings.HasPrefix(name, s.root+"/") || strings.HasPrefix(name, "../")
		switch {
		case strings.ContainsAny(pattern, "*?"):
			s.only = nil // more than is wanted, rather than less
			if outside {
				s.leave("it compiles " + pattern)
			}
		case s.only != nil:
			s.only[name] = true
			if outside {
				s.add(name)
			}
		case outside:
			s.add(name)
		}
	}
}

func (s *sources) leave(why string) {
	if s.gap == "" {
		s.gap = why
	}
}

func (s *sources) walk(dir string, depth int) {
	s.folders++
	if depth > maxDepth || s.folders > maxFolders {
		s.leave(fmt.Sprintf("it has more than %d folders of sources", maxFolders))
		return
	}
	list := entries(s.files, dir)
	if len(list) == maxEntries {
		s.leave(dir + " holds too many files")
	}
	if depth > 0 {
		for _, e := range list {
			if isProject(e.Name()) {
				return // another project's folder
			}
		}
	}
	for _, e := range list {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			if !skipped(e.Name(), depth) {
				s.walk(name, depth+1)
			}
		case e.Type()&fs.ModeSymlink != 0 && s.isFolder(name):
			s.leave(name + " is a symbolic link to a folder")
		case strings.EqualFold(path.Ext(name), ".cs") && (s.only == nil || s.only[name]) && !s.matches(s.removed, name):
			s.add(name)
		}
	}
}

// isFolder says whether a symbolic link leads to a folder. It is not followed:
// links may form a circle.
func (s *sources) isFolder(name string) bool {
	info, err := fs.Stat(s.files, name)
	return err == nil && info.IsDir()
}

// skipped says whether a folder holds no sources of the project.
func skipped(name string, depth int) bool {
	switch strings.ToLower(name) {
	case "node_modules", "testresults":
		return true
	case "bin", "obj":
		return depth == 0
	}
	return strings.HasPrefix(name, ".")
}

func (s *sources) matches(patterns []*regexp.Regexp, name string) bool {
	rel := strings.TrimPrefix(name, s.root+"/")
	for _, pattern := range patterns {
		if pattern.MatchString(rel) {
			return true
		}
	}
	return false
}

func (s *sources) add(name string) {
	if s.program.Len() >= maxSources || s.bytes > maxSourceBytes {
		s.leave(fmt.Sprintf("it has more than %d sources", maxSources))
		return
	}
	text, err := readFile(s.files, name)
	if err != nil {
		s.leave(name + " cannot be read")
		return
	}
	s.bytes += len(text)
	if s.matches(s.maybe, name) {
		s.program.AddMaybe(name, string(text), "in a file that a condition of the project may leave out")
		return
	}
	s.program.Add(name, string(text))
}

// glob makes an expression of a pattern of MSBuild.
func glob(pattern string) *regexp.Regexp {
	text := regexp.QuoteMeta(strings.TrimPrefix(pattern, "./"))
	text = strings.NewReplacer(`\*\*/`, `(?:.*/)?`, `\*\*`, `.*`, `\*`, `[^/]*`, `\?`, `[^/]`).Replace(text)
	return regexp.MustCompile("(?i)^" + text + "$")
}
