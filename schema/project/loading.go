package project

import (
	"path"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/project/csharp"
)

// step is one call that adds files to the configuration.
type step struct {
	call csharp.Call
	// way is "merge", "swagger" or "file".
	way string
	// name is the folder, or the file, within the project's folder.
	name     string
	optional bool
}

// loading decides how the files of the folder are loaded.
func (c *code) loading() {
	steps, doubt, where := c.steps()
	if doubt == "" {
		where, doubt = c.apart(steps)
	}
	switch {
	case doubt != "":
		c.out.doubt(Load, false, []Place{where}, "%s", doubt)
	case len(steps) == 0:
		if c.gap != "" || c.added == nil {
			c.out.doubt(Load, false, c.where(), "no call that loads the files is found")
		}
	case steps[0].way == "file" && !slices.ContainsFunc(steps, func(s step) bool { return s.way != "file" }):
		c.layers(steps)
		c.beside(steps)
	case len(steps) == 1:
		c.whole(&steps[0])
	default:
		c.out.doubt(Load, false, []Place{at(&steps[0].call)}, "%s and %s load files in different ways", shown(at(&steps[0].call)), shown(at(&steps[1].call)))
	}
}

// whole is a merge of a folder.
func (c *code) whole(s *step) {
	if path.Join(c.dir, s.name) != c.q.Dir {
		c.out.doubt(Load, false, []Place{at(&s.call)}, "%s merges the folder %s of the project: give that folder as the PATH", shown(at(&s.call)), path.Clean(s.name))
		return
	}
	c.out.Load = Fact[string]{Value: s.way, Known: true, At: []Place{at(&s.call)}}
}

// steps returns the calls that add files of Ocelot, in the order in which they
// run, or says why that is not known.
func (c *code) steps() (steps []step, doubt string, where Place) {
	calls := c.program.Calls("AddJsonFile", "AddOcelot", "AddOcelotWithSwaggerSupport")
	var first *csharp.Call
	for i := range calls {
		call := &calls[i]
		if call.Name == "AddOcelot" && onServices(call) {
			continue
		}
		s, why := c.step(call)
		if why == "" && s.way == "" {
			continue // a file that says nothing of routes
		}
		if why == "" {
			if d := c.program.Doubt(call); d != "" {
				why = shown(at(call)) + " loads " + s.name + " " + d
			}
		}
		if why == "" && first != nil && (call.Source != first.Source || call.Source.Enclosing(call.At) != first.Source.Enclosing(first.At)) {
			why = shown(at(first)) + " and " + shown(at(call)) + " load files in an order that is not seen here"
		}
		if why != "" {
			return nil, why, at(call)
		}
		if first == nil {
			first = call
		}
		steps = append(steps, s)
	}
	return steps, "", Place{}
}

// step reads one call. A step without a way does not matter.
func (c *code) step(call *csharp.Call) (s step, why string) {
	s.call = *call
	switch call.Name {
	case "AddOcelotWithSwaggerSupport":
		return c.swagger(s)
	case "AddOcelot":
		return c.merge(s)
	}
	return c.file(s)
}

func (c *code) swagger(s step) (step, string) {
	s.way, s.name = "swagger", "."
	folder, known, set := c.program.Option(&s.call, "Folder")
	switch {
	case set && !known:
		return s, shown(at(&s.call)) + " merges a folder whose name is not written here"
	case set:
		s.name = clean(folder)
	}
	for _, arg := range s.call.Args {
		if !s.call.Lambda(arg) {
			return s, shown(at(&s.call)) + " calls AddOcelotWithSwaggerSupport in a form that is not known here"
		}
	}
	return s, ""
}

