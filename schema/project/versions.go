package project

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/project/msbuild"
)

// versions finds the packages of a project.
type versions struct {
	*graph
	root *msbuild.Project
	out  *Project
	// all are the projects, nearest first.
	all []*msbuild.Project
	// apart are packages that stand in no project file: those of packages.config
	// and of Paket.
	apart []Package
}

// uses says whether Ocelot is among the packages.
func (v *versions) uses() bool {
	levels, _ := v.levels(v.root)
	for _, level := range levels {
		v.all = append(v.all, level...)
	}
	v.apart = append(v.old(), v.paket()...)
	return len(v.apart) > 0 || slices.ContainsFunc(v.all, func(p *msbuild.Project) bool {
		return slices.ContainsFunc(p.Packages, func(ref msbuild.Reference) bool { return ofOcelot(ref.Name) })
	})
}

// decide sets the version, or says why it is not known.
func (v *versions) decide() {
	v.list()
	found, name := v.wanted()
	if len(found) == 0 {
		v.transitive()
		return
	}
	found = v.locked(found, name)
	found = v.built(found, name)
	v.choose(found, name)
	v.hold()
}

// list notes the packages of the gateway.
func (v *versions) list() {
	for _, p := range v.all {
		for _, ref := range p.Packages {
			if ofOcelot(ref.Name) {
				for _, d := range expandCentral(p, ref) {
					v.out.Packages = append(v.out.Packages, Package{Name: ref.Name, Version: d.version, At: d.at[0]})
				}
			}
		}
	}
	v.out.Packages = append(v.out.Packages, v.apart...)
}

// wanted returns how the version is asked for: by the nearest project that
// names Ocelot, else by a package that comes out with it.
func (v *versions) wanted() ([]demand, string) {
	if found := v.pinned(); len(found) > 0 {
		return found, "Ocelot"
	}
	levels, _ := v.levels(v.root)
	for _, names := range [][]string{{"Ocelot"}, lockstep} {
		for _, level := range levels {
			var found []demand
			name := ""
			for _, p := range level {
				for _, n := range names {
					if d := demands(p, n); len(d) > 0 {
						found, name = append(found, d...), n
					}
				}
			}
			if len(found) > 0 {
				return found, name
			}
		}
	}
	var found []demand
	for _, pkg := range v.apart {
		if sameName(pkg.Name, "Ocelot") {
			found = append(found, demand{version: pkg.Version, written: pkg.Version, at: []Place{pkg.At}, trouble: "has no version in a paket.lock"})
		}
	}
	return found, "Ocelot"
}

// pinned returns the central version of Ocelot where that counts for what other
// packages bring and the project does not name Ocelot itself.
func (v *versions) pinned() []demand {
	if !v.root.CentralPins || len(demands(v.root, "Ocelot")) > 0 {
		return nil
	}
	var found []demand
	for _, c := range v.root.Central {
		if sameName(c.Name, "Ocelot") {
			found = append(found, newDemand(c, c.At))
		}
	}
	return found
}

// locked replaces what is asked for by what the lock file says was resolved.
func (v *versions) locked(found []demand, name string) []demand {
	entries := lockEntries(v.files, v.root.Lock, "Ocelot")
	if len(entries) == 0 {
		return found
	}
	var all []demand
	for _, e := range entries {
		d := demand{version: e.resolved, written: e.resolved, at: []Place{e.at}}
		for _, f := range found {
			switch {
			case f.version == e.resolved:
				d.at = f.at
			case sameName(name, "Ocelot") && f.version != "" && e.requested != "" && e.requested != f.version && f.maybe == "":
				return []demand{f, d} // the lock file is of another time
			}
		}
		all = append(all, d)
	}
	return all
}

// built falls back to what was built last, where nothing else says the version.
func (v *versions) built(found []demand, name string) []demand {
	if slices.ContainsFunc(found, func(d demand) bool { return d.version != "" }) || !sameName(name, "Ocelot") {
		return found
	}
	var all []demand
	for _, name := range builds(v.files, v.root.File) {
		for _, pkg := range libraries(v.files, name) {
			if sameName(pkg.Name, "Ocelot") {
				all = append(all, demand{version: pkg.Version, written: pkg.Version, at: []Place{pkg.At}})
			}
		}
	}
	if len(all) == 0 {
		return found
	}
	return all
}

// choose takes the version if all say the same.
func (v *versions) choose(found []demand, name string) {
	first := found[0]
	same := !slices.ContainsFunc(found, func(d demand) bool { return d.version != first.version })
	switch {
	case same && first.version == "":
		text := first.trouble
		if missing := v.missing(); missing != "" {
			text += "; " + missing
		}
		v.out.doubt(Ocelot, true, first.at, "%s %s", name, text)
	case same && unreleased(first.version):
		v.out.doubt(Ocelot, true, first.at, "%s %s was never released: NuGet takes the next one up (NU1603), unless a feed of your own has it", name, first.version)
	case same:
		v.out.Ocelot = Fact[string]{Value: first.version, Known: true, At: first.at}
	default:
		v.out.doubt(Ocelot, true, places(found), "%s is asked for in several versions: %s", name, alternatives(found))
	}
}

// alternatives lists versions with what decides between them.
func alternatives(found []demand) string {
	var texts []string
	for _, d := range found {
		text := d.version
		if text == "" {
			text = d.written + " (not known)"
		}
		text += fmt.Sprintf(" in %s:%d", path.Base(d.at[0].File), d.at[0].Line)
		if d.maybe != "" {
			text += " if " + strings.TrimPrefix(d.maybe, "if ")
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

func places(found []demand) []Place {
	var all []Place
	for _, d := range found {
		all = append(all, d.at...)
	}
	return all
}

// missing names a file that should be read and is not there.
func (v *versions) missing() string {
	for _, p := range v.all {
		for _, m := range p.Missing {
			return fmt.Sprintf("%s:%d imports %s, which is not here", path.Base(m.At.File), m.At.Line, m.Name)
		}
		for _, b := range p.Broken {
			return b.Name
		}
	}
	return ""
}

// hold compares the version with those of the packages that go with it.
func (v *versions) hold() {
	if !v.out.Ocelot.Known {
		return
	}
	for _, pkg := range v.out.Packages {
		if !among(lockstep, pkg.Name) || pkg.Version == "" {
			continue
		}
		switch {
		case older(v.out.Ocelot.Value, pkg.Version):
			v.out.Ocelot = Fact[string]{}
			v.out.doubt(Ocelot, true, []Place{pkg.At}, "%s %s needs at least that version of Ocelot, and an older one is asked for: NuGet refuses the two (NU1605)", pkg.Name, pkg.Version)
			return
		case minor(pkg.Version) != minor(v.out.Ocelot.Value) && among(pollyPackages, pkg.Name):
			v.out.doubt(Provider, false, []Place{pkg.At}, "%s is of version %s, Ocelot of %s: what the older provider does differently is not known", pkg.Name, pkg.Version, v.out.Ocelot.Value)
		}
	}
}

// transitive is a project whose packages bring Ocelot without naming its
// version.
func (v *versions) transitive() {
	if found := v.locked([]demand{{}}, ""); found[0].version != "" {
		v.choose(found, "Ocelot")
		return
	}
	if found := v.built([]demand{{}}, "Ocelot"); found[0].version != "" {
		v.choose(found, "Ocelot")
		return
	}
	pkg := v.out.Packages[0]
	v.out.doubt(Ocelot, true, []Place{pkg.At}, "%s brings Ocelot along; which version is not written anywhere here", pkg.Name)
}
