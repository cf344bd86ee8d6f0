package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag/report"
)

// planted is a gateway with a secret in every place where people have put one,
// and a mistake beside each, so that its line is shown.
const planted = `{
  // the old one was https://admin:PLANTED-01@old.example/
  "Routes": [
    {
      "UpstreamPathTemplate": "/a", "DownstreamPathTemplate": "/a", "DownstreamSchem": "http", "ApiKey": "PLANTED-02",
      "DownstreamScheme": "http",
      "DownstreamHostAndPorts": [{ "Host": "a", "Port": "x", "Password": "PLANTED-03" }],
      "UpstreamHeaderTransform": { "Authorization": "Basic PLANTED-04", "X-Authorization": "Basic \u00e9 \"PLANTED-18\", PLANTED-19\u0000", "X-Api-Key": "PLANTED-05", "Bad\r\n": "x" },
      "DownstreamHeaderTransform": { "Location": "http://bob:PLANTED-06@a.example, http://b.example" }
    },
    {
      "UpstreamPathTemplate": "/b", "DownstreamPathTemplate": "/b", "DownstreamScheme": "http",
      "DownstreamHostAndPorts": [{ "Host": "b", "Port": 80 }],
      "AuthenticationOptions": { "AuthenticationProviderKey": "k", "ClientSecret": "PLANTED-07" },
      "Metadata": { "db": "x", "ConnectionString": "Server=x;Password=PLANTED-08" },
      "QoSOptions": { "TimeoutValue": 5000, "ExceptionsAllowedBeforeBreaking": 0, "AccessToken": "PLANTED-09 \u00e9 \"q\" \\ PLANTED-10" }
    }
  ],
  "GlobalConfiguration": {
    "BaseUrl": "https://user:PLANTED-11@gate.example",
    "ServiceDiscoveryProvider": { "Typ": "Consul", "Host": "http://u:PLANTED-12@c", "Port": 8500, "Token": "PLANTED-13", "Token2": 1 },
    "QoSOptions": { "DurationOfBreak": 1, "Token": ["PLANTED-14"] },
    "RateLimitOptions": { "ClientIdHeader": 5, "Password": "PLANTED-15", "Password": "PLANTED-16" }
  },
  "Jwt": { "SigningKey": "PLANTED-17" }
}`

// TestNoSecretIsPrinted runs every command that prints something of a file, in
// every format.
func TestNoSecretIsPrinted(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"ocelot.json":        planted,
		"other.json":         strings.ReplaceAll(planted, "PLANTED-", "PLANTED-9"),
		"sound.json":         strings.NewReplacer(`"Port": "x"`, `"Port": 80`, `"Bad\r\n": "x"`, `"B": "x"`, `, "Password": "PLANTED-16"`, ``, `5, "Pass`, `"5", "Pass`).Replace(planted),
		"gate/ocelot.a.json": planted,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commands := []string{
		"lint --diff", "lint --fix --config= --severity error", "normalize", "normalize --prefer-documented",
		"lint --baseline known.json --update-baseline", "lint --baseline known.json",
		"explain /a", "explain /b", "explain #1 --ocelot 25.0", "explain /b --status 503",
		"match GET http://gate.example/b", "match --format json GET http://gate.example/b", "resolve --show auth",
	}
	for _, format := range report.Formats() {
		commands = append(commands, "lint -v --severity info --format "+format, "lint --severity info --output "+format+"=out."+format)
	}
	for _, format := range resolveFormats() {
		commands = append(commands, "resolve --format "+format, "resolve --ocelot 25.0 --provider polly --format "+format)
	}
	for _, command := range commands {
		for _, path := range []string{"ocelot.json", "sound.json", "gate"} {
			quiet(t, append(strings.Fields(command), path))
		}
	}
	for _, format := range []string{"text", "json", "markdown"} {
		quiet(t, []string{"diff", "--format", format, "ocelot.json", "other.json"})
		quiet(t, []string{"diff", "--format", format, "sound.json", "other.json"})
	}
}

// quiet runs a command and looks for secrets in all that it prints and writes.
func quiet(t *testing.T, args []string) {
	t.Helper()
	var out, problems bytes.Buffer
	run(args, nil, &out, &problems)
	written, _ := filepath.Glob("out.*")
	known, _ := filepath.Glob("known.json")
	texts := map[string]string{"standard output": out.String(), "standard error": problems.String()}
	for _, name := range append(written, known...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	for where, text := range texts {
		for line := range strings.Lines(text) {
			if i := strings.Index(line, "PLANTED"); i >= 0 {
				t.Errorf("margay %s: a secret on %s: …%s", strings.Join(args, " "), where, line[max(0, i-60):min(len(line), i+40)])
			}
		}
	}
}
