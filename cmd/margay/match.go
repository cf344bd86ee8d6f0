package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

func matchFormats() []string { return []string{"text", "json"} }

func (p *program) match() *cli.Command {
	return &cli.Command{
		Name:      "match",
		Usage:     "show which route takes a request, and what its backend is asked",
		ArgsUsage: "METHOD URL [PATH|PLAN]",
		Flags: gatewayFlags(
			&cli.StringFlag{Name: flagFormat, Usage: "print `FORMAT`: " + alternatives(matchFormats()), Value: "text"},
			textsFlag(flagHeader, "a header of the request, `'NAME: VALUE'`; may be repeated"),
		),
		Action: p.runMatch,
	}
}

func (p *program) runMatch(c *cli.Context) error {
	format, err := oneOf(c, flagFormat, matchFormats()...)
	if err != nil {
		return err
	}
	args := c.Args().Slice()
	if len(args) < 2 {
		return usage("for instance: margay match GET https://gateway.example/orders/7 ocelot.json", "a method and a URL are needed")
	}
	req, err := requestOf(args[0], args[1], textsOf(c, flagHeader))
	if err != nil {
		return err
	}
	d, err := p.planned(c, args[2:], nil)
	if err != nil {
		return err
	}
	m, err := newMatching(d, req)
	if err != nil {
		return err
	}
	print := m.printText
	if format == "json" {
		print = m.printJSON
	}
	return errors.Join(print(p.stdout), m.status())
}

// requestOf reads a request off the command line.
func requestOf(method, url string, headers []string) (*route.Request, error) {
	if method == "" || strings.ContainsAny(method, " \t\r\n/:") {
		return nil, usage("write the method first, then the URL: margay match GET /orders/7 ocelot.json", "%q is no method of HTTP", method)
	}
	host, target, err := splitURL(url)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	for _, written := range headers {
		name, value, ok := strings.Cut(written, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, usage("write --header 'Name: value'", "--header is %q; expected a name, a colon and a value", written)
		}
		header.Add(textproto.TrimString(name), textproto.TrimString(value))
	}
	host = cmp.Or(header.Get("Host"), host)
	header.Del("Host")
	parsed, err := route.ParseTarget(encoded(target))
	if err != nil {
		return nil, usage("percent-encode what stands in its path", "%q is no URL that a server answers", url)
	}
	return &route.Request{Method: strings.ToUpper(method), Host: host, Target: parsed, Header: header}, nil
}

// splitURL returns the host of a URL, with its port, and what a client sends as
// the target: the rest, without the fragment. A bare path has no host.
func splitURL(url string) (host, target string, err error) {
	url, _, _ = strings.Cut(url, "#")
	if strings.HasPrefix(url, "/") {
		return "", url, nil
	}
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "", "", usage("write http://HOST/PATH, or a path such as /orders/7", "%q is neither a URL nor a path", url)
	}
	at := strings.IndexAny(rest, "/?")
	if at < 0 {
		return rest, "/", nil
	}
	host, target = rest[:at], rest[at:]
	if target[0] == '?' {
		target = "/" + target
	}
	return host, target, nil
}

// encoded percent-encodes what no client sends as it is.
func encoded(target string) string {
	var b strings.Builder
	for i := range len(target) {
		if c := target[i]; c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// matching is a request with what the routes of a gateway make of it.
type matching struct {
	*planned
	request *route.Request
	match   route.Match
	// failure is why no route takes the request, nil if one does.
	failure error
	// candidates are the routes whose path fits, that which takes the request
	// first.
	candidates []route.Candidate
}

func newMatching(d *planned, req *route.Request) (*matching, error) {
	table, err := route.New(d.plan)
	if invalid, ok := errors.AsType[*plan.InvalidError](err); ok {
		return nil, d.refused(invalid)
	}
	if err != nil {
		return nil, err
	}
	m := &matching{planned: d, request: req}
	m.match, m.failure = table.Match(req)
	m.candidates = table.Explain(req)
	return m, nil
}

// status is errFound where no route takes the request, or where Ocelot would
// not start with the configuration.
func (m *matching) status() error {
	if m.failure != nil || m.gateway != nil && !m.gateway.Starts() {
		return errFound
	}
	return nil
}
