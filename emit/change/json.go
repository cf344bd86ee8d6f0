package change

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
)

// JSON writes a report for programs.
func JSON(w io.Writer, r *Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("write the difference: %w", err)
	}
	return nil
}

//go:embed diff.schema.json
var schemaJSON string

// Schema returns the JSON Schema (draft-07) of what JSON writes.
func Schema() []byte { return []byte(schemaJSON) }
