package change

import (
	"encoding/json"
)

// mask returns a text without the secrets of either side.
func (c *comparison) mask(text string) string { return c.new.mask(c.old.mask(text)) }

// hide takes secrets out of a change, and makes control characters visible.
func (c *comparison) hide(change *Change) {
	change.Text, change.Detail = c.mask(change.Text), c.mask(change.Detail)
	if !c.old.hasSecrets() && !c.new.hasSecrets() {
		return
	}
	for i := range change.Fields {
		f := &change.Fields[i]
		f.Old, f.New = c.hideValue(f.Old), c.hideValue(f.New)
	}
}

func (s *Side) hasSecrets() bool { return s.result != nil && len(s.result.Secrets) > 0 }

// hideValue returns a value as JSON has it, with the secrets in its texts hidden.
func (c *comparison) hideValue(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		return nil
	}
	return c.hideIn(plain)
}

func (c *comparison) hideIn(v any) any {
	switch x := v.(type) {
	case string:
		return c.mask(x)
	case []any:
		for i := range x {
			x[i] = c.hideIn(x[i])
		}
	case map[string]any:
		for key := range x {
			x[key] = c.hideIn(x[key])
		}
	}
	return v
}
