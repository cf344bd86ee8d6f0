package emit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// accessOf is the JSON of who may call what.
type accessOf struct {
	Routes []struct {
		Open           bool
		Authentication *struct{ Schemes, Scopes []string }
		Claims         []struct{ Type, Value string }
		Addresses      *struct{ Allowed, Blocked []string }
		ShadowedBy     *string
		Notes          []string
	}
}

func access(t *testing.T, text string) accessOf {
	t.Helper()
	return accessBy(t, text, emit.Options{})
}

func accessBy(t *testing.T, text string, opts emit.Options) (a accessOf) {
	t.Helper()
	var b bytes.Buffer
	if err := emit.AccessJSON(&b, []*emit.Result{compile(t, "ocelot.json", []byte(text), opts)}, emit.View{}); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestWhoMayCall holds sections of a route and of the global configuration
// against what is in force.
func TestWhoMayCall(t *testing.T) {
	for _, c := range []struct{ route, global, want, note string }{
		{``, ``, "open", ""},
		{`"AuthenticationOptions": { "AuthenticationProviderKeys": ["A", "B"], "AllowedScopes": ["s"] }`, ``, "A,B scopes s", "OPTIONS requests need no authentication"},
		{`"AuthenticationOptions": { "AuthenticationProviderKey": "Old", "AuthenticationProviderKeys": ["A"] }`, ``, "Old,A", ""},
		{`"AuthenticationOptions": { "AllowedScopes": ["s"] }`, `"AuthenticationOptions": { "AuthenticationProviderKeys": ["G"], "AllowedScopes": ["t"] }`, "G scopes s", ""},
		{``, `"AuthenticationOptions": { "AuthenticationProviderKeys": ["G"] }`, "G", ""},
		{``, `"AuthenticationOptions": { "RouteKeys": ["other"], "AuthenticationProviderKeys": ["G"] }`, "open", "for the routes that their RouteKeys name"},
		{``, `"AuthenticationOptions": { "RouteKeys": ["k"], "AuthenticationProviderKeys": ["G"] }`, "G", ""},
		{`"AuthenticationOptions": { "AllowAnonymous": true }`, `"AuthenticationOptions": { "AuthenticationProviderKeys": ["G"] }`, "open", "AllowAnonymous (line 2) lets everybody in"},
		{`"AuthenticationOptions": { "AuthenticationProviderKeys": ["A"] }`, `"AuthenticationOptions": { "AllowAnonymous": true }`, "open", "AllowAnonymous (line 3) lets everybody in"},
		{`"AuthenticationOptions": { "AllowAnonymous": false }`, `"AuthenticationOptions": { "AllowAnonymous": true, "AuthenticationProviderKeys": ["G"] }`, "G", ""},
		{`"RouteClaimsRequirement": { "role": "admin" }`, ``, "none claims role=admin", "every request is answered 403"},
		{`"RouteClaimsRequirement": { "http://role": "admin" }`, ``, "open", "1 claim of RouteClaimsRequirement is not enforced"},
		{`"SecurityOptions": { "IPAllowedList": ["10.0.0.1"] }`, `"SecurityOptions": { "IPBlockedList": ["10.0.0.2"] }`, "none allowed 10.0.0.1", ""},
		{`"SecurityOptions": { "IPAllowedList": [] }`, `"SecurityOptions": { "IPBlockedList": ["10.0.0.2"] }`, "none blocked 10.0.0.2", ""},
		{`"UpstreamHttpMethod": ["Get"], "DownstreamScheme": "wss", "AuthenticationOptions": { "AuthenticationProviderKeys": ["A"] }`, ``, "A", "upgrades to WebSocket skip"},
		{`"UpstreamHttpMethod": ["Get"], "AuthenticationOptions": { "AuthenticationProviderKeys": ["A"] }`, ``, "A", ""},
	} {
		scheme := `"DownstreamScheme": "http", `
		if strings.Contains(c.route, "DownstreamScheme") {
			scheme = ""
		}
		comma := ""
		if c.route != "" {
			comma = ", "
		}
		text := fmt.Sprintf("{ \"Routes\": [\n{ \"Key\": \"k\", \"UpstreamPathTemplate\": \"/a\", \"DownstreamPathTemplate\": \"/\", %s\"DownstreamHostAndPorts\": [{ \"Host\": \"h\", \"Port\": 80 }]%s%s } ],\n\"GlobalConfiguration\": { %s } }", scheme, comma, c.route, c.global)
		got := access(t, text).Routes[0]
		words := "none"
		switch {
		case got.Open:
			words = "open"
		case got.Authentication != nil:
			words = strings.Join(got.Authentication.Schemes, ",")
			if len(got.Authentication.Scopes) > 0 {
				words += " scopes " + strings.Join(got.Authentication.Scopes, ",")
			}
		}
		for _, claim := range got.Claims {
			words += " claims " + claim.Type + "=" + claim.Value
		}
		if a := got.Addresses; a != nil && len(a.Allowed) > 0 {
			words += " allowed " + strings.Join(a.Allowed, ",")
		} else if a != nil {
			words += " blocked " + strings.Join(a.Blocked, ",")
		}
		if words != c.want {
			t.Errorf("route {%s}, global {%s}: got %s want %s", c.route, c.global, words, c.want)
		}
		if !slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, c.note) }) && c.note != "" {
			t.Errorf("route {%s}, global {%s}: got notes %q want %q", c.route, c.global, got.Notes, c.note)
		}
		upgrade := slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, "WebSocket") })
		if strings.Contains(c.route, `["Get"]`) && upgrade != strings.Contains(c.route, "wss") {
			t.Errorf("route {%s}: the note about WebSocket is %v", c.route, upgrade)
		}
	}
}

// TestAccessOfRealFiles writes who may call every real gateway in every form, and
// holds the JSON against its schema.
func TestAccessOfRealFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files, %v", len(files), err)
	}
	schema := jsonschema.MustCompileString("access.schema.json", string(emit.AccessSchema()))
	for _, file := range files {
		all := []*emit.Result{compile(t, filepath.Base(file), corpusText(t, filepath.Base(file)), emit.Options{})}
		var text, table, md bytes.Buffer
		for _, err := range []error{
			emit.AccessJSON(&text, all, emit.View{}), emit.AccessTable(&table, all, emit.View{}), emit.AccessMarkdown(&md, all, emit.View{}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		var v any
		if err := json.Unmarshal(text.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
		for line := range strings.Lines(table.String()) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
				t.Errorf("%s: a line has %d columns: %s", filepath.Base(file), n, line)
			}
		}
	}
}
