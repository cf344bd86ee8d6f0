package retry_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/margay-dev/margay/runtime/retry"
)

// TestTheZeroValueRepeatsTheSafeMethods and no other: naming them changes
// nothing. A request without a method is a GET.
func TestTheZeroValueRepeatsTheSafeMethods(t *testing.T) {
	var zero retry.HTTP
	named := retry.HTTP{Methods: retry.SafeMethods()}
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodPost, http.MethodPut,
		http.MethodPatch, http.MethodDelete, http.MethodConnect, "PROPFIND", "get"} {
		want := slices.Contains(retry.SafeMethods(), method)
		if zero.Repeats(method) != want || named.Repeats(method) != want {
			t.Errorf("%s: the zero value says %t, the names %t, want %t", method, zero.Repeats(method), named.Repeats(method), want)
		}
	}
	if !zero.Repeats("") {
		t.Error("no method stands for GET")
	}
}

// TestSafeMethodsAreTheCallers: changing the list changes nobody else's.
func TestSafeMethodsAreTheCallers(t *testing.T) {
	retry.SafeMethods()[0] = http.MethodPost
	if slices.Contains(retry.SafeMethods(), http.MethodPost) {
		t.Error("got a list that others share")
	}
}
