package newtonsoft_test

import (
	"testing"

	"github.com/margay-dev/margay/schema/load/newtonsoft"
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// TestMistyped looks at what is said of values of the wrong type, and where.
func TestMistyped(t *testing.T) {
	for text, want := range map[string]string{
		`"Timeout": "5s"`:                         `"5s": "5s" is not a whole number (write a whole number)`,
		`"Timeout": 1.5`:                          `1.5: 1.5 is not a whole number (write a whole number)`,
		`"Timeout": 99999999999`:                  `99999999999: 99999999999 does not fit into a whole number (write a whole number)`,
		`"Timeout": true`:                         `true: true is not a whole number (write a whole number)`,
		`"Timeout": [5]`:                          `[: a list stands where a single value belongs (write a whole number)`,
		`"Priority": null`:                        `null: null stands where a value has to be (write a value, or leave the option out)`,
		`"RouteIsCaseSensitive": "yes"`:           `"yes": "yes" is not true or false (write true or false)`,
		`"QoSOptions": { "FailureRatio": "50%" }`: `"50%": "50%" is not a number (write a number)`,
		`"RateLimitOptions": { "Limit": "x" }`:    `"x": "x" is not a whole number (write a whole number)`,
		`"Key": { "a": 1 }`:                       `{: an object stands where a single value belongs (write a text)`,
		`"UpstreamHttpMethod": "Get"`:             `"Get": "Get" stands where a list belongs (write a list: [ … ])`,
		`"UpstreamHttpMethod": { "a": 1 }`:        `{: an object stands where a list belongs (write a list: [ … ])`,
		`"QoSOptions": []`:                        `[: a list stands where an object belongs (write an object: { … })`,
		`"QoSOptions": 5`:                         `5: 5 stands where an object belongs (write an object: { … })`,
		`"Timeout": 5s`:                           `no type: `,
		`"Timeout": 5,, "Key": "a"`:               `no type: `,
	} {
		file := source.NewFile("ocelot.json", []byte(`{ "Routes": [ { `+text+` } ] }`))
		_, _, e := newtonsoft.Deserialize(&syntax.Tree{}, file, model.Root())
		if e == nil {
			t.Errorf("%s: got none want an exception", text)
			continue
		}
		got := "no type: "
		if m := e.Mistyped; m != nil {
			got = e.At.Text() + ": " + m.Reason + " (" + m.Remedy + ")"
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}
