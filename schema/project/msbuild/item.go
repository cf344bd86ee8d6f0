package msbuild

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

func (e *evaluation) item(i *element) {
	switch {
	case i.is("PackageReference"), i.is("GlobalPackageReference"):
		e.packages(i)
	case i.is("PackageVersion"):
		e.central(i)
	case i.is("ProjectReference"):
		e.reference(i)
	case i.is("Compile"):
		e.compile(i)
	}
}

// packages adds, changes or removes references to packages.
func (e *evaluation) packages(i *element) {
	p := e.project
	p.Packages = e.removed(i, p.Packages)
	for name := range strings.SplitSeq(i.attr("Include"), ";") {
		if name = strings.TrimSpace(name); name != "" {
			p.Packages = append(p.Packages, e.versioned(i, name))
		}
	}
	for name := range strings.SplitSeq(i.attr("Update"), ";") {
		e.update(i, strings.TrimSpace(name), p.Packages, func(r Reference) { p.Packages = append(p.Packages, r) })
	}
}

// removed leaves out what an item removes. Under a condition that is not decided
// all stay.
func (e *evaluation) removed(i *element, all []Reference) []Reference {
	for name := range strings.SplitSeq(i.attr("Remove"), ";") {
		if name = strings.TrimSpace(name); name != "" && e.maybe == "" {
			all = slices.DeleteFunc(all, func(r Reference) bool { return strings.EqualFold(r.Name, name) })
		}
	}
	return all
}

// update gives a reference that is there another version. Under a condition
// that is not decided both stay.
func (e *evaluation) update(i *element, name string, all []Reference, add func(Reference)) {
	next := e.versioned(i, name)
	if name == "" || next.Version == "" {
		return
	}
	for k := range all {
		if !strings.EqualFold(all[k].Name, name) {
			continue
		}
		if e.maybe != "" {
			add(next)
			return
		}
		next.Maybe = all[k].Maybe
		all[k] = next
	}
}

// versioned returns the reference that an item makes to a package.
func (e *evaluation) versioned(i *element, name string) Reference {
	version, line := i.metadata("Version")
	r := Reference{Name: name, Maybe: e.maybe}
	if override, at := i.metadata("VersionOverride"); override != "" && e.centrally() {
		version, line, r.Override = override, at, true
	}
	if version == "" {
		line = i.line
	}
	r.Version, r.Known = e.expand(version)
	r.At = Place{File: e.at, Line: line}
	return r
}

func (e *evaluation) central(i *element) {
	p := e.project
	p.Central = e.removed(i, p.Central)
	for name := range strings.SplitSeq(i.attr("Include"), ";") {
		if name = strings.TrimSpace(name); name != "" {
			p.Central = append(p.Central, e.versioned(i, name))
		}
	}
	for name := range strings.SplitSeq(i.attr("Update"), ";") {
		e.update(i, strings.TrimSpace(name), p.Central, func(r Reference) { p.Central = append(p.Central, r) })
	}
}

func (e *evaluation) reference(i *element) {
	for written := range strings.SplitSeq(i.attr("Include"), ";") {
		if written = strings.TrimSpace(written); written == "" {
			continue
		}
		name, ok := e.path(written)
		r := Reference{Name: name, Known: ok, Maybe: e.maybe, At: Place{File: e.at, Line: i.line}}
		if !ok {
			r.Name = written
		}
		e.project.Projects = append(e.project.Projects, r)
	}
}

