package bearer

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// An issuer elsewhere must not be able to say that its keys are what some
// program on the gateway's own machine answers.
func TestWhereKeysMayComeFrom(t *testing.T) {
	const secure, here = "https://id.example", "http://127.0.0.1:5001"
	for _, tc := range []struct {
		address, issuer string
		want            bool
	}{
		{"https://id.example/keys", secure, true},
		{"https://keys.example/keys", secure, true},
		{"https://127.0.0.1/keys", secure, true},
		{"http://id.example/keys", secure, false},
		{"http://127.0.0.1:9/keys", secure, false},
		{"http://localhost:9/keys", secure, false},
		{"http://127.0.0.1:9/keys", "https://127.0.0.1:5001", false},
		{"http://127.0.0.1:9/keys", here, true},
		{"http://[::1]:9/keys", "http://localhost", true},
		{"https://keys.example/keys", here, true},
		{"http://keys.example/keys", here, false},
		{"http://127.0.0.1.example/keys", here, false},
		{"file:///etc/keys", here, false},
		{"/keys", here, false},
		{"", secure, false},
	} {
		if got := isSafe(tc.address, tc.issuer); got != tc.want {
			t.Errorf("keys of %s at %q: got %v", tc.issuer, tc.address, got)
		}
	}
}

func TestASecureIssuerMayNotLeadToTheLoopback(t *testing.T) {
	asked := false
	local := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer local.Close()
	for name, keys := range map[string]string{"named": local.URL + "/keys", "redirected": "/away"} {
		t.Run(name, func(t *testing.T) {
			mux := http.NewServeMux()
			remote := httptest.NewTLSServer(mux)
			defer remote.Close()
			if strings.HasPrefix(keys, "/") {
				keys = remote.URL + keys
			}
			mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
				_ = json.NewEncoder(w).Encode(map[string]string{"issuer": remote.URL, "jwks_uri": keys})
			})
			mux.Handle("/away", http.RedirectHandler(local.URL+"/keys", http.StatusFound))
			i := issuer{address: remote.URL, client: client(remote.URL, remote.Client().Transport)}
			if _, err := i.load(t.Context()); err == nil || !strings.Contains(err.Error(), local.URL) {
				t.Errorf("got %v, want an error that names the address", err)
			}
			if asked {
				t.Error("the program on this machine was asked")
			}
		})
	}
}

func TestLifetime(t *testing.T) {
	for value, want := range map[string]float64{"": 0, "public, Max-Age=60, must-revalidate": 60, `max-age="5"`: 5, "max-age=-1": 0, "max-age=x": 0, "s-maxage=9": 0, "max-age=99999999999": 0} {
		if got := lifetime(http.Header{"Cache-Control": {value}}).Seconds(); got != want {
			t.Errorf("%q: got %v s, want %v", value, got, want)
		}
	}
}
