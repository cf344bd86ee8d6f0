package admin

import (
	"bytes"
	"embed"
	"net/http"
	"path"
	"time"
)

//go:embed page
var files embed.FS

// assets serves the page's files: page.html at the root, the others by name.
func assets(mux *http.ServeMux) {
	entries, err := files.ReadDir("page")
	if err != nil {
		panic("admin: " + err.Error()) // it is compiled in
	}
	for _, entry := range entries {
		pattern := "GET /" + entry.Name()
		if entry.Name() == "page.html" {
			pattern = "GET /{$}"
		}
		mux.HandleFunc(pattern, asset(entry.Name()))
	}
}

// asset serves one of the page's files.
func asset(name string) http.HandlerFunc {
	text, err := files.ReadFile(path.Join("page", name))
	if err != nil {
		panic("admin: " + err.Error()) // it is compiled in
	}
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	}
}
