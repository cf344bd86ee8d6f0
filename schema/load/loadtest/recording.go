// Package loadtest replays recorded programs through package load. Only tests
// use it: those of load, and those of the stages after it, which compare what
// they make of the same configurations.
package loadtest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/margay-dev/margay/testdata/oracletest"
)

// Recording is one record of load.jsonl, load-ways.jsonl or load-corpus.jsonl:
// files, how a program loaded them, and what it then had.
type Recording struct {
	ID, Group, Way, Mode string
	// Env is the environment; nil for a host without one.
	Env   *string
	Files map[string]string
	// FileBase64 are files that are not valid UTF-8.
	FileBase64 map[string][]byte `json:"file_base64"`
	// File, or FolderFiles by the name they get, are files of the corpus.
	File        string
	FolderFiles map[string]string `json:"folder_files"`
	// Layers are the files that were added one by one.
	Layers  []string
	Profile Profile
	Opts    Options
	// Expect is what was recorded; see Answer.
	Expect json.RawMessage
}

// Profile says what the recorded program had registered.
type Profile struct {
	// QoS is "builtin", "polly" or "none".
	QoS       string
	Discovery bool
	// Schemes are the names of the authentication schemes, or a text.
	Schemes json.RawMessage
}

// Answer decodes what was recorded into a value with the fields of interest.
func (r *Recording) Answer(into any) error { return json.Unmarshal(r.Expect, into) }

// Options say how the recorded program loaded its configuration; names are
// those of the recordings.
type Options struct {
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

	EnvVars     Variables          `json:"env_vars"`
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

// Variables are environment variables in the order of the recording.
type Variables [][2]string

// UnmarshalJSON reads an object with its members in order.
func (v *Variables) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	*v = Variables{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value string
		if err := d.Decode(&value); err != nil {
			return err
		}
		*v = append(*v, [2]string{name.(string), value})
	}
	return nil
}

// List returns the variables as os.Environ does.
func (v Variables) List() []string {
	var out []string
	for _, pair := range v {
		out = append(out, pair[0]+"="+pair[1])
	}
	return out
}

// Section returns the section that the program binds, "" for the root.
func (r *Recording) Section() string {
	if r.Opts.Section == nil {
		return ""
	}
	return *r.Opts.Section
}

// Each calls f with every recording of a file of the oracle.
func Each(t *testing.T, name string, f func(r *Recording)) {
	t.Helper()
	oracletest.Each(t, name, func(r Recording) { f(&r) })
}

// EachOfCorpus calls f with every recording made from real files, with the
// files read in. It skips the test where there are none.
func EachOfCorpus(t *testing.T, f func(r *Recording)) {
	t.Helper()
	dir := oracletest.CorpusDir(t)
	Each(t, oracletest.CorpusRecordings(t, "load-corpus.jsonl.gz"), func(r *Recording) {
		r.readFiles(t, dir)
		f(r)
	})
}

func (r *Recording) readFiles(t *testing.T, dir string) {
	t.Helper()
	names := r.FolderFiles
	if r.Mode == "file" {
		names = map[string]string{"ocelot.json": r.File}
	}
	r.Files = map[string]string{}
	for to, from := range names {
		raw, err := os.ReadFile(filepath.Join(dir, from))
		if err != nil {
			t.Fatal(err)
		}
		r.Files[to] = string(raw)
	}
}
