package report

import (
	"net/url"
	"path"
	"strings"
)

// root is the name of the folder that relative URIs start from. GitHub and
// Azure take it for the root of the repository.
const root = "%SRCROOT%"

// uriOf returns a file's name as a URI reference, percent-encoded, and whether
// it is relative. No file is the folder itself.
func uriOf(name string) (uri string, relative bool) {
	name = cleaned(name)
	switch {
	case strings.HasPrefix(name, "/"):
		return (&url.URL{Scheme: "file", Path: name}).String(), false
	case driveOf(name) != "":
		return (&url.URL{Scheme: "file", Path: "/" + name}).String(), false
	}
	u := url.URL{Path: name}
	return u.String(), true
}

// cleaned returns a file's name with slashes and without detours: "a/b.json"
// for "./a/b.json", "." for "".
func cleaned(name string) string { return path.Clean(slashed(name)) }

// driveOf returns the drive of Windows that a name begins with, "C:", or "".
func driveOf(name string) string {
	if len(name) > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\') && 'a' <= name[0]|' ' && name[0]|' ' <= 'z' {
		return name[:2]
	}
	return ""
}
