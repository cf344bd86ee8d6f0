package proxy_test

import (
	"bufio"
	"strings"
	"testing"
)

// TestGreetingIsNoRequest holds a greeting of TLS whose random bytes look like a
// line of three words and an empty one: a backend that speaks plain HTTP must
// not count it as a request.
func TestGreetingIsNoRequest(t *testing.T) {
	for text, isRequest := range map[string]bool{
		"\x16\x03\x01\x05 \x8f\x00 \x03\x03\xd1\n\n\x7f\x02": false,
		"GET /a HTTP/1.1\r\nHost: a\r\n\r\n":                 true,
		"GET /a HTTP/1.0\r\n\r\n":                            true,
	} {
		if _, err := readHead(bufio.NewReader(strings.NewReader(text))); (err == nil) != isRequest {
			t.Errorf("%q: %v", text, err)
		}
	}
}
