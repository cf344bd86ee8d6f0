package bind

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/convert"
	"github.com/margay-dev/margay/schema/syntax"
)

const invalidOperation = "System.InvalidOperationException"

// notConverted is the binder's error for a scalar; the path names it.
func (b *binder) notConverted(id syntax.ID, value, typ string, inner *convert.Exception) *config.BindError {
	path := b.where()
	return &config.BindError{
		Path: path, Value: value, Type: typ, Exception: invalidOperation, Inner: inner, At: b.valueSection(id),
		Message: "Failed to convert configuration value '" + value + "' at '" + path + "' to type '" + typ + "'.",
	}
}

// valueSection is the place of a scalar, which may stand beside children.
func (b *binder) valueSection(id syntax.ID) config.Section {
	if value := b.tree.ValueOf(id); value != 0 {
		id = value
	}
	return b.section(id)
}

// notString is the error for an object or array where a text belongs: the
// binder tries to create the object and does not know which constructor to use.
func (b *binder) notString(id syntax.ID) *config.BindError {
	return &config.BindError{
		Path: b.where(), Type: "System.String", Exception: invalidOperation, At: b.section(id),
		Message: "Cannot create instance of type 'System.String' because it has multiple public parameterized constructors.",
	}
}

// noParameter is the error for an object that lacks what its only constructor
// takes.
func (b *binder) noParameter(id syntax.ID, typ, parameter string) *config.BindError {
	return &config.BindError{
		Path: b.where(), Type: typ, Exception: invalidOperation, At: b.section(id),
		Message: "Cannot create instance of type '" + typ + "' because parameter '" + parameter +
			"' has no matching config. Each parameter in the constructor that does not have a default value must have a corresponding config entry.",
	}
}

// notCopied is the error for null among characters: the binder collects
// objects and copies them into an array of values.
func (b *binder) notCopied(id syntax.ID) *config.BindError {
	return &config.BindError{
		Path: b.where(), Exception: "System.InvalidCastException", At: b.section(id),
		Message: "At least one element in the source array could not be cast down to the destination array type.",
	}
}

// drop records that the element at the current path is lost.
func (b *binder) drop(id syntax.ID, reason *config.BindError) {
	if b.own {
		b.rejected = append(b.rejected, *reason)
		return
	}
	b.dropped = append(b.dropped, config.Dropped{Path: b.where(), Element: b.section(id), Reason: *reason})
}
