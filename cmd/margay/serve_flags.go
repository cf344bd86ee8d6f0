package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"
)

// The options of serve that are read in several places.
const (
	flagAdmin           = "admin"
	flagAdminToken      = "admin-token"
	flagAdminHost       = "admin-host"
	flagAdminCert       = "admin-cert"
	flagAdminKey        = "admin-key"
	flagAdminPlain      = "admin-plain"
	flagRedirect        = "redirect"
	flagAuth            = "auth"
	flagTLSCert         = "tls-cert"
	flagTLSKey          = "tls-key"
	flagPlainHTTP2      = "h2c"
	flagBackend         = "backend"
	flagBackendCA       = "backend-ca"
	flagBackendCert     = "backend-cert"
	flagBackendKey      = "backend-key"
	flagAnyCertificate  = "allow-any-certificate"
	flagAllowUnenforced = "allow-unenforced"
	flagAllowDropped    = "allow-dropped"
	flagForwarded       = "forwarded-headers"
	flagTransport       = "transport"
	flagHealth          = "passive-health"
	flagHealthBreak     = "passive-health-break"
	flagAccessLog       = "access-log"
	flagAccessLogFile   = "access-log-file"
	flagLog             = "log"
	flagLogLevel        = "log-level"
	flagDrain           = "drain"
	flagDrainDelay      = "drain-delay"
	flagHeaderTimeout   = "header-timeout"
	flagMaxHeader       = "max-header"
	flagMaxBody         = "max-body"
	flagMaxConnections  = "max-connections"
	flagNoWatch         = "no-watch"
)

func serveFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagListen, Usage: "take requests on `ADDR`; port 0 is any", Value: "127.0.0.1:8080"},
		&cli.StringFlag{Name: flagAdmin, Usage: "health, metrics, state and the page on `ADDR`; off: nowhere", Value: "127.0.0.1:8081"},
		&cli.StringFlag{Name: flagAdminToken, Usage: "`FILE` with the token that moves breakers"},
		textsFlag(flagAdminHost, "`NAME` under which the admin may be asked for, besides addresses and localhost; may be repeated"),
		textsFlag(flagAdminCert, "certificate `FILE` of the admin in PEM, as --tls-cert"),
		textsFlag(flagAdminKey, "key `FILE` of that certificate"),
		&cli.BoolFlag{Name: flagAdminPlain, Usage: "let other machines reach the admin without TLS, with a token all the same"},

		textsFlag(flagTLSCert, "certificate `FILE` in PEM, with those of its issuers; may be repeated, read again when it changes"),
		textsFlag(flagTLSKey, "key `FILE` of the certificate in the same place"),
		&cli.StringFlag{Name: flagRedirect, Usage: "redirect plain requests on `ADDR` to https"},
		&cli.BoolFlag{Name: flagPlainHTTP2, Usage: "take HTTP/2 without TLS too"},

		textsFlag(flagBackend, "ask `HOST=ADDR` in place of a host of the configuration, for trying things out; HOST may have a port, * is every host; may be repeated"),
		&cli.StringFlag{Name: flagBackendCA, Usage: "trust the authorities in `FILE`, in PEM, as issuers of certificates of backends"},
		&cli.StringFlag{Name: flagBackendCert, Usage: "show backends the certificate in `FILE`"},
		&cli.StringFlag{Name: flagBackendKey, Usage: "key `FILE` of that certificate"},
		&cli.BoolFlag{Name: flagAnyCertificate, Usage: "serve routes that accept every certificate of their backend"},
		&cli.StringFlag{Name: flagAuth, Usage: "`FILE` that says for each authentication scheme who signs its tokens (default: \"auth\" in .margay.json)"},
		textsFlag(flagAllowUnenforced, "serve routes although the setting `NAME` of theirs is not enforced; may be repeated"),
		&cli.BoolFlag{Name: flagAllowDropped, Usage: "serve without the routes that Ocelot drops as it cannot read them"},
		&cli.BoolFlag{Name: flagForwarded, Usage: "add X-Forwarded-For, -Host and -Proto, which Ocelot does not"},
		&cli.StringFlag{Name: flagTransport, Usage: "how backends are asked: `NAME` own or library", Value: "own"},

		&cli.IntFlag{Name: flagHealth, Usage: "pass a host over after `NUMBER` failures in a row, while others of its route are left; 0: never (default: as \"passiveHealth\" in .margay.json says)"},
		&cli.DurationFlag{Name: flagHealthBreak, Usage: "pass it over for `TIME`, then let one request try (default 10s)"},

		&cli.StringFlag{Name: flagAccessLog, Usage: "a line for every request: `FORMAT` off, text or json", Value: "off"},
		&cli.StringFlag{Name: flagAccessLogFile, Usage: "`FILE` that they are added to, opened anew on SIGUSR1 and SIGHUP (default: standard output)"},
		&cli.StringFlag{Name: flagLog, Usage: "what happens, on standard error: `FORMAT` text or json", Value: "text"},
		&cli.StringFlag{Name: flagLogLevel, Usage: "from `LEVEL` on: debug, info, warn or error", Value: "info"},

		&cli.DurationFlag{Name: flagDrain, Usage: "when stopped, wait `TIME` for requests on their way", Value: patience},
		&cli.DurationFlag{Name: flagDrainDelay, Usage: "when stopped, go on for `TIME` first, so that load balancers notice"},
		&cli.DurationFlag{Name: flagHeaderTimeout, Usage: "`TIME` in which a client has to send its headers (default 30s)"},
		&cli.StringFlag{Name: flagMaxHeader, Usage: "refuse requests with headers above `SIZE` (default 32KiB)"},
		&cli.StringFlag{Name: flagMaxBody, Usage: "refuse bodies above `SIZE` (default 30 000 000 bytes); off: none"},
		&cli.IntFlag{Name: flagMaxConnections, Usage: "take `NUMBER` connections at a time (default: as the system's limit of open files allows)"},
		&cli.BoolFlag{Name: flagNoWatch, Usage: "read files again on SIGHUP only, not when they change"},
	}
}

// adminToken reads the token; "" if there is none.
func adminToken(c *cli.Context) (string, error) {
	name := c.String(flagAdminToken)
	if name == "" {
		return "", nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, cause(err))
	}
	token := strings.TrimSpace(string(text))
	const least = 16
	if len(token) < least || strings.ContainsAny(token, " \t\r\n") {
		return "", usage("for instance: openssl rand -hex 24 > "+name, "%s holds no admin token: one word of at least %d characters", name, least)
	}
	return token, nil
}
