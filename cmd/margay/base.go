package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/margay-dev/margay/schema/diag/report"
)

// repositoryRoot returns the root of the repository that a CI says it has
// checked out; "" where none says so.
func repositoryRoot() string {
	for _, ci := range [...]struct{ mark, root string }{
		{"GITHUB_ACTIONS", "GITHUB_WORKSPACE"},
		{"GITLAB_CI", "CI_PROJECT_DIR"},
		{"TF_BUILD", "BUILD_SOURCESDIRECTORY"},
	} {
		if strings.EqualFold(os.Getenv(ci.mark), "true") {
			return os.Getenv(ci.root)
		}
	}
	return ""
}

// base is where the paths of reports start: CIs take them from the root of the
// repository, wherever in it the command runs.
func base() report.Base {
	root := repositoryRoot()
	dir, err := os.Getwd()
	if root == "" || err != nil {
		return report.Base{}
	}
	return report.Base{Root: plainFolder(root), Dir: plainFolder(dir)}
}

// plainFolder returns a folder without links, as far as that can be found out.
func plainFolder(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}
