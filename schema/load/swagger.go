package load

import (
	"fmt"
	"path"
	"strings"

	"github.com/margay-dev/margay/schema/load/newtonsoft"
	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Swagger is SwaggerForOcelot's AddOcelotWithSwaggerSupport: its own merge of a
// folder, through typed objects, which is written to a file and loaded from
// there. The zero value merges the current directory without an environment.
//
// Unlike Ocelot's own merge it takes comments before the root, but any value
// that does not fit its type stops the start instead of dropping a route. What
// the types do not know is lost, and so are DynamicRoutes; every member is
// written, unset ones as null, which wipes scalars of the layers before. If
// Primary is itself named like a part, every start adds the routes again
// (recorded: group swagger of load-ways.jsonl).
type Swagger struct {
	// Folder is the folder with the parts, relative to WorkDir; by default
	// "./".
	Folder Argument
	// Environment picks the parts whose names contain it, case-sensitively;
	// blank picks all.
	Environment string
	// EndPoints is the file whose SwaggerEndPoints count, without ".json"; by
	// default ocelot.SwaggerEndPoints.
	EndPoints Argument
	// Primary is the file that is written, relative to WorkDir, and then
	// loaded from the content root; by default ocelot.json.
	Primary Argument
	// WorkDir is the current directory, relative to the content root.
	WorkDir string
}

// Argument is an optional argument of a call in the program's code. The zero
// value leaves it out.
type Argument struct {
	Text string
	// Given says that the argument is passed, Null that it is null then.
	Given, Null bool
}

// or returns the argument, or what stands for one that is left out.
func (a Argument) or(fallback string) string {
	if a.Given {
		return a.Text
	}
	return fallback
}

// badPath is the exception for an argument that cannot be a path.
func (a Argument) badPath() *Failure {
	switch {
	case a.Given && a.Null:
		return &Failure{Type: "System.ArgumentNullException", Message: "Value cannot be null. (Parameter 'path')"}
	case a.Given && a.Text == "":
		return &Failure{Type: "System.ArgumentException", Message: "The value cannot be an empty string. (Parameter 'path')"}
	}
	return nil
}

func (s Swagger) add(l *loader) error {
	if f := s.Folder.badPath(); f != nil {
		return l.stop(f)
	}
	dir := l.folder.inside(join(s.WorkDir, l.folder.inside(s.Folder.or("."))))
	if !l.exists(dir) {
		return l.stop(l.noDirectory(s.Folder.or(".")))
	}
	names, err := l.enumerate(dir)
	if err != nil {
		return err
	}
	m := swaggerMerge{loader: l, spec: s, merged: newtonsoft.New(model.SwaggerRoot())}
	out := Merged{Enumerated: names}
	for _, name := range names {
		if !partName(name) || strings.TrimSpace(s.Environment) != "" && !strings.Contains(name, s.Environment) {
			continue
		}
		out.Parts = append(out.Parts, name)
		if ok, err := m.part(dir, name); err != nil || !ok {
			l.result.Merges = append(l.result.Merges, Merged{Enumerated: names, Parts: out.Parts, text: func() []byte { return nil }})
			return err
		}
	}
	m.noteOrder()
	return m.write(out)
}

// swaggerMerge is one merge under way.
type swaggerMerge struct {
	*loader
	spec   Swagger
	merged *newtonsoft.Object
	from   map[string][]source.Span
}

// part reads a file and adds what counts of it. It returns false after a
// failure.
func (m *swaggerMerge) part(dir, name string) (bool, error) {
	file, err := m.read(join(dir, name))
	if err != nil {
		return false, err
	}
	object := m.object(file, model.SwaggerRoot())
	if object == nil {
		return false, nil
	}
	taken := ""
	switch {
	case ordinal.Equal(name, m.withEnvironment("ocelot.global")):
		taken = "GlobalConfiguration"
	case ordinal.Equal(name, m.withEnvironment(m.spec.EndPoints.or("ocelot.SwaggerEndPoints"))):
		taken = "SwaggerEndPoints"
	}
	if taken != "" {
		m.merged.Put(taken, object.Get(taken))
	}
	m.noteLost(object, taken, file)
	for _, section := range []string{"Aggregates", "Routes"} {
		if !m.append(object, section) {
			return false, nil
		}
	}
	return true, nil
}

// withEnvironment is the name of the one file that counts for a section.
func (m *swaggerMerge) withEnvironment(name string) string {
	if strings.TrimSpace(m.spec.Environment) != "" {
		name += "." + m.spec.Environment
	}
	return name + ".json"
}

func (m *swaggerMerge) append(part *newtonsoft.Object, section string) bool {
	from, to := part.Get(section), m.merged.Get(section)
	if from.Scalar != 0 {
		m.result.fail(&Failure{Type: "System.ArgumentNullException", Message: "Value cannot be null. (Parameter 'collection')",
			At: m.tree.Span(from.Scalar), Reason: fmt.Sprintf("%q is no list", section), Remedy: "write a list: [ … ]"})
		return false
	}
	if from.Set {
		to.Set, to.Place = true, from.Place
		to.Items = append(to.Items, from.Items...)
		m.merged.Put(section, to)
		if m.from == nil {
			m.from = map[string][]source.Span{}
		}
		m.from[section] = append(m.from[section], m.named(from.Place))
	}
	return true
}

// named is where the name of a node stands.
func (m *swaggerMerge) named(n syntax.Node) source.Span {
	return source.Span{File: m.tree.Files[n.File], Start: int(n.KeyStart), End: int(n.KeyEnd)}
}

// noteLost notes the sections of a part that the merge does not take.
func (m *swaggerMerge) noteLost(part *newtonsoft.Object, taken string, file *source.File) {
	for _, section := range []string{"GlobalConfiguration", "SwaggerEndPoints", "DynamicRoutes"} {
		v := part.Get(section)
		if !v.Set || v.Scalar != 0 || section == taken {
			continue
		}
		n, kind := v.Place, SectionIgnored
		if v.Object != nil {
			n = v.Object.Place
		}
		if section == "GlobalConfiguration" {
			kind = GlobalOutsideGlobalFile
		}
		m.result.note(Note{Kind: kind, At: m.named(n), Text: section, File: file.Name})
	}
}

func (m *swaggerMerge) noteOrder() {
	for _, section := range []string{"Routes", "Aggregates"} {
		if from := m.from[section]; len(from) > 1 {
			m.result.note(Note{Kind: Sorted, At: from[1], Related: from[:1:1], Text: section})
		}
	}
}

// write writes the merged object to the current directory and loads the file
// of that name from the content root.
func (m *swaggerMerge) write(out Merged) error {
	out.Root = m.emit(m.merged)
	out.text = func() []byte { return newtonsoft.WriteCompact(m.tree, out.Root) }
	primary := m.spec.Primary.or("ocelot.json")
	fail := m.spec.Primary.badPath()
	written := m.folder.inside(join(m.spec.WorkDir, m.folder.inside(primary)))
	if fail == nil && !m.exists(path.Dir(written)) {
		fail = m.noDirectory(written)
	}
	if fail != nil {
		m.result.Merges = append(m.result.Merges, out)
		return m.stop(fail)
	}
	out.WrittenTo = written
	normal, failure := m.normalise(out.Root, true)
	if failure != nil {
		failure = inFile(m.folder.Path(written), failure)
	}
	m.loader.write(writtenFile{text: out.text, root: normal, failure: failure}, written)
	m.result.Merges = append(m.result.Merges, out)
	return File{Name: primary}.add(m.loader)
}
