package project

import (
	"path"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/project/csharp"
)

// layers is a list of files, each over those before it.
func (c *code) layers(steps []step) {
	var names []string
	for _, s := range steps {
		name, ok := c.within(s.name)
		if !ok {
			c.out.doubt(Load, false, []Place{at(&s.call)}, "%s loads %s, which is not in the folder that is asked about", shown(at(&s.call)), s.name)
			return
		}
		real := strings.ReplaceAll(s.name, csharp.Env, c.q.Environment)
		_, err := readFile(c.files, path.Join(c.dir, real))
		if err != nil && !s.optional {
			c.out.doubt(Load, false, []Place{at(&s.call)}, "%s loads %s, and there is no %s", shown(at(&s.call)), s.name, real)
			return
		}
		if s.optional && !strings.Contains(name, csharp.Env) {
			name += "?"
		}
		names = append(again(names, name), name)
	}
	way := strings.Join(names, ",")
	if way == "ocelot.json,ocelot.{env}.json" {
		way = "layer"
	}
	fact := Fact[string]{Value: way, Known: true}
	for _, s := range steps {
		fact.At = append(fact.At, at(&s.call))
	}
	c.out.Load = fact
}

// again leaves out a file that is loaded once more: the last time counts.
func again(names []string, name string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return strings.TrimSuffix(n, "?") == strings.TrimSuffix(name, "?") })
}

// within returns the name of a file of the project in the folder that is asked
// about.
func (c *code) within(name string) (string, bool) {
	if path.IsAbs(name) || len(name) > 1 && name[1] == ':' {
		return name, false // a place of the machine
	}
	full := path.Join(c.dir, name)
	if c.q.Dir == "." {
		return full, !strings.HasPrefix(full, "../")
	}
	return strings.CutPrefix(full, c.q.Dir+"/")
}

// section decides which section Ocelot binds.
func (c *code) section() {
	if c.added == nil || len(c.added.call.Args) == 0 {
		return
	}
	call := &c.added.call
	for _, inner := range c.program.Calls("GetSection", "GetRequiredSection") {
		if !call.Holds(&inner) || len(inner.Args) != 1 {
			continue
		}
		name, known := c.program.Text(&inner, inner.Args[0])
		if !known || c.added.doubt != "" {
			c.out.doubt(Section, false, []Place{at(call)}, "%s binds a section whose name is not sure", shown(at(call)))
			return
		}
		c.out.Section = Fact[string]{Value: name, Known: true, At: []Place{at(call)}}
		return
	}
	names := call.Names(call.Args[0])
	if len(names) == 0 || !strings.HasSuffix(strings.ToLower(names[0]), "configuration") && !strings.HasSuffix(strings.ToLower(names[0]), "config") {
		c.out.doubt(Section, false, []Place{at(call)}, "%s gives AddOcelot a configuration that is not seen here", shown(at(call)))
	}
}
