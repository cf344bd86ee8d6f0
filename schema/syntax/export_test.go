package syntax

import "github.com/margay-dev/margay/schema/source"

// ParseWith is Parse with or without a second parser, however small the file.
var ParseWith = parse

// Joined says whether a second parser reads a part of a file.
func Joined(file *source.File) bool {
	var tree Tree
	p := newParser(&tree, file, true)
	p.document()
	p.leave()
	return p.ahead != nil && p.ahead.used
}
