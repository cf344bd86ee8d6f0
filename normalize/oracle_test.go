package normalize_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
)

func TestOracleResolve(t *testing.T) {
	for _, file := range []string{"resolve.jsonl.gz", "resolve-claims.jsonl", "resolve-docs.jsonl"} {
		t.Run(file, func(t *testing.T) {
			tally := oracletest.NewTally(file)
			oracletest.Each(t, file, func(rec recording) { replay(tally, &rec, []byte(rec.Config)) })
			tally.Report(t)
		})
	}
	t.Run("resolve-corpus", func(t *testing.T) {
		dir := oracletest.CorpusDir(t)
		tally := oracletest.NewTally("resolve-corpus")
		oracletest.Each(t, oracletest.CorpusRecordings(t, "resolve-corpus.jsonl.gz"), func(rec recording) {
			text, err := os.ReadFile(filepath.Join(dir, rec.File))
			if err != nil {
				t.Fatal(err)
			}
			replay(tally, &rec, text)
		})
		tally.Report(t)
	})
}

// replay holds one recording against both providers.
func replay(tally *oracletest.Tally, rec *recording, text []byte) {
	group, routes := rec.Group, rec.Expect.Routes
	if failed := rec.Expect.Error; failed != nil {
		group = "error stage " + failed.Stage
		if routes = rec.Ignoring; routes == nil {
			replayFailure(tally, group, rec, text)
			return
		}
	}
	cfg, failure := compile(text)
	if failure != nil {
		tally.Differ(group, rec.ID, "got failure %v\n%s", failure, text)
		return
	}
	builtin := normalize.Resolve(cfg, profile.Profile{Version: "25.0"})
	polly := normalize.Resolve(cfg, profile.Profile{Version: "25.0", Provider: profile.Polly})
	if diff := compareGateways(cfg, builtin, polly, rec, routes); diff != "" {
		tally.Differ(group, rec.ID, "%s\n%s", diff, text)
		return
	}
	tally.Agree(group)
}

func compareGateways(cfg *config.Configuration, builtin, polly *normalize.Gateway, rec *recording, routes []recordedRoute) string {
	survivors := listedRoutes(builtin)
	if len(survivors) != len(routes) {
		return fmt.Sprintf("got %d routes, want %d", len(survivors), len(routes))
	}
	for i := range routes {
		b, p := &builtin.Routes[i], &polly.Routes[i]
		if diff := compareRoute(cfg, b, p, &routes[i]); diff != "" {
			return fmt.Sprintf("route %d: %s", i, diff)
		}
	}
	if rec.Expect.Error != nil {
		return ""
	}
	if got := builtin.Finder.String(); got != rec.Expect.Finder {
		return fmt.Sprintf("got finder %s, want %s", got, rec.Expect.Finder)
	}
	if (rec.Expect.Unlisted != nil) != (len(survivors) < len(builtin.Routes)) {
		return fmt.Sprintf("got %d routes and want unlisted %v", len(builtin.Routes), rec.Expect.Unlisted != nil)
	}
	lookups := rec.Expect.Lookups
	if rec.Expect.Unlisted != nil {
		lookups = append([]recordedRoute{*rec.Expect.Unlisted}, lookups...)
	}
	for i := range lookups {
		if diff := compareLookup(cfg, builtin, polly, &lookups[i]); diff != "" {
			return fmt.Sprintf("lookup %s: %s", lookups[i].Path, diff)
		}
	}
	return ""
}

func listedRoutes(g *normalize.Gateway) []normalize.Route {
	if n := len(g.Routes); n > 0 && g.Routes[n-1].Kind == normalize.Unlisted {
		return g.Routes[:n-1]
	}
	return g.Routes
}

func compareLookup(cfg *config.Configuration, builtin, polly *normalize.Gateway, want *recordedRoute) string {
	b, ok := builtin.Lookup(want.Path)
	p, _ := polly.Lookup(want.Path)
	if !ok {
		return "got nothing"
	}
	if b.Service != want.Service || b.Namespace != want.Namespace || b.Path != want.DownstreamPath {
		return fmt.Sprintf("got service %q namespace %q path %q, want %q %q %q", b.Service, b.Namespace, b.Path,
			want.Service, want.Namespace, want.DownstreamPath)
	}
	b.Kind, p.Kind = normalize.Kind(b.Kind), normalize.Kind(p.Kind)
	return compareRoute(cfg, &b.Route, &p.Route, want)
}

