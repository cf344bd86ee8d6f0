package loadtest

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

// Providers returns what the recorded program added, in order.
func (r *Recording) Providers() []load.Provider {
	var out []load.Provider
	for _, name := range r.Opts.Before {
		out = append(out, load.File{Name: name})
	}
	switch r.Mode {
	case "folder":
		out = append(out, r.folderProvider())
	case "swagger":
		out = append(out, r.swaggerProvider())
	case "layers":
		return r.layers()
	case "file":
		name := "ocelot.json"
		if primary := argument(r.Opts.Primary).Text; r.Opts.AddPrimary && primary != "" {
			name = primary
		}
		out = append(out, load.File{Name: name})
	}
	for _, name := range r.Opts.After {
		out = append(out, load.File{Name: name, Optional: r.Opts.AfterOptional})
	}
	return append(out, r.outside()...)
}

// layers are the calls of a program that adds files one by one.
func (r *Recording) layers() []load.Provider {
	var out []load.Provider
	if r.Opts.Host == "default" && (!r.Opts.Separate || r.Opts.Chained) {
		out = r.defaults()
	}
	others := r.outside()
	if r.Opts.Host == "default" {
		others = nil
	}
	if r.Opts.OthersFirst {
		out = append(out, others...)
	}
	for _, name := range r.Layers {
		out = append(out, load.File{
			Name:     name,
			Optional: slices.Contains(r.Opts.OptionalFiles, name),
			Reload:   slices.Contains(r.Opts.ReloadFiles, name),
		})
	}
	if r.Opts.EnvAgain {
		out = append(out, load.Variables{List: r.Opts.EnvVars.List()})
	}
	if !r.Opts.OthersFirst {
		out = append(out, others...)
	}
	return out
}

func (r *Recording) defaults() []load.Provider {
	return load.HostDefaults(*r.Env, r.Opts.EnvVars.List(), r.Opts.CommandLine)
}

// Host returns the providers of the host's own configuration where it is another
// one than the gateway's, else nil.
func (r *Recording) Host() []load.Provider {
	switch {
	case !r.Opts.Separate || r.Opts.Chained:
		return nil
	case r.Opts.Host == "default":
		return r.defaults()
	}
	return []load.Provider{}
}

func (r *Recording) swaggerProvider() load.Provider {
	s := load.Swagger{
		WorkDir:   r.Opts.Cwd,
		Folder:    argument(r.Opts.Folder),
		Primary:   argument(r.Opts.Primary),
		EndPoints: argument(r.Opts.SwaggerFile),
	}
	if r.Env != nil && r.Opts.WithEnv {
		s.Environment = *r.Env
	}
	return s
}

// argument reads an option that may be absent, null or a text.
func argument(raw json.RawMessage) load.Argument {
	if raw == nil {
		return load.Argument{}
	}
	a := load.Argument{Given: true, Null: string(raw) == "null"}
	_ = json.Unmarshal(raw, &a.Text)
	return a
}

func (r *Recording) folderProvider() load.Provider {
	primary := argument(r.Opts.Primary).Text
	object := source.NewFile("object.json", []byte(r.Opts.Object))
	switch r.Opts.API {
	case "object", "jobject":
		return load.Object{JSON: object, Untyped: r.Opts.API == "jobject", Primary: primary}
	}
	m := load.Merge{InMemory: r.Opts.MergeTo == "memory", Global: r.Opts.Global, EnvironmentFile: r.Opts.Environment, Primary: primary}
	if r.Opts.API == "object_merge" {
		m.Object = object
	}
	if r.Env != nil {
		m.Environment = *r.Env
	}
	return m
}

// outside are the providers that read no files.
func (r *Recording) outside() []load.Provider {
	var out []load.Provider
	if r.Opts.EnvVars != nil {
		out = append(out, load.Variables{Prefix: r.Opts.EnvPrefix, List: r.Opts.EnvVars.List()})
	}
	if r.Opts.CommandLine != nil {
		out = append(out, load.CommandLine{Arguments: r.Opts.CommandLine})
	}
	if r.Opts.InMemory != nil {
		out = append(out, r.memory())
	}
	return out
}

func (r *Recording) memory() load.Memory {
	var m load.Memory
	for _, key := range slices.Sorted(maps.Keys(r.Opts.InMemory)) {
		p := load.Pair{Key: key, Null: r.Opts.InMemory[key] == nil}
		if !p.Null {
			p.Value = *r.Opts.InMemory[key]
		}
		m.Pairs = append(m.Pairs, p)
	}
	return m
}
