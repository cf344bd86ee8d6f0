package listen

import (
	"net"
	"net/http"
	"strconv"
)

// Redirect sends every request to the same target on a port of https, with 308,
// which keeps method and body. Requests without a Host are answered 400.
func Redirect(port int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if host == "" || r.RequestURI == "" || r.RequestURI[0] != '/' {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if port != 443 {
			host = net.JoinHostPort(host, strconv.Itoa(port))
		}
		w.Header().Set("Location", "https://"+host+r.RequestURI)
		w.WriteHeader(http.StatusPermanentRedirect)
	})
}
