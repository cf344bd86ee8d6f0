package profile

import "slices"

// program is what is known of one Ocelot release: facts as data, so that a
// further release is a further row.
type program struct {
	version string
	// divergences is how the release differs from the documentation of 25.0.
	divergences Divergences
	// newNames says whether BreakDuration, MinimumThroughput and Timeout are
	// read; before 24.1 they are ignored without a message.
	newNames bool
}

var programs = [...]program{
	{version: "25.0", divergences: AllDivergences, newNames: true},
}

// documentation is the published documentation of 25.0 as a row of its own.
var documentation = program{newNames: true}

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
// the documentation: none by the documentation itself. It panics on a version
// that is not among Versions.
func (p Profile) Divergences() Divergences { return p.program().divergences }

// KnowsNewNames says whether the names that replaced the deprecated ones
// (BreakDuration, MinimumThroughput, Timeout of QoSOptions) are read. Where
// they are not, a rename would switch QoS off.
func (p Profile) KnowsNewNames() bool { return p.program().newNames }

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
