package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
)

// DefaultEnvironment is the environment of a host to which nobody said
// another.
const DefaultEnvironment = "Production"

// Choice is what the user says about how a folder is loaded.
type Choice struct {
	// Way is "merge", "layer", "swagger", or a list of file names with commas
	// between them, in which {env} stands for the environment; "" lets the
	// names of the files decide.
	Way string
	// Environment is the environment; "" is DefaultEnvironment, except that
	// SwaggerForOcelot's merge then takes all parts.
	Environment string
	// Section is the section that Ocelot binds; "" is the root.
	Section string
}

func (c Choice) environment() string {
	if c.Environment == "" {
		return DefaultEnvironment
	}
	return c.Environment
}

// Plan is how a folder is loaded.
type Plan struct {
	Providers []Provider
	Options   Options
	// Assumption says in one line what was taken for granted; "" if the user
	// has said it.
	Assumption string
}

// Run loads the folder as planned.
func (p Plan) Run(folder Folder) (*Result, error) { return Run(folder, p.Providers, p.Options) }

// AmbiguousError is a folder that can be read in two ways.
type AmbiguousError struct {
	Folder string
	// Readings are the ways, each with the flag that chooses it.
	Readings []string
}

// Error lists the readings.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("folder %s can be read in %d ways; say which: %s", e.Folder, len(e.Readings), strings.Join(e.Readings, ", or "))
}

// Detect plans how a folder is loaded. It returns an error for a folder that
// holds none of the files, and an *AmbiguousError where the names leave it
// open.
func Detect(folder Folder, choice Choice) (Plan, error) {
	names, err := folder.list(".")
	if err != nil {
		return Plan{}, err
	}
	d := detector{folder: folder, choice: choice, names: names}
	plan, err := d.plan()
	plan.Options.Section = choice.Section
	return plan, err
}

type detector struct {
	folder Folder
	choice Choice
	names  []string
}

func (d *detector) plan() (Plan, error) {
	switch d.choice.Way {
	case "":
		return d.guess()
	case "merge":
		return d.needParts(Merge{Environment: d.choice.environment()})
	case "swagger":
		return d.needParts(Swagger{Environment: d.choice.Environment})
	case "layer":
		return d.list([]string{"ocelot.json", "ocelot.{env}.json"})
	}
	return d.list(strings.Split(d.choice.Way, ","))
}

// guess decides by the names of the files.
func (d *detector) guess() (Plan, error) {
	parts := slices.DeleteFunc(slices.Clone(d.names), func(name string) bool { return !partName(name) })
	merged := slices.DeleteFunc(slices.Clone(parts), func(name string) bool { return ordinal.Equal(name, d.named("ocelot.{env}.json")) })
	switch primary := d.find("ocelot.json"); {
	case primary == "" && len(parts) == 0:
		return Plan{}, fmt.Errorf("read folder %s: it holds neither ocelot.json nor parts named ocelot.*.json", d.shown())
	case primary == "":
		return d.merged(merged)
	case len(parts) == 0:
		return Plan{Providers: []Provider{File{Name: primary}}}, nil
	case !slices.ContainsFunc(parts, func(name string) bool { return !d.environmentFile(name) }):
		plan, err := d.list([]string{"ocelot.json", "ocelot.{env}.json"})
		plan.Assumption = d.layered()
		return plan, err
	}
	return Plan{}, &AmbiguousError{Folder: d.shown(), Readings: []string{
		"--load merge (" + becomes(len(merged)) + " " + d.find("ocelot.json") + ", which is not read)",
		"--load layer (ocelot." + d.choice.environment() + ".json over ocelot.json)",
		"--load ocelot.json (that file alone)",
	}}
}

func (d *detector) merged(parts []string) (Plan, error) {
	return Plan{
		Providers: []Provider{Merge{Environment: d.choice.environment()}},
		Assumption: fmt.Sprintf("%s of %s merged as AddOcelot(folder) does in the environment %s (--load merge)",
			count(len(parts), "part"), d.shown(), d.choice.environment()),
	}, nil
}

func (d *detector) layered() string {
	name := d.find(d.named("ocelot.{env}.json"))
	if name == "" {
		return fmt.Sprintf("ocelot.json of %s alone: no file for the environment %s (--load layer)", d.shown(), d.choice.environment())
	}
	return fmt.Sprintf("%s over ocelot.json of %s, key by key, in the environment %s (--load layer)", name, d.shown(), d.choice.environment())
}

func becomes(parts int) string {
	if parts == 1 {
		return "the 1 part becomes"
	}
	return fmt.Sprintf("the %d parts become", parts)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// needParts plans a merge, which is pointless without parts.
func (d *detector) needParts(p Provider) (Plan, error) {
	if !slices.ContainsFunc(d.names, partName) {
		return Plan{}, fmt.Errorf("read folder %s: it holds no parts named ocelot.*.json", d.shown())
	}
	return Plan{Providers: []Provider{p}}, nil
}

// list plans files in layers. A name with {env}, or with "?" behind it, may be
// missing.
func (d *detector) list(names []string) (Plan, error) {
	var plan Plan
	for _, written := range names {
		name, optional := strings.CutSuffix(strings.TrimSpace(written), "?")
		optional = optional || strings.Contains(name, "{env}")
		name = d.named(name)
		found := d.find(name)
		switch {
		case found == "" && strings.ContainsAny(name, `/\`):
			found = strings.ReplaceAll(name, `\`, "/")
		case found == "" && !optional:
			return Plan{}, fmt.Errorf("read %s: file does not exist", d.folder.Path(name))
		case found == "":
			found = name
		}
		plan.Providers = append(plan.Providers, File{Name: found, Optional: optional})
	}
	return plan, nil
}

func (d *detector) named(name string) string {
	return strings.ReplaceAll(name, "{env}", d.choice.environment())
}

// find returns the file with a name, which is compared as on NTFS.
func (d *detector) find(name string) string {
	for _, n := range d.names {
		if ordinal.Equal(n, name) {
			return n
		}
	}
	return ""
}

func (d *detector) environmentFile(name string) bool {
	return environmentName(name) || ordinal.Equal(name, d.named("ocelot.{env}.json"))
}

func (d *detector) shown() string {
	if d.folder.Name == "" {
		return "."
	}
	return d.folder.Name
}
