package change_test

import (
	"bytes"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
)

func side(t testing.TB, name, text string) *change.Side {
	return sideBy(t, name, text, profile.Profile{})
}

func sideBy(t testing.TB, name, text string, by profile.Profile) *change.Side {
	t.Helper()
	r, err := emit.Compile(t.Context(), load.Input{Name: name, File: source.NewFile(name, []byte(text))}, emit.Options{Profile: by, Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	return change.OfResult(r)
}

func compare(t testing.TB, old, new string) *change.Report {
	t.Helper()
	return change.Compare(side(t, "old.json", old), side(t, "new.json", new))
}

func compareBy(t testing.TB, old, new string, by profile.Profile) *change.Report {
	t.Helper()
	return change.Compare(sideBy(t, "old.json", old, by), sideBy(t, "new.json", new, by))
}

func text(t testing.TB, r *change.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := change.Text(&b, r, change.View{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const before = `{
  "Routes": [
    { "Key": "orders", "UpstreamPathTemplate": "/orders/{id}", "UpstreamHttpMethod": ["Get"],
      "DownstreamPathTemplate": "/api/{id}", "DownstreamScheme": "http", "DownstreamHostAndPorts": [{ "Host": "orders", "Port": 80 }],
      "AuthenticationOptions": { "AuthenticationProviderKeys": ["Bearer"], "AllowedScopes": ["read"] },
      "QoSOptions": { "MinimumThroughput": 5,
        "BreakDuration": 5000,
        "Timeout": 2000 } },
    { "UpstreamPathTemplate": "/legacy/{rest}",
      "DownstreamPathTemplate": "/{rest}", "DownstreamScheme": "http", "DownstreamHostAndPorts": [{ "Host": "legacy", "Port": 80 }] },
    { "UpstreamPathTemplate": "/{everything}",
      "DownstreamPathTemplate": "/{everything}", "DownstreamScheme": "http", "DownstreamHostAndPorts": [{ "Host": "web", "Port": 80 }] }
  ]
}`

const after = `{
  "Routes": [
    { "Key": "orders", "UpstreamPathTemplate": "/orders/{id}", "UpstreamHttpMethod": ["Get"],
      "DownstreamPathTemplate": "/api/{id}", "DownstreamScheme": "http", "DownstreamHostAndPorts": [{ "Host": "orders", "Port": 80 }],
      "AuthenticationOptions": { "AuthenticationProviderKeys": ["Bearer"], "AllowedScopes": ["read", "write"] },
      "QoSOptions": { "MinimumThroughput": 3,
        "BreakDuration": 60000 } },
    { "UpstreamPathTemplate": "/{everything}",
      "DownstreamPathTemplate": "/{everything}", "DownstreamScheme": "http", "DownstreamHostAndPorts": [{ "Host": "web", "Port": 80 }] },
    { "UpstreamPathTemplate": "/invoices/{rest}",
      "DownstreamPathTemplate": "/{rest}", "DownstreamScheme": "http", "DownstreamHostAndPorts": [{ "Host": "invoices", "Port": 80 }] }
  ]
}`
