package settings

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Override gives rules other severities in some files.
type Override struct {
	// Files are patterns for paths from the folder of the settings, with / as
	// the separator and ** for any folders. One without / is for names of files
	// in any folder.
	Files []string `json:"files"`
	// Rules are severities, or "off", by the names of rules, as in Settings.
	Rules map[string]string `json:"rules"`

	folder string
}

// Covers says whether the override is about a file. Letter case counts on every
// system, so that a laptop and its CI say the same. A file outside of the folder
// of the settings is never covered, nor is nil.
func (o *Override) Covers(file *source.File) bool {
	if file == nil {
		return false
	}
	path, ok := below(o.folder, file.Name)
	if !ok {
		return false
	}
	for _, pattern := range o.Files {
		pattern = strings.TrimPrefix(pattern, "./")
		if !strings.Contains(pattern, "/") {
			pattern = "**/" + pattern
		}
		if doublestar.MatchUnvalidated(pattern, path) {
			return true
		}
	}
	return false
}

// below returns the path of a file from a folder, with / as the separator, and
// false for a file that is not in or below it.
func below(folder, name string) (string, bool) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", false
	}
	if name, err = filepath.Abs(name); err != nil {
		return "", false
	}
	path, err := filepath.Rel(folder, name)
	return filepath.ToSlash(path), err == nil && filepath.IsLocal(path)
}

// OverrideSpan returns the place of a rule's name in an override; the zero Span
// if it is not there.
func (s *Settings) OverrideSpan(index int, rule string) source.Span {
	return s.document.ruleSpan(s.override(index), rule)
}

// override returns the element of "overrides" with an index.
func (s *Settings) override(index int) syntax.ID {
	return s.document.element(s.document.member(s.document.root, "overrides"), index)
}

// element returns an element of an array; 0 if there is none.
func (d *document) element(array syntax.ID, index int) syntax.ID {
	if array == 0 {
		return 0
	}
	for id := range d.tree.Children(array) {
		if index == 0 {
			return id
		}
		index--
	}
	return 0
}

// checkPatterns reports patterns that no file can fit.
func (s *Settings) checkPatterns() []diag.Diagnostic {
	var found []diag.Diagnostic
	for i := range s.Overrides {
		files := s.document.member(s.override(i), "files")
		for n, pattern := range s.Overrides[i].Files {
			why, help := misfit(pattern)
			if why == "" {
				continue
			}
			f := s.document.finding(s.document.element(files, n), quote(pattern)+" "+why)
			f.Help = help
			found = append(found, f)
		}
	}
	return found
}

// misfit says why no file fits a pattern, and what to write; "" for a sound one.
func misfit(pattern string) (why, help string) {
	volume := len(pattern) > 1 && pattern[1] == ':'
	switch first, _, _ := strings.Cut(pattern, "/"); {
	case strings.HasPrefix(pattern, "/") || volume:
		return "fits no file: patterns start at the folder of this file", "leave out what leads to it"
	case strings.Contains(pattern, `\`):
		return `names no folder: \ is no separator of patterns`, "write / on every system: " + quote(strings.ReplaceAll(pattern, `\`, "/"))
	case first == "..":
		return "fits no file: patterns start at the folder of this file", "put the settings into a folder above the files"
	case strings.HasSuffix(pattern, "/"):
		return "ends in /, which no file does", "for all files of the folder, write " + quote(pattern+"**")
	case !doublestar.ValidatePattern(pattern):
		return "is no pattern: a [ or { has no end", "write [[] for a [ and [{] for a { in a name"
	}
	return "", ""
}

// quote quotes a pattern as people write it: a backslash stands for itself.
func quote(pattern string) string {
	return strings.ReplaceAll(strconv.Quote(pattern), `\\`, `\`)
}
