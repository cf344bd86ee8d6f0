package proxy

import (
	"io"
	"strings"
	"testing"
)

func TestTransportsReadResponses(t *testing.T) {
	tests := []struct{ name, method, response, body string }{
		{"length", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"},
		{"nothing", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""},
		{"chunks", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;ext=1\r\nlo\r\n0\r\n\r\n", "hello"},
		{"no chunk", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n", ""},
		{"until close", "GET", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", "hello"},
		{"HTTP/1.0", "GET", "HTTP/1.0 200 OK\r\nX: close\r\n\r\nhello", "hello"},
		{"head", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", ""},
		{"head of chunks", "HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", ""},
		{"no content", "GET", "HTTP/1.1 204 No Content\r\n\r\n", ""},
		{"not modified", "GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", ""},
		{"not modified, of chunks", "GET", "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", ""},
		{"line feeds", "GET", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "hello"},
		{"no reason", "GET", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", "hello"},
		{"twice the same length", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "hello"},
		{"interim", "GET", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"},
		{"interim ones before none", "GET", "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", ""},
		{"chunks before length", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"},
	}
	eachTransport(t, func(t *testing.T, tr Transport) {
		for _, test := range tests {
			address := scripted(t, says(test.response))
			for range 2 {
				if _, body, err := exchanged(tr, request(t, test.method, address, nil)); err != nil || body != test.body {
					t.Errorf("%s: got %q, %v, want %q", test.name, body, err, test.body)
				}
			}
		}
	})
}

func TestTransportsRefuseResponses(t *testing.T) {
	long := strings.Repeat("x", 70<<10)
	tests := map[string]string{
		"two lengths":         "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello",
		"a length, otherwise": "HTTP/1.1 200 OK\r\nContent-Length: 05\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
		"negative length":     "HTTP/1.1 200 OK\r\nContent-Length: -5\r\nConnection: close\r\n\r\nhello",
		"length with plus":    "HTTP/1.1 200 OK\r\nContent-Length: +5\r\nConnection: close\r\n\r\nhello",
		"other coding":        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
		"coding twice":        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n",
		"garbage":             "close it\r\n\r\n",
		"empty line before":   "\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
		"no colon":            "HTTP/1.1 200 OK\r\nnonsense\r\nConnection: close\r\n\r\n",
		"long header":         "HTTP/1.1 200 OK\r\nX: " + long + "\r\nConnection: close\r\n\r\n",
		"half a head":         "HTTP/1.1 200 OK\r\nConnection: close\r\nX",
		"unasked switch":      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: close\r\n\r\n",
		"flood of 1xx":        strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 3000) + "close",
	}
	eachTransport(t, func(t *testing.T, tr Transport) {
		for name, response := range tests {
			if resp, body, err := exchanged(tr, request(t, "GET", scripted(t, says(response)), nil)); err == nil {
				if name == "unasked switch" && resp.StatusCode == 101 {
					continue // the proxy refuses it
				}
				t.Errorf("%s: got %d %q", name, resp.StatusCode, body)
			}
		}
	})
}

func TestTransportsTellBodiesThatBreakOff(t *testing.T) {
	tests := map[string]string{
		"length":         "HTTP/1.1 200 OK\r\nX: close\r\nContent-Length: 9\r\n\r\nhello",
		"chunk":          "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello",
		"no last chunk":  "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
		"no last line":   "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
		"chunk too long": "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
		"bad size":       "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nxyz\r\n",
		"signed size":    "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n",
		"huge size":      "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello\r\n0\r\n\r\n",
		"long extension": "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n5;" + strings.Repeat("x", 9000) + "\r\nhello\r\n0\r\n\r\n",
	}
	eachTransport(t, func(t *testing.T, tr Transport) {
		for name, response := range tests {
			resp, err := tr.Send(t.Context(), request(t, "GET", scripted(t, says(response)), nil), nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if body, err := io.ReadAll(resp.Body); err == nil {
				t.Errorf("%s: got %q without an error", name, body)
			}
			resp.Body.Close()
		}
	})
}
