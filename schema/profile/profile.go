// Package profile says whose answer margay gives: which Ocelot program, or its
// published documentation, and which QoS provider.
//
// A Profile is one value that is passed down. Where programs differ, the
// difference is data here plus a few small functions beside it; no other
// package asks for a version by itself.
package profile

// Provider is the QoS implementation that the gateway registers.
type Provider uint8

// The providers.
const (
	// Builtin is Ocelot's own, AddQualityOfService(); there is none before
	// 25.0.
	Builtin Provider = iota
	// Polly is the package Ocelot.QualityOfService.Polly, before 25.0
	// Ocelot.Provider.Polly: AddPolly().
	Polly
	// None means that no provider is registered: QoS stops the start.
	None
)

// String returns the name used on the command line.
func (p Provider) String() string { return [...]string{"builtin", "polly", "none"}[p] }

// ParseProvider returns the provider with the given command-line name.
func ParseProvider(name string) (Provider, bool) {
	for p := Builtin; p <= None; p++ {
		if p.String() == name {
			return p, true
		}
	}
	return 0, false
}

// Profile is whose answer is given. The zero Profile is Ocelot's published
// documentation of 25.0 with the built-in provider.
type Profile struct {
	// Version is the Ocelot program whose behaviour is followed, such as
	// "25.0"; empty: the published documentation of 25.0.
	Version string
	// Asked is the release that the program answers for, where that is
	// another one; see Find.
	Asked    string
	Provider Provider
	// Schemes are the authentication schemes that the application
	// registers; nil: any name counts as registered.
	Schemes []string
	// NoDiscovery means that the application registers no service discovery
	// provider.
	NoDiscovery bool
}

// Documented says whether answers follow the documentation rather than a
// program.
func (p Profile) Documented() bool { return p.Version == "" }

// String describes the profile as the first line of every report does.
func (p Profile) String() string {
	provider := [...]string{"built-in QoS", "Polly", "no QoS provider"}[p.Provider]
	if p.Documented() {
		return "by the documentation of Ocelot 25.0, " + provider
	}
	whose := "as Ocelot " + p.Version + " with " + provider + " runs it"
	if notice := p.Notice(); notice != "" {
		whose += " (" + notice + ")"
	}
	return whose
}
