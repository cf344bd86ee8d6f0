package listen

import (
	"net"
	"net/http"
	"strconv"
	"strings"
)

// Redirect sends every request to the same target on a port of https, with 308,
// which keeps method and body. Requests without a Host are answered 400.
func Redirect(port int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := strings.TrimSuffix(strings.TrimPrefix(r.Host, "["), "]")
		if name, _, err := net.SplitHostPort(r.Host); err == nil {
			host = name
		}
		if host == "" || r.RequestURI == "" || r.RequestURI[0] != '/' {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if host = net.JoinHostPort(host, strconv.Itoa(port)); port == 443 {
			host = strings.TrimSuffix(host, ":443")
		}
		w.Header().Set("Location", "https://"+host+r.RequestURI)
		w.WriteHeader(http.StatusPermanentRedirect)
	})
}
