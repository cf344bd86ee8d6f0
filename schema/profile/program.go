package profile

import (
	"slices"
	"strings"
)

// program is what is known of one Ocelot release: facts as data, so that a
// further release is a further row.
type program struct {
	// version is the name that a Profile carries, recorded the release that
	// the answers were taken from.
	version, recorded string
	// first and last are the releases that answer as the recorded one does;
	// an empty last is first.
	first, last string
	// divergences is how the release differs from the documentation of 25.0.
	divergences Divergences
	// providers are those that there are for the release, the usual one
	// first. None is always possible.
	providers []Provider
	Facts
}

// programs are the releases that were recorded, newest first (versions.jsonl,
// versions-live.jsonl, versions-facts.json).
var programs = [...]program{
	{
		version: "25.0", recorded: "25.0.0", first: "25.0.0", last: "25.0.65535",
		divergences: AllDivergences,
		providers:   []Provider{Builtin, Polly},
		Facts:       factsOf25,
	},
	{
		version: "24.1", recorded: "24.1.0", first: "24.1.0", last: "24.1.65535",
		divergences: AllDivergences &^ (ZeroThroughput | NonpositiveRatio),
		providers:   []Provider{Polly},
		Facts:       factsOf24_1,
	},
	{
		version: "24.0", recorded: "24.0.1", first: "24.0.0", last: "24.0.65535",
		providers: []Provider{Polly},
		Facts:     factsOf24_0,
	},
	{
		version: "23.4", recorded: "23.4.3", first: "23.3.0", last: "23.4.65535",
		providers: []Provider{Polly},
		Facts:     factsOf23_4,
	},
	{
		version: "23.2", recorded: "23.2.0", first: "23.2.0", last: "23.2.65535",
		providers: []Provider{Polly},
		Facts:     factsOf23_2,
	},
	{
		version: "22.0", recorded: "22.0.1", first: "22.0.1", last: "22.0.65535",
		providers: []Provider{Polly},
		Facts:     factsOf22_0,
	},
}

// documentation is the published documentation of 25.0 as a row of its own.
var documentation = program{recorded: "25.0.0", providers: []Provider{Builtin, Polly}, Facts: factsOf25}

// Versions returns the releases that a Profile may name, newest first.
func Versions() []string {
	names := make([]string, 0, len(programs))
	for _, p := range programs {
		names = append(names, p.version)
	}
	return names
}

// KnownVersion says whether a Profile may name the release.
func KnownVersion(version string) bool { return slices.Contains(Versions(), version) }

// Divergences returns the points on which the profile's answers differ from
// the documentation: none by the documentation itself, and none before 24.1,
// which that documentation says nothing about. It panics on a version that is
// not among Versions.
func (p Profile) Divergences() Divergences { return p.program().divergences }

// Facts returns what the profile's program does with the options of a route.
// It panics on a version that is not among Versions.
func (p Profile) Facts() *Facts { return &p.program().Facts }

// Limits returns what the profile's provider accepts; nil without one.
func (p Profile) Limits() *Limits {
	switch facts := p.Facts(); p.Provider {
	case Builtin:
		return &facts.Builtin
	case Polly:
		return &facts.Polly
	}
	return nil
}

// firstModel is the oldest release whose names are followed to the letter.
// Before it routes were called ReRoutes, and a file of the later names is empty
// to it.
var firstModel = Release{Major: 16}

// Release returns the release whose names count: the one that was asked for,
// whose model is known even where nothing else is, or the recorded one.
func (p Profile) Release() Release {
	if asked, ok := ParseRelease(p.Asked); ok && p.knowsModel(asked) {
		return asked
	}
	return release(p.program().recorded)
}

// Named returns the release that the reader speaks of: the one that was asked
// for, whatever is known of it, or the recorded one.
func (p Profile) Named() Release {
	if asked, ok := ParseRelease(p.Asked); ok {
		return asked
	}
	return release(p.program().recorded)
}

// OlderThan says whether the reader's release comes before another one. A number
// without a third part, such as 24.0, is any release of that name.
func (p Profile) OlderThan(o Profile) bool {
	a, b := p.Named(), o.Named()
	if strings.Count(p.Asked, ".") < 2 || strings.Count(o.Asked, ".") < 2 {
		a.Patch, b.Patch = 0, 0
	}
	return a.Before(b)
}

// knowsModel says whether the names of a release asked for are known.
func (p Profile) knowsModel(asked Release) bool {
	newest := release(programs[0].last)
	return !asked.Before(firstModel) && !newest.Before(asked)
}

// Reader returns the release whose names count, as the reader calls it.
func (p Profile) Reader() string {
	if asked, ok := ParseRelease(p.Asked); ok && p.knowsModel(asked) {
		return p.Asked
	}
	return p.Number()
}

// Had says whether the release asked for has an option that margay does not
// follow it in, because the release that answers for it has it no more.
func (p Profile) Had(first, gone string) bool {
	asked, ok := ParseRelease(p.Asked)
	return ok && asked.Before(firstModel) && !asked.Before(release(first)) && asked.Before(release(gone))
}

// Providers returns the QoS providers that there are for the profile's
// program, the usual one first, without None.
func (p Profile) Providers() []Provider { return slices.Clone(p.program().providers) }

// HasProvider says whether there is such a provider for the profile's program.
func (p Profile) HasProvider() bool {
	return p.Provider == None || slices.Contains(p.program().providers, p.Provider)
}

// SamePlaceholders says that the start refuses a route whose two templates have
// other placeholders: in 23.2.0 and 23.2.1 only.
func (p Profile) SamePlaceholders() bool {
	return p.Facts().Start.SamePlaceholders && p.Release().Before(Release{23, 2, 2})
}

// KnowsNewNames says whether the names that replaced the deprecated ones
// (BreakDuration, MinimumThroughput, Timeout of QoSOptions) are read. Where
// they are not, a rename would switch QoS off.
func (p Profile) KnowsNewNames() bool { return p.Facts().Inherits }

func (p Profile) program() *program {
	if p.Documented() {
		return &documentation
	}
	for i := range programs {
		if programs[i].version == p.Version {
			return &programs[i]
		}
	}
	panic("profile: no facts about Ocelot " + p.Version)
}