// compareRoute returns the first difference of a route; "" if there is none.
func compareRoute(cfg *config.Configuration, b, p *normalize.Route, want *recordedRoute) string {
	got := recordedRoute{Kind: b.Kind.String(), Index: position(cfg, b), Name: b.Name()}
	if b.Kind == normalize.Aggregate {
		got.Members = b.Aggregate.Members
		want := recordedRoute{Kind: want.Kind, Index: want.Index, Name: want.Name, Members: want.Members}
		return differ(&got, &want)
	}
	if want.Path != "" {
		got.Kind, got.Index = "dynamic", 0
		got.Path, got.Service, got.Namespace, got.DownstreamPath = want.Path, want.Service, want.Namespace, want.DownstreamPath
	}
	got.Key, got.LBK = optional(b.Key()), b.LoadBalancerKey()
	got.QoS, got.Active = options(b), b.Active
	got.Builtin, got.Polly = builtinOf(b), pollyOf(p)
	got.TimeoutS, got.OuterMS, got.Warning = optional(b.RouteTimeout.Value), b.OuterTimeout.V, b.OuterWarning()
	got.Send = sent(b)
	if p.SharedWith >= 0 && want.Path == "" {
		got.Shared = &p.SharedWith
	}
	return differ(&got, want)
}

// sent is what sending a request throws because of the outer timer.
func sent(r *normalize.Route) string {
	switch f := r.Failure(); {
	case r.OuterTimeout.IsSet() && r.OuterTimeout.V == 0:
		return "TimeoutException"
	case f != nil && len(f.Refused) == 0:
		return f.Exception[strings.LastIndexByte(f.Exception, '.')+1:]
	}
	return ""
}

// position counts survivors, as recordings do, while an Index counts what is
// written.
func position(cfg *config.Configuration, r *normalize.Route) int {
	switch r.Kind {
	case normalize.Static:
		return slices.IndexFunc(cfg.Routes, func(o config.Route) bool { return o.Index == r.Index })
	case normalize.Dynamic:
		return slices.IndexFunc(cfg.DynamicRoutes, func(o config.DynamicRoute) bool { return o.Index == r.Index })
	case normalize.Aggregate:
		return slices.IndexFunc(cfg.Aggregates, func(o config.AggregateRoute) bool { return o.Index == r.Index })
	}
	return 0
}

// differ returns the members in which two routes differ.
func differ(got, want *recordedRoute) string {
	if reflect.DeepEqual(got, want) {
		return ""
	}
	g, w := reflect.ValueOf(*got), reflect.ValueOf(*want)
	text := ""
	for i := range g.NumField() {
		a, b := g.Field(i).Interface(), w.Field(i).Interface()
		if !reflect.DeepEqual(a, b) {
			text += fmt.Sprintf("%s: got %s want %s; ", g.Type().Field(i).Name, inJSON(a), inJSON(b))
		}
	}
	return text
}

func inJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// replayFailure holds what stops the start while a text is loaded and bound.
// What the program checks after that is not this package's to say.
func replayFailure(tally *oracletest.Tally, group string, rec *recording, text []byte) {
	want := rec.Expect.Error
	_, got := compile(text)
	switch want.Stage {
	case "load", "bind":
		if want.FileMessages != nil {
			want.Messages = want.FileMessages
		}
		if !slices.Equal(got, want.Messages) {
			tally.Differ(group, rec.ID, "got %q\nwant %q\n%s", got, want.Messages, text)
			return
		}
	default:
		group += ": only loading is replayed here"
		if got != nil {
			tally.Differ(group, rec.ID, "got failure %q\n%s", got, text)
			return
		}
	}
	tally.Agree(group)
}

// compile loads and binds a text; it returns what stops the start, outermost
// exception first.
func compile(text []byte) (*config.Configuration, []string) {
	result := load.Single(source.NewFile("<dir>/ocelot.json", text), load.Options{})
	var messages []string
	for f := result.Failure; f != nil; f = f.Inner {
		messages = append(messages, message(f.Type, f.Message))
	}
	if messages != nil {
		return nil, messages
	}
	cfg := schema.Decode(result.Tree, result.Bound, schema.DecodeOptions{})
	if f := cfg.Failure; f != nil {
		messages = append(messages, message(f.Exception, f.Message))
		for inner := f.Inner; inner != nil; inner = inner.Inner {
			messages = append(messages, message(inner.Type, inner.Message))
		}
	}
	return cfg, messages
}

// message prints an exception as recordings do: without its namespace.
func message(exception, text string) string {
	return exception[strings.LastIndexByte(exception, '.')+1:] + ": " + text
}
