package project

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// paket returns the packages that the project takes through Paket: those that
// its paket.references names, in the versions of paket.lock, and Ocelot itself
// where one of them brings it. A version is "" where the lock file does not say
// it.
func (v *versions) paket() []Package {
	references := v.paketReferences()
	if len(references) == 0 {
		return nil
	}
	locked := v.paketLock()
	var all []Package
	for _, ref := range references {
		pkg := Package{Name: ref.name, At: ref.at}
		for _, found := range locked {
			if found.group == ref.group && sameName(found.name, ref.name) {
				pkg.Version, pkg.At = found.version, found.at
			}
		}
		all = append(all, pkg)
	}
	if slices.ContainsFunc(all, func(pkg Package) bool { return sameName(pkg.Name, "Ocelot") }) {
		return all
	}
	for _, found := range locked {
		if found.group == references[0].group && sameName(found.name, "Ocelot") {
			all = append(all, Package{Name: found.name, Version: found.version, At: found.at})
		}
	}
	return all
}

// paketPackage is a package in a file of Paket's. A group is in lower case, the
// main one is "".
type paketPackage struct {
	name, version, group string
	at                   Place
}

// paketReferences reads what the project takes: paket.references, or the file
// that is named after the project.
func (v *versions) paketReferences() []paketPackage {
	dir, project := path.Split(v.root.File)
	for _, name := range []string{project + ".paket.references", strings.TrimSuffix(project, path.Ext(project)) + ".paket.references", "paket.references"} {
		if text, err := readFile(v.files, path.Join(dir, name)); err == nil {
			return paketPackages(path.Join(dir, name), string(text), paketReference)
		}
	}
	return nil
}

// paketLock reads the nearest paket.lock upwards.
func (v *versions) paketLock() []paketPackage {
	for dir, level := path.Dir(v.root.File), 0; level < maxLevels; dir, level = path.Dir(dir), level+1 {
		name := path.Join(dir, "paket.lock")
		if text, err := readFile(v.files, name); err == nil {
			return paketPackages(name, string(text), paketLocked)
		}
		if dir == "." {
			break
		}
	}
	return nil
}

// A package has a line of its own. In a lock file it is indented by four blanks,
// and what it depends on by more.
var (
	paketGroup     = regexp.MustCompile(`(?i)^group\s+(\S+)\s*$`)
	paketReference = regexp.MustCompile(`^\s*([A-Za-z][\w.-]*)`)
	paketLocked    = regexp.MustCompile(`^    ([A-Za-z][\w.-]*) \(([^)\s]+)\)`)
)

func paketPackages(file, text string, line *regexp.Regexp) []paketPackage {
	var all []paketPackage
	group, number := "", 0
	for written := range strings.Lines(text) {
		written = strings.TrimRight(written, "\r\n")
		number++
		if m := paketGroup.FindStringSubmatch(written); m != nil {
			if group = strings.ToLower(m[1]); group == "main" {
				group = ""
			}
			continue
		}
		m := line.FindStringSubmatch(written)
		if m == nil || !ofOcelot(m[1]) {
			continue
		}
		pkg := paketPackage{name: m[1], group: group, at: Place{File: file, Line: number}}
		if len(m) > 2 {
			pkg.version = normal(m[2])
		}
		all = append(all, pkg)
	}
	return all
}
