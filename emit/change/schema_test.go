package change_test

import (
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/emit/change"
)

func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.CompileString("diff.schema.json", string(change.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func checkSchema(t testing.TB, s *jsonschema.Schema, text string) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Fatalf("the report does not fit its schema: %v\n%s", err, text)
	}
}
