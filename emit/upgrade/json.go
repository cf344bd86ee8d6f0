package upgrade

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
)

// JSON writes reports for programs: an object, or an array of them for several
// gateways.
func JSON(w io.Writer, reports []*Report) error {
	var v any = reports
	if len(reports) == 1 {
		v = reports[0]
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

//go:embed upgrade.schema.json
var schemaJSON string

// Schema returns the JSON Schema (draft-07) of what JSON writes.
func Schema() []byte { return []byte(schemaJSON) }
