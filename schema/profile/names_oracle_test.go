package profile_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// property is what is recorded of one option: the releases that have it and the
// types it had.
type property struct {
	First, Last string
	Changes     []struct{ Version, From, To string } `json:"type_changes"`
}

// TestOracleNames holds the names of every release since 16.0.0 against the
// models of the releases.
func TestOracleNames(t *testing.T) {
	var recorded struct {
		About struct {
			Versions []string `json:"versions_read"`
		} `json:"_about"`
		Properties map[string]property
	}
	if err := json.Unmarshal(oracletest.Bytes(t, "properties.json.gz"), &recorded); err != nil {
		t.Fatal(err)
	}
	tally := oracletest.NewTally("properties")
	oldest := profile.Release{Major: 16}
	for _, version := range recorded.About.Versions {
		at, ok := profile.ParseRelease(version)
		if !ok {
			t.Fatalf("%q is no release", version)
		}
		if at.Before(oldest) {
			continue
		}
		p, _ := profile.Find(version)
		if p.Release() != at {
			t.Errorf("%s: the names of %s count", version, p.Release())
		}
		counted := 0
		for path, o := range recorded.Properties {
			if o.Last != "" && release(t, o.Last).Before(at) {
				continue
			}
			got, want := readingAt(p.Names(), path), o.readingAt(t, at)
			if got != want {
				tally.Differ(version, path, "got %d want %d", got, want)
				continue
			}
			if want != profile.AsNow {
				counted++
			}
			tally.Agree(version)
		}
		if older := at.Before(profile.Release{Major: 24, Minor: 1}); older != (counted > 0) {
			t.Errorf("%s: %d options are read otherwise", version, counted)
		}
	}
	tally.Report(t)
}

func release(t *testing.T, text string) profile.Release {
	r, ok := profile.ParseRelease(text)
	if !ok {
		t.Fatalf("%q is no release", text)
	}
	return r
}

// readingAt follows a path such as "Routes[].QoSOptions"; whatever is below a
// name that is not read is not read either.
func readingAt(names *profile.Names, path string) profile.Reading {
	var found profile.Reading
	steps := strings.Split(path, ".")
	for i, step := range steps {
		name, isList := strings.CutSuffix(step, "[]")
		if names = names.Member(name); names == nil {
			return profile.AsNow
		}
		if found = names.Reading; found == profile.Unread || i == len(steps)-1 {
			return found
		}
		if isList {
			if names = names.Items; names == nil {
				return profile.AsNow
			}
		}
	}
	return found
}

func (o property) readingAt(t *testing.T, at profile.Release) profile.Reading {
	if at.Before(release(t, o.First)) {
		return profile.Unread
	}
	for _, c := range o.Changes {
		switch {
		case !at.Before(release(t, c.Version)):
		case c.To == c.From+"?":
			return profile.NotNullable
		case c.From == "List<string>" && c.To == "HashSet<string>":
			return profile.Repeating
		}
	}
	return profile.AsNow
}
