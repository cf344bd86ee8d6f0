package load

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Variables is AddEnvironmentVariables: every variable is a configuration key,
// with "__" for ":".
type Variables struct {
	// Prefix, without regard to case, picks the variables and is taken off;
	// "" takes all of them.
	Prefix string
	// List holds the variables as os.Environ returns them: "NAME=value".
	List []string
}

func (v Variables) add(l *loader) error {
	prefix := strings.ReplaceAll(v.Prefix, "__", ":")
	var pairs []Pair
	for _, variable := range v.List {
		name, value, _ := strings.Cut(variable, "=")
		name = strings.ReplaceAll(name, "__", ":")
		if len(name) < len(prefix) || !ordinal.Equal(name[:len(prefix)], prefix) {
			continue
		}
		pairs = append(pairs, Pair{Key: name[len(prefix):], Value: value})
	}
	l.outside("environment variables", pairs)
	return nil
}

// CommandLine is AddCommandLine: --key=value, --key value, /key=value and
// key=value. A word that is none of these is ignored.
type CommandLine struct{ Arguments []string }

func (c CommandLine) add(l *loader) error {
	var pairs []Pair
	for i := 0; i < len(c.Arguments); i++ {
		key, value, assigned := strings.Cut(c.Arguments[i], "=")
		key, marks := trimMarks(key)
		switch {
		case marks == 1 && assigned:
			l.result.fail(shortSwitch(c.Arguments[i]))
			continue
		case marks == 1 || marks == 0 && !assigned:
			continue
		case !assigned && i+1 == len(c.Arguments):
			continue
		case !assigned:
			i++
			value = c.Arguments[i]
		}
		pairs = append(pairs, Pair{Key: key, Value: value})
	}
	l.outside("command line", pairs)
	return nil
}

// trimMarks takes the dashes or the slash off an argument. It returns 2 for a
// long name, 1 for a short one, which would need a mapping, 0 for none.
func trimMarks(key string) (name string, marks int) {
	for _, mark := range []string{"--", "/"} {
		if name, ok := strings.CutPrefix(key, mark); ok {
			return name, 2
		}
	}
	if name, ok := strings.CutPrefix(key, "-"); ok {
		return name, 1
	}
	return key, 0
}

func shortSwitch(argument string) *Failure {
	return &Failure{Type: "System.FormatException", Message: "The short switch '" + argument + "' is not defined in the switch mappings."}
}

// Memory is AddInMemoryCollection: keys from code.
type Memory struct{ Pairs []Pair }

// Pair is a configuration key with its value.
type Pair struct {
	Key   string
	Value string
	// Null says that the value is null, which is not "".
	Null bool
}

func (m Memory) add(l *loader) error {
	l.outside("in-memory collection", m.Pairs)
	return nil
}

// outside lays keys that stand in no file over the configuration. They are
// written into a text of their own, one key a line, for places to point at.
func (l *loader) outside(name string, pairs []Pair) {
	if len(pairs) == 0 {
		l.layer(name, 0)
		return
	}
	var text strings.Builder
	nodes := make([]syntax.Node, len(pairs))
	for i, p := range pairs {
		n := syntax.Node{Kind: syntax.String, KeyStart: uint32(text.Len()), Flags: syntax.Made}
		text.WriteString(p.Key)
		n.KeyEnd = uint32(text.Len())
		text.WriteByte('=')
		n.Start = uint32(text.Len())
		text.WriteString(p.Value)
		n.End = uint32(text.Len())
		text.WriteByte('\n')
		if p.Null {
			n.Kind = syntax.Null
		}
		nodes[i] = n
	}
	file := l.tree.AddFile(source.NewFile(name, []byte(text.String())))
	l.result.setKind(file, Outside)
	l.layer(name, l.keys(file, nodes, pairs))
	layer := &l.result.Layers[len(l.result.Layers)-1]
	for _, p := range pairs {
		layer.keys = append(layer.keys, p.Key)
	}
	l.overlay.respelled = l.overlay.respelled || respelled(layer.keys)
}

// respelled says whether keys spell a step differently.
func respelled(keys []string) bool {
	spelling := map[string]string{}
	for _, key := range keys {
		for end := range len(key) + 1 {
			if end < len(key) && key[end] != ':' {
				continue
			}
			folded := strings.Map(ordinal.Upper, key[:end])
			if known, ok := spelling[folded]; ok && known != key[:end] {
				return true
			}
			spelling[folded] = key[:end]
		}
	}
	return false
}

// keys makes a normalised tree of keys. A key that comes twice has the last
// value.
func (l *loader) keys(file uint16, nodes []syntax.Node, pairs []Pair) syntax.ID {
	root := &slot{}
	for i, p := range pairs {
		later := slices.IndexFunc(pairs[i+1:], func(other Pair) bool { return ordinal.Equal(other.Key, p.Key) })
		if later >= 0 {
			continue
		}
		nodes[i].File = file
		id := l.tree.Add(nodes[i])
		if !p.Null {
			l.tree.SetText(id, p.Value)
		}
		root.parts = append(root.parts, part{node: id, rest: strings.Split(p.Key, ":")})
	}
	n := normaliser{tree: l.tree}
	return n.build(root)
}
