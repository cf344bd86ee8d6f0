package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/project"
	"github.com/margay-dev/margay/schema/settings"
)

func (b *requestBuilder) profile() {
	p := b.version()
	word := b.word(flagProvider, b.s.Provider, "builtin", "polly", "none")
	if !b.said(project.Provider) {
		word = b.found.Provider.Value
	}
	if word != "" {
		p.Provider, _ = profile.ParseProvider(word)
	}
	if !p.HasProvider() {
		b.err = cmp.Or(b.err, usage("built-in QoS came with 25.0", "Ocelot %s has no %s QoS; --%s takes polly or none",
			cmp.Or(p.Asked, p.Version), p.Provider, flagProvider))
	}
	p.Schemes, p.NoDiscovery = b.schemes(), !b.discovery()
	b.out.options.Profile = p
	b.out.origin = b.origin()
}

// version returns the profile that answers for the release that was asked for,
// with the provider that is usual there.
func (b *requestBuilder) version() profile.Profile {
	text := b.pick(flagOcelot, b.s.Ocelot)
	if !b.said(project.Ocelot) {
		text = b.found.Ocelot.Value
	}
	if text == "" {
		return profile.Profile{}
	}
	p, ok := profile.Find(text)
	if !ok {
		b.err = cmp.Or(b.err, unknownVersion(text))
	}
	return p
}

func unknownVersion(text string) error {
	return usage("leave it out for the documentation of 25.0",
		"%q is no version of Ocelot; --%s takes a number such as %s", text, flagOcelot, alternatives(profile.Versions()))
}

// origin names where the version and the provider come from, and what the
// project leaves open.
func (b *requestBuilder) origin() string {
	var from []string
	add := func(text string) {
		if text != "" && !slices.Contains(from, text) {
			from = append(from, text)
		}
	}
	for _, choice := range []struct {
		option project.Option
		places []project.Place
	}{{project.Ocelot, b.found.Ocelot.At}, {project.Provider, b.found.Provider.At}} {
		switch {
		case b.c.IsSet(string(choice.option)):
			add("--" + string(choice.option))
		case b.said(choice.option):
			add(settings.Name)
		default:
			add(b.found.places(choice.places))
		}
	}
	text := strings.Join(from, ", ")
	if open := b.found.unsure(b.said); len(open) > 0 {
		text = strings.TrimPrefix(text+"; ", "; ") + "not sure of " + strings.Join(open, ", ") + ": `margay init --dry-run` says why"
	}
	return text
}

// schemes are nil where nobody says: any name counts as registered then.
func (b *requestBuilder) schemes() []string {
	switch {
	case !b.said(project.Schemes):
		return b.found.Schemes.Value
	case !b.c.IsSet(flagSchemes):
		return b.s.Schemes
	}
	schemes := []string{}
	for name := range strings.SplitSeq(b.c.String(flagSchemes), ",") {
		if name = strings.TrimSpace(name); name != "" {
			schemes = append(schemes, name)
		}
	}
	return schemes
}

func (b *requestBuilder) discovery() bool {
	if value := b.word(flagDiscovery, "", "true", "false"); value != "" {
		return value == "true"
	}
	if fact := b.found.Discovery; fact.Known && !b.said(project.Discovery) {
		return fact.Value
	}
	return b.s.Discovery == nil || *b.s.Discovery
}
