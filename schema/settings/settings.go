// Package settings reads .margay.json: what is true of a gateway and its
// application, so that nobody has to say it on every command line.
//
// It takes the file and returns settings, or findings on the characters that
// are wrong. What a setting means is decided by the stages that use it.
package settings

import (
	"encoding/json"
	"path/filepath"

	"github.com/tidwall/jsonc"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Name is the name of the file.
const Name = ".margay.json"

// Rule is the rule of the findings about the file.
const Rule = "settings"

// Settings is what the file says. The zero value says nothing. Values are
// valid: a file with a wrong one gives findings instead.
type Settings struct {
	// Ocelot is the number of a release, as profile.Find takes it; "": the
	// documentation.
	Ocelot string `json:"ocelot"`
	// Provider is a name that profile.ParseProvider knows, or "".
	Provider string `json:"provider"`
	Env      string `json:"env"`
	Load     string `json:"load"`
	Section  string `json:"section"`
	// Schemes are the registered authentication schemes; nil if the file does
	// not say.
	Schemes []string `json:"schemes"`
	// Discovery says whether a discovery provider is registered; nil if the
	// file does not say.
	Discovery *bool `json:"discovery"`
	// Detect says whether the .NET project is looked at; nil if the file does
	// not say.
	Detect *bool `json:"detect"`
	// Runtime is "ocelot", "margay" or "".
	Runtime string `json:"runtime"`
	// FailOn and Severity are names that diag.ParseSeverity knows, or "".
	FailOn   string `json:"failOn"`
	Severity string `json:"severity"`
	// Baseline is a file's path from the folder of the settings, or "".
	Baseline string `json:"baseline"`
	// MaxFileSize is in bytes; 0 if the file does not say.
	MaxFileSize int64    `json:"maxFileSize"`
	AllowNames  []string `json:"allowNames"`
	// Rules are severities, or "off", by the names of rules. Whether there is
	// such a rule is for the caller to check.
	Rules map[string]string `json:"rules"`
	// Overrides win over Rules for findings in some files; later ones over
	// earlier ones.
	Overrides []Override `json:"overrides"`
	// Auth says who signs the tokens of authentication schemes, for margay serve.
	// What stands in it is checked where schemes are made of it; nil if the file
	// does not say.
	Auth json.RawMessage `json:"auth"`
	// Services are the addresses of services, as URLs, by [NAMESPACE.]NAME; the
	// name "*" stands for all others. With dns+ or srv+ in front, name servers are
	// asked.
	Services map[string][]string `json:"services"`
	// PassiveHealth says when margay serve passes a host over; nil if the file
	// does not say.
	PassiveHealth *PassiveHealth `json:"passiveHealth"`

	document document
}

// PassiveHealth says when a host is failing, in the terms of QoSOptions. A zero
// means that the file does not say.
type PassiveHealth struct {
	// MinimumThroughput is the number of failures in a row, or, beside
	// FailureRatio, of calls of which that part has failed.
	MinimumThroughput int     `json:"minimumThroughput"`
	FailureRatio      float64 `json:"failureRatio"`
	// SamplingDuration and BreakDuration are in milliseconds.
	SamplingDuration int64 `json:"samplingDuration"`
	BreakDuration    int64 `json:"breakDuration"`
}

// Read reads a settings file. Where it returns findings, the settings are
// those of an empty file.
func Read(file *source.File) (*Settings, []diag.Diagnostic) {
	doc := parse(file)
	if found := doc.defects(); len(found) > 0 {
		return &Settings{}, found
	}
	plain := jsonc.ToJSON(file.Text)
	if found := doc.check(plain); len(found) > 0 {
		return &Settings{}, found
	}
	s := &Settings{document: doc}
	if err := json.Unmarshal(plain, s); err != nil {
		return &Settings{}, []diag.Diagnostic{doc.finding(doc.root, "the file cannot be read: "+err.Error())}
	}
	if found := append(s.checkVersion(), s.checkPatterns()...); len(found) > 0 {
		return &Settings{}, found
	}
	for i := range s.Overrides {
		s.Overrides[i].folder = filepath.Dir(file.Name)
	}
	return s, nil
}

// RuleSpan returns the place of a rule's name in "rules"; the zero Span if it is
// not there.
func (s *Settings) RuleSpan(name string) source.Span {
	return s.document.ruleSpan(s.document.root, name)
}

// File returns the name of the file as it is shown; "" if there is none.
func (s *Settings) File() string {
	if s.document.root == 0 {
		return ""
	}
	return s.document.tree.Files[s.document.read.File].Name
}

// Span returns the place of a setting's value; the zero Span if the file does
// not say it.
func (s *Settings) Span(name string) source.Span {
	if at := s.document.member(s.document.root, name); at != 0 {
		return s.document.tree.Span(at)
	}
	return source.Span{}
}

// document is the file with the places of everything in it.
type document struct {
	tree syntax.Tree
	root syntax.ID
	read syntax.Document
}

func parse(file *source.File) document {
	var d document
	d.read = syntax.Parse(&d.tree, file)
	d.root = d.read.Root
	return d
}

// member returns the last member of that exact name, which is the one that
// encoding/json keeps; 0 if there is none.
func (d *document) member(object syntax.ID, name string) syntax.ID {
	var found syntax.ID
	if object == 0 {
		return 0
	}
	for id := range d.tree.Children(object) {
		if d.tree.Key(id) == name {
			found = id
		}
	}
	return found
}

// defects are the places where the text is not JSON. That the root has to be an
// object is said by the schema.
func (d *document) defects() []diag.Diagnostic {
	var found []diag.Diagnostic
	for i := range d.read.Defects {
		defect := &d.read.Defects[i]
		if defect.Phase == syntax.TopLevel && d.tree.Node(d.root).Kind != syntax.Bad {
			continue
		}
		message, help := defect.Message, defect.Help
		if defect.NoValue {
			message, help = d.read.Nothing("settings are an object in braces"), "write {} where nothing is to be set, or delete the file"
		}
		found = append(found, diag.Diagnostic{
			Rule: Rule, Severity: diag.Error, Message: message, Help: help, Related: defect.Related,
			Span: source.Span{File: d.tree.Files[d.read.File], Start: defect.Start, End: defect.End},
		})
	}
	return found
}

// ruleSpan returns the place of a rule's name in the "rules" of an object.
func (d *document) ruleSpan(object syntax.ID, name string) source.Span {
	if member := d.member(d.member(object, "rules"), name); member != 0 {
		return d.tree.KeySpan(member)
	}
	return source.Span{}
}

func (d *document) finding(at syntax.ID, message string) diag.Diagnostic {
	return diag.Diagnostic{Rule: Rule, Severity: diag.Error, Message: message, Span: d.tree.Span(at)}
}
