package report

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"io"

	"github.com/margay-dev/margay/schema/diag"
)

// JSONVersion is the version of the JSON format. What it holds never changes
// meaning within a version; members may be added.
const JSONVersion = 1

//go:embed findings.schema.json
var findingsSchema string

// JSONSchema returns the JSON Schema (draft-07) of the JSON format.
func JSONSchema() []byte { return []byte(findingsSchema) }

// JSON returns the printer for other programs: one object, one finding a line.
//
//	{"version":1,"findings":[
//	{"rule":"…","severity":"warning","message":"…","span":{…},…},
//	…
//	],"summary":{"errors":0,"warnings":1,"infos":0,"fixable":0}}
func JSON(opts Options) Printer { return jsonPrinter{opts} }

type jsonPrinter struct{ Options }

// The types of the format. They are apart from those of package diag, so that
// those can change without breaking a program that reads the output.
type (
	jsonFinding struct {
		Rule     string        `json:"rule"`
		Severity string        `json:"severity"`
		Message  string        `json:"message"`
		Span     *Span         `json:"span"`
		Effect   string        `json:"effect,omitempty"`
		Ocelot   string        `json:"ocelot,omitempty"`
		Help     string        `json:"help,omitempty"`
		Subject  *jsonSubject  `json:"subject,omitempty"`
		Cause    string        `json:"cause,omitempty"`
		Related  []jsonRelated `json:"related,omitempty"`
		Fix      *jsonFix      `json:"fix,omitempty"`
		// Fingerprint is the same from run to run, see Fingerprints.
		Fingerprint string `json:"fingerprint"`
	}
	jsonSubject struct {
		Route  string `json:"route,omitempty"`
		Option string `json:"option,omitempty"`
	}
	jsonRelated struct {
		Message string `json:"message"`
		Span    *Span  `json:"span"`
	}
	jsonFix struct {
		Title  string     `json:"title"`
		Unsafe bool       `json:"unsafe"`
		Edits  []jsonEdit `json:"edits"`
	}
	jsonEdit struct {
		Span    *Span  `json:"span"`
		NewText string `json:"newText"`
	}
	jsonSummary struct {
		Files    int `json:"files,omitempty"`
		Routes   int `json:"routes,omitempty"`
		Errors   int `json:"errors"`
		Warnings int `json:"warnings"`
		Infos    int `json:"infos"`
		Fixable  int `json:"fixable"`

		Left []jsonLeft `json:"left,omitempty"`
	}
	jsonLeft struct {
		Reason   string `json:"reason"`
		Source   string `json:"source"`
		Findings int    `json:"findings"`
		Stops    int    `json:"stops"`
		Gone     int    `json:"gone"`
	}
)

// Print implements Printer.
func (p jsonPrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	out := bufio.NewWriter(w)
	mask := p.masker()
	head, err := encode(JSONVersion)
	if err != nil {
		return err
	}
	out.WriteString(`{"version":` + string(head) + `,"findings":[`)
	for i, d := range p.printed(ds) {
		line, err := encode(jsonOf(&d, mask))
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		out.Write(line)
	}
	s := p.summarize(ds)
	summary := jsonSummary{Files: p.Files, Routes: p.Routes, Errors: s.errors, Warnings: s.warnings, Infos: s.infos, Fixable: s.fixable}
	for _, l := range p.Left {
		summary.Left = append(summary.Left, jsonLeft(l))
	}
	tail, err := encode(summary)
	if err != nil {
		return err
	}
	out.WriteString("\n],\"summary\":" + string(tail) + "}\n")
	return out.Flush()
}

// encode returns JSON on one line, with <, > and & as they are, in which no
// runner finds a command.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return harmlessJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

func jsonOf(d *printed, m masker) jsonFinding {
	f := jsonFinding{
		Rule: d.Rule, Severity: d.Severity.String(), Message: m.text(d.Message), Span: SpanOf(d.Span),
		Effect: m.text(d.Effect), Ocelot: m.text(d.Ocelot), Help: m.text(d.Help), Cause: m.text(d.Cause), Fix: fixOf(d.Fix, m),
		Fingerprint: d.fingerprint,
	}
	if d.Subject != (diag.Subject{}) {
		f.Subject = &jsonSubject{Route: m.text(d.Subject.Route), Option: m.text(d.Subject.Option)}
	}
	for _, r := range d.Related {
		f.Related = append(f.Related, jsonRelated{Message: m.text(r.Message), Span: SpanOf(r.Span)})
	}
	return f
}

// fixOf returns the machine form of a fix. One that would write a secret is
// left out: it can neither be shown nor be right with *** in it.
func fixOf(fix *diag.Fix, m masker) *jsonFix {
	if fix == nil {
		return nil
	}
	out := &jsonFix{Title: m.text(fix.Title), Unsafe: fix.Unsafe}
	for _, e := range fix.Edits {
		if m.secret(e.NewText) {
			return nil
		}
		out.Edits = append(out.Edits, jsonEdit{Span: SpanOf(e.Span), NewText: e.NewText})
	}
	return out
}
