package emit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// guardedRequest is a line of routing.jsonl, as far as it is about who may call.
type guardedRequest struct {
	ID      string
	Config  string
	Request struct {
		Method  string
		Headers [][2]string
	}
	Expect struct {
		Status     int
		Matched    any      `json:"matched_route"`
		ErrorCodes []string `json:"error_codes"`
	}
}

// TestOracleWhoMayCall holds what is said of the callers of a route against the
// recorded requests: Ocelot answers 401 exactly to those whose scheme is not
// named, and 403 only for scopes, claims and addresses that are.
func TestOracleWhoMayCall(t *testing.T) {
	tally := oracletest.NewTally("who may call")
	oracletest.Each(t, "routing.jsonl.gz", func(rec guardedRequest) {
		group, _, _ := strings.Cut(rec.ID, "/")
		at, matched := rec.Expect.Matched.(float64)
		if !strings.HasPrefix(group, "auth") && !strings.HasPrefix(group, "sec-") || !matched || rec.Request.Method == "" || group == "auth-before-cache" {
			return
		}
		if diff := compareCallers(t, &rec, int(at)); diff != "" {
			tally.Differ(group, rec.ID, "%s\n%s", diff, rec.Config)
			return
		}
		tally.Agree(group)
	})
	tally.Report(t)
}

func compareCallers(t *testing.T, rec *guardedRequest, at int) string {
	t.Helper()
	text := strings.NewReplacer("{{UP1}}", "1", "{{UP2}}", "2", "{{UP3}}", "3", "{{UP4}}", "4").Replace(rec.Config)
	a := accessBy(t, text, emit.Options{Profile: profile.Profile{Version: "25.0"}})
	if at >= len(a.Routes) {
		return fmt.Sprintf("no route %d", at)
	}
	route := a.Routes[at]
	scheme := ""
	for _, h := range rec.Request.Headers {
		if h[0] == "Authorization" {
			scheme, _, _ = strings.Cut(h[1], " ")
		}
	}
	guarded := route.Authentication != nil && rec.Request.Method != "OPTIONS"
	wantStranger := guarded && !slices.Contains(route.Authentication.Schemes, scheme)
	got := func(code string) bool { return slices.Contains(rec.Expect.ErrorCodes, code) }
	switch {
	case got("SecurityError"):
		if route.Addresses == nil {
			return "no list of addresses, and 403"
		}
	case got("UnauthenticatedError") != wantStranger:
		return fmt.Sprintf("recorded %d %v, said: %+v for scheme %q", rec.Expect.Status, rec.Expect.ErrorCodes, route.Authentication, scheme)
	case got("ScopeNotAuthorizedError") && (route.Authentication == nil || len(route.Authentication.Scopes) == 0):
		return "no scopes, and 403 for want of one"
	case got("ClaimValueNotAuthorizedError") && len(route.Claims) == 0:
		return "no claims, and 403 for want of one"
	case route.Open && rec.Expect.Status != 200 && !got("CannotFindClaimError"):
		return fmt.Sprintf("open, and answered %d", rec.Expect.Status)
	}
	return ""
}
