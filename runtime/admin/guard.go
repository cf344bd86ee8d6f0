package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// policy is what the page may load: its own files, and nothing inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// guard keeps other origins out, whatever is asked for, and tells browsers to
// do so too.
func (a *admin) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cache-Control", "no-store")
		switch {
		case !a.knownHost(r.Host):
			plain(w, http.StatusMisdirectedRequest, fmt.Sprintf("%q is no name of the admin: ask for its address, or allow the name with --admin-host", bare(r.Host)))
		case !sameOrigin(r):
			plain(w, http.StatusForbidden, "pages of other origins get nothing from here")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// knownHost says whether a request may ask for a host. A page that has been
// given this machine's address under a name of its own (DNS rebinding) asks for
// that name.
func (a *admin) knownHost(host string) bool {
	name := strings.TrimSuffix(strings.ToLower(bare(host)), ".")
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return true
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost") ||
		slices.ContainsFunc(a.Hosts, func(allowed string) bool { return strings.EqualFold(allowed, name) })
}

// bare returns a host without its port.
func bare(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// sameOrigin says whether no page of another origin makes a request. Programs
// that are no browsers say nothing about origins.
func sameOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		parsed, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(parsed.Host, r.Host) {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	// A link on another page may lead to the page itself.
	return r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Method == http.MethodGet
}

// reading asks for the token where reading takes one.
func (a *admin) reading(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if a.Guarded && !a.authorized(r) {
			a.challenge(w)
			return
		}
		next(w, r)
	}
}

func (a *admin) challenge(w http.ResponseWriter) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="margay admin"`)
	plain(w, http.StatusUnauthorized, "the admin token is needed: Authorization: Bearer TOKEN")
}

// authorized compares the token in a time that tells nothing about it.
func (a *admin) authorized(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if a.Token == "" || !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(a.Token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}