// merge reads AddOcelot on a configuration builder: the merge of a folder, or
// one file.
func (c *code) merge(s step) (step, string) {
	if len(s.call.Args) == 0 {
		return c.primary(s)
	}
	s.way, s.name = "merge", "."
	environment := false
	for i, arg := range s.call.Args {
		names := s.call.Names(arg)
		text, known := c.program.Text(&s.call, arg)
		switch {
		case arg.Name == "env", len(names) > 0 && isEnvironment(names[0]) && !known:
			environment = true
		case i == 0 && known && strings.HasSuffix(strings.ToLower(text), ".json"):
			s.way, s.name = "file", clean(text)
		case i == 0 && known:
			s.name = clean(text)
		case i == 0:
			return s, shown(at(&s.call)) + " loads something whose name is not written here"
		case s.way == "file" || len(names) == 1 && (names[0] == "true" || names[0] == "false") || len(names) == 2 && names[1] == "MergeOcelotJson":
		default:
			return s, shown(at(&s.call)) + " calls AddOcelot in a form that is not known here"
		}
	}
	if s.way == "merge" && !environment {
		return s, shown(at(&s.call)) + " calls AddOcelot in a form that is not known here"
	}
	return s, ""
}

// primary reads AddOcelot() on a configuration builder: since 24.0 it adds
// ocelot.json as it is; up to 7.0 it merged, by rules of its own.
func (c *code) primary(s step) (step, string) {
	if v := c.out.Ocelot; v.Known && older(v.Value, "8.0.0") {
		return s, shown(at(&s.call)) + " calls AddOcelot in a form that is not known here"
	}
	base, known := c.base(&s.call)
	s.way, s.name = "file", clean(path.Join(base, "ocelot.json"))
	if !known {
		return s, shown(at(&s.call)) + " loads ocelot.json from a folder that is not written here"
	}
	return s, ""
}

// clean writes a path as it stands in the project's folder.
func clean(name string) string {
	return path.Clean(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "./"))
}

// file reads AddJsonFile.
func (c *code) file(s step) (step, string) {
	s.way = "file"
	known := false
	for i, arg := range s.call.Args {
		switch {
		case arg.Name == "path" || i == 0 && arg.Name == "":
			s.name, known = c.program.Text(&s.call, arg)
		case arg.Name == "optional" || i == 1 && arg.Name == "":
			s.optional = slices.Equal(s.call.Names(arg), []string{"true"})
		}
	}
	if !known {
		return s, shown(at(&s.call)) + " loads a file whose name is not written here"
	}
	base, known := c.base(&s.call)
	s.name = clean(path.Join(base, strings.ReplaceAll(s.name, `\`, "/")))
	if !c.matters(s.name) {
		s.way = ""
		return s, ""
	}
	if !known {
		return s, shown(at(&s.call)) + " loads " + s.name + " from a folder that is not written here"
	}
	return s, ""
}

// base returns the folder that SetBasePath chose on the same chain.
func (c *code) base(call *csharp.Call) (string, bool) {
	for _, set := range c.program.Calls("SetBasePath") {
		if set.Source != call.Source || set.Source.Enclosing(set.At) != call.Source.Enclosing(call.At) || len(set.Args) != 1 {
			continue
		}
		if text, ok := c.program.Text(&set, set.Args[0]); ok {
			return text, true
		}
		return "", set.ContentRoot(set.Args[0])
	}
	return "", true
}

// matters says whether a file has to do with Ocelot: by its name, or because it
// holds one of Ocelot's sections.
func (c *code) matters(name string) bool {
	if strings.Contains(strings.ToLower(path.Base(name)), "ocelot") {
		return true
	}
	for _, environment := range []string{"", c.q.Environment} {
		real := strings.ReplaceAll(name, csharp.Env, environment)
		if environment == "" {
			real = strings.ReplaceAll(name, "."+csharp.Env, "")
		}
		text, err := readFile(c.files, path.Join(c.dir, real))
		if err != nil {
			continue
		}
		lower := strings.ToLower(string(text))
		for _, section := range []string{`"routes"`, `"reroutes"`, `"dynamicroutes"`, `"aggregates"`, `"globalconfiguration"`} {
			if strings.Contains(lower, section) {
				return true
			}
		}
	}
	return false
}
