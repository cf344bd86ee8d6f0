package proxy_test

import (
	"encoding/json"
	"testing"

	"github.com/margay-dev/margay/runtime/proxy"
)

// forms are messages of kinds that the recordings have, in forms that they may
// lack: what is promised of a kind is a rule, and holds for them too. Ocelot's
// part of the answer is written as it treats the recorded forms.
var forms = map[string]struct{ headers, upstream, expect string }{
	"close beside another header in Connection": {
		`["Connection","X-Foo, close"],["X-Foo","1"]`, `{}`,
		`{"status":200,"reason":"OK","headers":[["connection","close"],["content-length","12"],["content-type","text/plain"],["x-up","UP1"]],"framing":"length:12","body":"UP1 GET /d/1"}`},
	"Connection on two lines": {
		`["Connection","X-Foo"],["Connection","X-Bar"],["X-Foo","1"],["X-Bar","2"]`, `{}`,
		`{"status":200,"reason":"OK","headers":[["content-length","12"],["content-type","text/plain"],["x-up","UP1"]],"framing":"length:12","body":"UP1 GET /d/1"}`},
	"trailers beside another coding": {
		`["TE","gzip, Trailers"]`, `{}`,
		`{"status":200,"reason":"OK","headers":[["content-length","12"],["content-type","text/plain"],["x-up","UP1"]],"framing":"length:12","body":"UP1 GET /d/1"}`},
	"a length of nothing": {
		`["Content-Length","0"]`, `{}`,
		`{"status":200,"reason":"OK","headers":[["content-length","12"],["content-type","text/plain"],["x-up","UP1"]],"framing":"length:12","body":"UP1 GET /d/1"}`},
	"a chunk longer than it says": {
		``, `{"raw":"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokk\r\n0\r\n\r\n"}`,
		`{"status":200,"reason":"OK","headers":[["transfer-encoding","chunked"]],"framing":"chunked","body":"ok"}`},
	"a size that is none": {
		``, `{"raw":"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n"}`,
		`{"status":200,"reason":"OK","headers":[["transfer-encoding","chunked"]],"framing":"chunked","body":"ok"}`},
	"trailers byte by byte": {
		``, `{"raw":"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-T: 1\r\n\r\n"}`,
		`{"status":200,"reason":"OK","headers":[["transfer-encoding","chunked"]],"framing":"chunked","body":"ok"}`},
	"chunks twice": {
		``, `{"raw":"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"}`,
		`{"status":200,"reason":"OK","headers":[["transfer-encoding","chunked"]],"framing":"chunked","body":"ok"}`},
	"chunks of HTTP/1.0": {
		``, `{"raw":"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"}`,
		`{"status":200,"reason":"OK","headers":[["transfer-encoding","chunked"]],"framing":"chunked","body":"ok"}`},
	"a hint byte by byte": {
		``, `{"raw":"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"}`,
		`{"status":200,"reason":"OK","headers":[["content-length","2"]],"framing":"length:2","body":"ok"}`},
	"a reset until the end of the connection": {
		``, `{"raw":"HTTP/1.1 205 Reset Content\r\n\r\nbody","then_close":true}`,
		`{"status":500,"reason":"Reset Content","headers":[["content-length","0"]],"framing":"length:0","body":""}`},
	"a length where no body can be": {
		``, `{"raw":"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"}`,
		`{"status":204,"reason":"No Content","headers":[["content-length","0"]],"framing":"length:0","body":""}`},
}

func TestPromisesHoldForOtherForms(t *testing.T) {
	s := newStage(t)
	defer s.close()
	for name, f := range forms {
		t.Run(name, func(t *testing.T) {
			headers := `["Host","gw.example"]`
			if f.headers != "" {
				headers += "," + f.headers
			}
			text := `{"id":"form","group":4,"config":"{\"Routes\":[{\"UpstreamPathTemplate\":\"/h/{x}\",\"DownstreamPathTemplate\":\"/d/{x}\",\"DownstreamScheme\":\"http\",\"DownstreamHostAndPorts\":[{\"Host\":\"127.0.0.1\",\"Port\":{{UP1}}}]}]}",` +
				`"request":{"method":"GET","target":"/h/1","headers":[` + headers + `]},"upstream":` + f.upstream + `,"expect":` + f.expect + `}`
			var rec routingRecord
			if err := json.Unmarshal([]byte(text), &rec); err != nil {
				t.Fatal(err)
			}
			var sent [][2]string
			_ = json.Unmarshal([]byte("["+f.headers+"]"), &sent)
			rec.Expect.MatchedRoute = float64(0)
			rec.Expect.Downstream = &contact{Upstream: "UP1", Method: "GET", Target: "/d/1", Version: "HTTP/1.1", Host: "127.0.0.1:{{UP1}}", Headers: sent, Framing: "none", Body: new("")}
			if length := header(sent, "content-length"); length != "" {
				rec.Expect.Downstream.Framing = "length:" + length
			}
			for _, differ := range replayRouting(s, &rec, guarded(&rec, proxy.Options{})).differ {
				t.Error(differ)
			}
		})
	}
}
