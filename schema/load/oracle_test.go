package load_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// recording is one record of load.jsonl and load-ways.jsonl.
type recording struct {
	ID, Group, Way, Mode string
	Env                  *string
	Files                map[string]string
	FileBase64           map[string][]byte `json:"file_base64"`
	Layers               []string
	Opts                 recordedOptions
	Expect               recordedAnswer

	// permuted says that the order of the variables is not the recorded one.
	permuted bool
}

// recordedOptions say how the recorded program loaded its configuration.
type recordedOptions struct {
	API           string
	Primary       json.RawMessage
	Folder        json.RawMessage
	SwaggerFile   json.RawMessage `json:"swagger_file"`
	WithEnv       bool            `json:"with_env"`
	Cwd           string
	Repeat        int
	Global        string
	Environment   string
	MergeTo       string `json:"merge_to"`
	Object        string
	Before, After []string
	AfterOptional bool `json:"after_optional"`
	EnvNull       bool `json:"env_null"`
	AddPrimary    bool `json:"add_ocelot_primary"`

	EnvVars     orderedMap         `json:"env_vars"`
	EnvPrefix   string             `json:"env_prefix"`
	EnvAgain    bool               `json:"env_again"`
	CommandLine []string           `json:"command_line"`
	InMemory    map[string]*string `json:"in_memory"`

	OptionalFiles []string `json:"optional_files"`
	ReloadFiles   []string `json:"reload_files"`
	Host          string
	OthersFirst   bool   `json:"others_first"`
	BasePath      string `json:"base_path"`
	NoArg         bool   `json:"noarg"`
	Section       *string
	Separate      bool
	Chained       bool
	Change        []map[string]*string
}

type recordedAnswer struct {
	LoadError   *recordedError  `json:"load_error"`
	Enumerated  []string        `json:"enumerated"`
	Merged      json.RawMessage `json:"merged"`
	MergedText  *string         `json:"merged_text"`
	WrittenTo   *string         `json:"written_to"`
	Flat        json.RawMessage `json:"flat"`
	RawEffect   json.RawMessage `json:"effective"`
	BaseURL     *string         `json:"base_url"`
	Swagger     *struct{ Endpoints, Paths, Routes any }
	AfterChange []struct {
		Bound json.RawMessage
	} `json:"after_change"`
}

type recordedError struct {
	Type, Message string
	Inner         *recordedError
}

func (e *recordedError) String() string {
	if e == nil {
		return "no failure"
	}
	return e.Type + ": " + e.Message + " → " + e.Inner.String()
}

func failureText(f *load.Failure) string {
	if f == nil {
		return "no failure"
	}
	return f.Type + ": " + f.Message + " → " + failureText(f.Inner)
}

func TestOracleLoadWays(t *testing.T) {
	tally := oracletest.NewTally("load-ways")
	oracletest.Each(t, "load-ways.jsonl.gz", func(rec recording) {
		if difference := replay(&rec); difference != "" {
			tally.Differ(rec.Group, rec.ID, "%s", difference)
			return
		}
		tally.Agree(rec.Group)
	})
	tally.Report(t)
}

func TestOracleLoad(t *testing.T) {
	tally := oracletest.NewTally("load")
	oracletest.Each(t, "load.jsonl.gz", func(rec recording) {
		if difference := replay(&rec); difference != "" {
			tally.Differ(rec.Group, rec.ID, "%s", difference)
			return
		}
		tally.Agree(rec.Group)
	})
	tally.Report(t)
}

// replay loads what a record holds and says where the answer differs.
func replay(rec *recording) string {
	result, err := run(rec)
	if err != nil {
		return err.Error()
	}
	if got, want := failureText(result.Failure), rec.Expect.LoadError.String(); got != want {
		return fmt.Sprintf("failure:\n got %q\nwant %q", got, want)
	}
	for _, check := range []func(*recording, *load.Result) string{checkMerge, checkWritten, checkFlat, checkEffective, checkBaseURL, checkSwagger, checkChanges} {
		if difference := check(rec, result); difference != "" {
			return difference
		}
	}
	return ""
}

