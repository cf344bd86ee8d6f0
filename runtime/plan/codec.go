package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// MaxBytes is the size of the largest plan that Decode reads: 256 MiB.
const MaxBytes = 256 << 20

// Encode writes p as indented JSON with a final line feed. Equal plans give
// equal bytes. A plan that Decode would refuse is not written: the error is
// then an *InvalidError.
func (p *Plan) Encode(w io.Writer) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("encode plan: %w", err)
	}
	out := *p
	if out.Routes == nil {
		out.Routes = []Route{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&out); err != nil {
		return fmt.Errorf("encode plan: %w", err)
	}
	return nil
}

// Decode reads a plan. It refuses, with an *InvalidError that lists all the
// reasons, what is not JSON, a version with another major number, members that
// the version does not have, values of another type and whatever Check refuses.
// Members that it does not know are passed over in a plan with a newer minor
// number. Input above MaxBytes is refused unread.
func Decode(r io.Reader) (*Plan, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	if len(data) > MaxBytes {
		return nil, invalid("", "the plan is larger than %d bytes", MaxBytes)
	}
	minor, err := peekMinor(data)
	if err != nil {
		return nil, err
	}
	_, known, _ := parseVersion(Version)
	rd := newReader(data)
	rd.lenient = minor > known
	p := &Plan{}
	rd.value(reflect.ValueOf(p).Elem(), nil)
	c := &checker{}
	p.check(c)
	if problems := mergeProblems(rd.problems, c.problems); len(problems) > 0 {
		return nil, &InvalidError{Problems: problems}
	}
	return p, nil
}

// peekMinor returns the minor number of the version that data states, which it
// needs before it can judge the rest.
func peekMinor(data []byte) (int, error) {
	var head struct {
		Version *string `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return 0, unmarshalProblem(data, err)
	}
	if head.Version == nil {
		return 0, invalid("version", "missing, expected %q", Version)
	}
	major, minor, ok := parseVersion(*head.Version)
	if !ok {
		return 0, invalid("version", "got %q, expected two numbers such as %q", *head.Version, Version)
	}
	if known, _, _ := parseVersion(Version); major != known {
		return 0, invalid("version", "got %q, but this program reads versions %d.x only", *head.Version, known)
	}
	return minor, nil
}

func unmarshalProblem(data []byte, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at := data[:min(max(syntax.Offset-1, 0), int64(len(data)))]
		line := bytes.Count(at, []byte("\n")) + 1
		column := len(at) - (bytes.LastIndexByte(at, '\n') + 1) + 1
		return invalid("", "not JSON at line %d, column %d: %v", line, column, err)
	}
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return invalid(mismatch.Field, "got a JSON %s, expected %s", mismatch.Value, kindName(mismatch.Type))
	}
	return invalid("", "%v", err)
}

func parseVersion(text string) (major, minor int, ok bool) {
	a, b, found := strings.Cut(text, ".")
	x, errA := strconv.ParseUint(a, 10, 16)
	y, errB := strconv.ParseUint(b, 10, 16)
	return int(x), int(y), found && errA == nil && errB == nil
}

func invalid(path, format string, args ...any) error {
	return &InvalidError{Problems: []Problem{{Path: path, Reason: fmt.Sprintf(format, args...)}}}
}

// mergeProblems joins what is wrong with the form and with the content. A
// member that could not be read is not also reported for its empty content.
func mergeProblems(form, content []Problem) []Problem {
	all := form
	for _, p := range content {
		if !covered(form, p.Path) {
			all = append(all, p)
		}
	}
	return all
}

func covered(form []Problem, path string) bool {
	for _, p := range form {
		if rest, ok := strings.CutPrefix(path, p.Path); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}
