package plan

import _ "embed"

//go:embed plan.schema.json
var schemaJSON string

// Schema returns the JSON Schema (draft-07) of the plans that this version
// writes: every member with its meaning, its unit and what its absence means.
// It describes the form; Check judges how members fit each other.
func Schema() []byte { return []byte(schemaJSON) }