func run(rec *recording) (*load.Result, error) {
	files := fstest.MapFS{}
	for name, text := range rec.Files {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, raw := range rec.FileBase64 {
		files[name] = &fstest.MapFile{Data: raw}
	}
	var result *load.Result
	var err error
	for range max(rec.Opts.Repeat, 1) {
		if result, err = start(rec, files); err != nil {
			return nil, err
		}
		for _, m := range result.Merges {
			if m.WrittenTo != "" {
				files[m.WrittenTo] = &fstest.MapFile{Data: m.Text()}
			}
		}
	}
	return result, nil
}

// start loads once, in the order in which the recorded file system enumerated
// the files.
func start(rec *recording, files fstest.MapFS) (*load.Result, error) {
	folder := load.Folder{FS: files, Name: "<dir>"}
	if base := rec.Opts.BasePath; base != "" {
		sub, err := fs.Sub(files, base)
		if err != nil {
			return nil, err
		}
		folder = load.Folder{FS: sub, Name: "<dir>/" + base}
	}
	order := func(names []string) []string {
		slices.SortStableFunc(names, func(a, b string) int {
			return slices.Index(rec.Expect.Enumerated, a) - slices.Index(rec.Expect.Enumerated, b)
		})
		return names
	}
	return load.Run(folder, providers(rec), load.Options{Section: section(rec), Host: host(rec), Order: order})
}

func section(rec *recording) string {
	if rec.Opts.Section == nil {
		return ""
	}
	return *rec.Opts.Section
}

// providers are the calls of the recorded program.
func providers(rec *recording) []load.Provider {
	var out []load.Provider
	for _, name := range rec.Opts.Before {
		out = append(out, load.File{Name: name})
	}
	switch rec.Mode {
	case "folder":
		out = append(out, folderProvider(rec))
	case "swagger":
		out = append(out, swaggerProvider(rec))
	case "layers":
		return layers(rec)
	case "file":
		name := "ocelot.json"
		if primary := argument(rec.Opts.Primary).Text; rec.Opts.AddPrimary && primary != "" {
			name = primary
		}
		out = append(out, load.File{Name: name})
	}
	for _, name := range rec.Opts.After {
		out = append(out, load.File{Name: name, Optional: rec.Opts.AfterOptional})
	}
	return append(out, outside(rec)...)
}

// layers are the calls of a program that adds files one by one.
func layers(rec *recording) []load.Provider {
	var out []load.Provider
	if rec.Opts.Host == "default" && (!rec.Opts.Separate || rec.Opts.Chained) {
		out = defaults(rec)
	}
	others := outside(rec)
	if rec.Opts.Host == "default" {
		others = nil
	}
	if rec.Opts.OthersFirst {
		out = append(out, others...)
	}
	for _, name := range rec.Layers {
		out = append(out, load.File{
			Name:     name,
			Optional: slices.Contains(rec.Opts.OptionalFiles, name),
			Reload:   slices.Contains(rec.Opts.ReloadFiles, name),
		})
	}
	if rec.Opts.EnvAgain {
		out = append(out, load.Variables{List: variables(rec)})
	}
	if !rec.Opts.OthersFirst {
		out = append(out, others...)
	}
	return out
}

func defaults(rec *recording) []load.Provider {
	return load.HostDefaults(*rec.Env, variables(rec), rec.Opts.CommandLine)
}

// host is the host's own configuration where it is another one.
func host(rec *recording) []load.Provider {
	switch {
	case !rec.Opts.Separate || rec.Opts.Chained:
		return nil
	case rec.Opts.Host == "default":
		return defaults(rec)
	}
	return []load.Provider{}
}

func swaggerProvider(rec *recording) load.Provider {
	s := load.Swagger{
		WorkDir:   rec.Opts.Cwd,
		Folder:    argument(rec.Opts.Folder),
		Primary:   argument(rec.Opts.Primary),
		EndPoints: argument(rec.Opts.SwaggerFile),
	}
	if rec.Env != nil && rec.Opts.WithEnv {
		s.Environment = *rec.Env
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

func folderProvider(rec *recording) load.Provider {
	primary := argument(rec.Opts.Primary).Text
	object := source.NewFile("object.json", []byte(rec.Opts.Object))
	switch rec.Opts.API {
	case "object", "jobject":
		return load.Object{JSON: object, Untyped: rec.Opts.API == "jobject", Primary: primary}
	}
	m := load.Merge{InMemory: rec.Opts.MergeTo == "memory", Global: rec.Opts.Global, EnvironmentFile: rec.Opts.Environment, Primary: primary}
	if rec.Opts.API == "object_merge" {
		m.Object = object
	}
	if rec.Env != nil {
		m.Environment = *rec.Env
	}
	return m
}

// outside are the providers that read no files.
func outside(rec *recording) []load.Provider {
	var out []load.Provider
	if rec.Opts.EnvVars != nil {
		out = append(out, load.Variables{Prefix: rec.Opts.EnvPrefix, List: variables(rec)})
	}
	if rec.Opts.CommandLine != nil {
		out = append(out, load.CommandLine{Arguments: rec.Opts.CommandLine})
	}
	if rec.Opts.InMemory != nil {
		out = append(out, memory(rec))
	}
	return out
}

func variables(rec *recording) []string {
	var out []string
	for _, pair := range rec.Opts.EnvVars {
		out = append(out, pair[0]+"="+pair[1])
	}
	return out
}

// orderedMap is a JSON object of texts in the order in which it is written.
type orderedMap [][2]string

// UnmarshalJSON reads the members in order.
func (m *orderedMap) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	*m = orderedMap{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value string
		if err := d.Decode(&value); err != nil {
			return err
		}
		*m = append(*m, [2]string{name.(string), value})
	}
	return nil
}

func memory(rec *recording) load.Memory {
	var m load.Memory
	for _, key := range slices.Sorted(maps.Keys(rec.Opts.InMemory)) {
		p := load.Pair{Key: key, Null: rec.Opts.InMemory[key] == nil}
		if !p.Null {
			p.Value = *rec.Opts.InMemory[key]
		}
		m.Pairs = append(m.Pairs, p)
	}
	return m
}