func (e *evaluation) compile(i *element) {
	p := e.project
	for pattern := range strings.SplitSeq(i.attr("Remove"), ";") {
		pattern, ok := e.expand(strings.TrimSpace(pattern))
		pattern = strings.ReplaceAll(pattern, `\`, "/")
		switch {
		case pattern == "":
		case !ok:
			p.CompileMaybe = append(p.CompileMaybe, "**") // it may be any of them
		case e.maybe != "":
			p.CompileMaybe = append(p.CompileMaybe, pattern)
		default:
			p.CompileRemove = append(p.CompileRemove, pattern)
		}
	}
	for pattern := range strings.SplitSeq(i.attr("Include"), ";") {
		if pattern, ok := e.expand(strings.TrimSpace(pattern)); ok && pattern != "" {
			p.CompileInclude = append(p.CompileInclude, strings.ReplaceAll(pattern, `\`, "/"))
		}
	}
}

// fileAbove is MSBuild's function that looks for a file upwards.
var fileAbove = regexp.MustCompile(`^\$\(\[MSBuild\]::GetPathOfFileAbove\(\s*['"]?([\w.-]+)['"]?\s*(?:,\s*['"]?([^'"]*?)['"]?\s*)?\)\)$`)

// path returns where a path of the file that is read leads to.
func (e *evaluation) path(written string) (string, bool) {
	written = strings.ReplaceAll(strings.TrimSpace(written), `\`, "/")
	here := path.Dir(e.at)
	if m := fileAbove.FindStringSubmatch(written); m != nil {
		from := path.Dir(e.at)
		if m[2] != "" {
			start, ok := e.expand(m[2])
			if !ok {
				return "", false
			}
			from = start
			if !strings.HasPrefix(m[2], "$(MSBuildThisFileDirectory)") {
				from = path.Join(here, start)
			}
		}
		if from = path.Clean(from); !local(from) {
			return "", false
		}
		found := e.files.above(from, m[1])
		return found, found != ""
	}
	expanded, ok := e.expand(written)
	if !ok || path.IsAbs(expanded) || strings.ContainsAny(expanded, "*?:") {
		return "", false
	}
	if !strings.HasPrefix(written, "$(MSBuildThisFileDirectory)") && !strings.HasPrefix(written, "$(MSBuildProjectDirectory)") {
		expanded = path.Join(here, expanded)
	}
	expanded = path.Clean(expanded)
	return expanded, local(expanded)
}

// local says whether a path stays within the file system.
func local(name string) bool { return name != ".." && !strings.HasPrefix(name, "../") }

func (e *evaluation) imported(i *element) {
	written := i.attr("Project")
	if strings.HasPrefix(written, "$(MSBuildExtensionsPath") || strings.HasPrefix(written, "$(MSBuildToolsPath") || strings.HasPrefix(written, "$(VSToolsPath") {
		return // part of the SDK: it names no packages
	}
	by := Place{File: e.at, Line: i.line}
	name, ok := e.path(written)
	if !ok {
		e.project.Missing = append(e.project.Missing, Reference{Name: written, At: by, Maybe: e.maybe})
		return
	}
	e.include(name, by)
}

// centrally says whether versions are kept in one place for all projects.
func (e *evaluation) centrally() bool {
	on, known := e.expand("$(ManagePackageVersionsCentrally)")
	return known && strings.EqualFold(on, "true")
}

// finish takes what properties say at the end.
func (e *evaluation) finish(root *element) {
	p := e.project
	p.CentralOn = e.centrally()
	pins, known := e.expand("$(CentralPackageTransitivePinningEnabled)")
	p.CentralPins = p.CentralOn && known && strings.EqualFold(pins, "true")
	compile, known := e.expand("$(EnableDefaultCompileItems)")
	p.NoDefaultCompile = known && strings.EqualFold(compile, "false")
	if sdk, _ := root.metadata("Sdk"); sdk == "" && !slices.ContainsFunc(root.below, func(b *element) bool { return b.is("Sdk") || b.is("Import") && b.attr("Sdk") != "" }) {
		p.NoDefaultCompile = true // the old form lists its sources
	}
	if lock, ok := e.expand("$(NuGetLockFilePath)"); ok && !path.IsAbs(lock) && local(path.Join(path.Dir(p.File), lock)) {
		p.Lock = path.Join(path.Dir(p.File), strings.ReplaceAll(lock, `\`, "/"))
	}
}
