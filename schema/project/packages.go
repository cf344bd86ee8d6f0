package project

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/project/msbuild"
)

// lockstep are packages that come out in Ocelot's own versions and depend on
// that version of it.
var lockstep = []string{
	"Ocelot.Provider.Polly", "Ocelot.Provider.Consul", "Ocelot.Provider.Eureka", "Ocelot.Provider.Kubernetes", "Ocelot.Cache.CacheManager",
}

// pollyPackages bring AddPolly: before 25.0, and since.
var pollyPackages = []string{"Ocelot.Provider.Polly", "Ocelot.QualityOfService.Polly"}

// of says whether a package belongs to a gateway.
func ofOcelot(name string) bool {
	lower := strings.ToLower(name)
	return lower == "ocelot" || strings.HasPrefix(lower, "ocelot.") || lower == "mmlib.swaggerforocelot"
}

func sameName(a, b string) bool { return strings.EqualFold(a, b) }

func among(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return sameName(n, name) })
}

// requirement is a version as NuGet reads it.
type requirement struct {
	// lowest is the lowest version that is allowed, with three numbers; "" if
	// none is written.
	lowest string
	// floating says that the newest of several is taken.
	floating bool
}

var (
	plainVersion = regexp.MustCompile(`^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$`)
	versionRange = regexp.MustCompile(`^\[\s*([^,\s\])]+)\s*(?:,[^,\])]*)?[\])]$`)
	openRange    = regexp.MustCompile(`^[\[(][^,]*,[^,]*[\])]$`)
)

// require reads a version or a range. NuGet takes the lowest version that a
// range allows, and the newest for a version with a star.
func require(written string) requirement {
	written = strings.TrimSpace(written)
	if m := versionRange.FindStringSubmatch(written); m != nil {
		written = m[1]
	}
	if strings.Contains(written, "*") {
		return requirement{floating: true}
	}
	return requirement{lowest: normal(written)}
}

// normal writes a version with three numbers; "" for what is none.
func normal(version string) string {
	m := plainVersion.FindStringSubmatch(version)
	if m == nil {
		return ""
	}
	parts := m[1:4]
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil && part != "" {
			return ""
		}
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ".") + m[5]
}

// older says whether a normal version comes before another one.
func older(a, b string) bool {
	coreA, preA, _ := strings.Cut(a, "-")
	coreB, preB, _ := strings.Cut(b, "-")
	numbersA, numbersB := numbers(coreA), numbers(coreB)
	if order := slices.Compare(numbersA, numbersB); order != 0 {
		return order < 0
	}
	return preA != "" && (preB == "" || preA < preB)
}

func numbers(core string) []int {
	var all []int
	for part := range strings.SplitSeq(core, ".") {
		n, _ := strconv.Atoi(part)
		all = append(all, n)
	}
	return all
}

// minor returns the first two numbers of a version.
func minor(version string) string {
	parts := strings.SplitN(version, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// lastMinor is the second number of the last release of each major version,
// from 16 to 24. Before 16 nothing here depends on it, and 25 goes on.
var lastMinor = [...]int{0, 0, 0, 0, 0, 0, 0, 4, 1}

// unreleased says whether a normal version lies between those that came out.
func unreleased(version string) bool {
	core, _, _ := strings.Cut(version, "-")
	n := numbers(core)
	return len(n) > 1 && n[0] >= 16 && n[0]-16 < len(lastMinor) && n[1] > lastMinor[n[0]-16]
}

// demand is one way in which a version is asked for.
type demand struct {
	version  string // normal; "" if it is not known
	written  string
	floating bool
	maybe    string
	at       []Place
	// trouble says why the version is not known.
	trouble string
}

// demands returns what a project asks for as versions of a package.
func demands(p *msbuild.Project, name string) []demand {
	var all []demand
	for _, ref := range p.Packages {
		if !sameName(ref.Name, name) {
			continue
		}
		all = append(all, expandCentral(p, ref)...)
	}
	return all
}

// expandCentral finds the version of a reference, in the central list if it is
// kept there.
func expandCentral(p *msbuild.Project, ref msbuild.Reference) []demand {
	if ref.Override || !p.CentralOn {
		return []demand{newDemand(ref, ref.At)}
	}
	var all []demand
	for _, c := range p.Central {
		if sameName(c.Name, ref.Name) {
			d := newDemand(c, c.At)
			if d.maybe == "" {
				d.maybe = ref.Maybe
			}
			all = append(all, d)
		}
	}
	if ref.Version != "" { // NuGet refuses both (NU1008), unless central management is off after all
		all = append(all, newDemand(ref, ref.At))
	}
	if len(all) == 0 {
		all = append(all, demand{at: []Place{ref.At}, maybe: ref.Maybe, trouble: "has no version, and no PackageVersion gives it one"})
	}
	return all
}

func newDemand(ref msbuild.Reference, at Place) demand {
	d := demand{written: ref.Version, maybe: ref.Maybe, at: []Place{at}}
	r := require(ref.Version)
	switch {
	case ref.Version == "":
		d.trouble = "has no version"
	case !ref.Known:
		d.trouble = "has the version " + ref.Version + ", which no file here decides"
	case r.floating:
		d.floating, d.trouble = true, "has the version "+strconv.Quote(ref.Version)+": the newest one at the time of the restore"
	case r.lowest == "" && openRange.MatchString(strings.TrimSpace(ref.Version)):
		d.trouble = "has the range " + strconv.Quote(ref.Version) + ", which does not say the lowest version"
	case r.lowest == "":
		d.trouble = "has the version " + strconv.Quote(ref.Version) + ", which is none"
	default:
		d.version = r.lowest
	}
	return d
}
