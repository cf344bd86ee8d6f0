package admin

import (
	"bytes"
	"embed"
	"net/http"
	"time"
)

//go:embed page.html page.css page.js
var assets embed.FS

// asset serves one of the page's files.
func asset(name string) http.HandlerFunc {
	text, err := assets.ReadFile(name)
	if err != nil {
		panic("admin: " + err.Error()) // it is compiled in
	}
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	}
}
