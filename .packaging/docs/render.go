package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

//go:embed page.html
var layout string

const repository = "https://github.com/margay-dev/margay/blob/main/"

// render returns a page as HTML.
func (s *site) render(p page) ([]byte, error) {
	body, err := s.body(p)
	if err != nil {
		return nil, err
	}
	t, err := template.New("page").Parse(layout)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, map[string]any{
		"Title": p.title, "Facts": p.facts, "Body": body, "Text": p.text,
		"Home": relative(p.path, "index.html"), "Commands": relative(p.path, "commands/index.html"), "Changes": relative(p.path, "changelog.html"),
		"Upgrades": relative(p.path, "upgrades/index.html"), "Differences": relative(p.path, "differences.html"),
		"Others": s.others(p),
	})
	return out.Bytes(), err
}

// body turns Markdown into HTML. The heading that repeats the title goes, and
// links to files of the project lead to their pages, or to the repository.
func (s *site) body(p page) (template.HTML, error) {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	source := []byte(p.markdown)
	root := md.Parser().Parse(text.NewReader(source))
	if first, ok := root.FirstChild().(*ast.Heading); ok && first.Level == 1 {
		root.RemoveChild(root, first)
	}
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			link.Destination = []byte(s.destination(p, string(link.Destination)))
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := md.Renderer().Render(&out, source, root); err != nil {
		return "", fmt.Errorf("render: %w", err)
	}
	return template.HTML(out.String()), nil
}

// destination is where a link of a page leads on the site.
func (s *site) destination(p page, link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "#") || p.source == "" {
		return link
	}
	file, fragment, _ := strings.Cut(link, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	file = path.Join(path.Dir(p.source), file)
	if to, ok := s.bySource[file]; ok {
		return relative(p.path, to) + fragment
	}
	return repository + file + fragment
}

// others lists the pages beside a page, so that a reader finds the next one.
func (s *site) others(p page) []map[string]string {
	var links []map[string]string
	folder := path.Dir(p.path)
	for _, o := range s.pages {
		if folder != "." && path.Dir(o.path) == folder && o.path != p.path {
			links = append(links, map[string]string{"To": relative(p.path, o.path), "Title": o.title})
		}
	}
	return links
}

// relative returns the link from one page to another.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}
