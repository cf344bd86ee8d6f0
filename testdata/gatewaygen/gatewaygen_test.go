package gatewaygen_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/tidwall/jsonc"

	"github.com/margay-dev/margay/testdata/gatewaygen"
)

func TestBytesAreTheSameForASeed(t *testing.T) {
	a, b, c := gatewaygen.Bytes(50, 1), gatewaygen.Bytes(50, 1), gatewaygen.Bytes(50, 2)
	if !bytes.Equal(a, b) {
		t.Error("two files of one seed differ")
	}
	if bytes.Equal(a, c) {
		t.Error("two seeds give one file")
	}
}

func TestBytesAreConfiguration(t *testing.T) {
	const routes = 1000
	text := gatewaygen.Bytes(routes, 7)
	var cfg struct {
		Routes              []map[string]any
		GlobalConfiguration struct {
			QoSOptions struct{ RouteKeys []string }
		}
	}
	if err := json.Unmarshal(jsonc.ToJSON(text), &cfg); err != nil {
		t.Fatal(err)
	}
	if len(cfg.Routes) != routes || len(cfg.GlobalConfiguration.QoSOptions.RouteKeys) != routes/8 {
		t.Errorf("got %d routes and %d keys, want %d and %d", len(cfg.Routes), len(cfg.GlobalConfiguration.QoSOptions.RouteKeys), routes, routes/8)
	}
	if size := len(text) / routes; size < 500 || size > 640 {
		t.Errorf("got %d bytes a route, want about 570", size)
	}
}
