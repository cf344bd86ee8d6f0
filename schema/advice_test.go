package schema

import "testing"

func TestMeant(t *testing.T) {
	millis := &shape{format: "optional-int32", unit: "milliseconds"}
	seconds := &shape{format: "optional-int32", unit: "seconds"}
	count := &shape{format: "int32"}
	long := &shape{format: "optional-int64"}
	ratio := &shape{format: "optional-double"}
	for _, test := range []struct {
		shape *shape
		text  string
		want  string
	}{
		{millis, "5s", "5000"}, {millis, "1.5 sec", "1500"}, {millis, "500ms", "500"}, {millis, "2 Minutes", "120000"},
		{millis, "00:00:05", "5000"}, {millis, "00:00:00.250", "250"}, {millis, "1.00:00:00", "86400000"},
		{millis, "5000.0", "5000"}, {millis, "5e3", "5000"}, {millis, "5,000", "5000"}, {millis, "5_000", "5000"},
		{seconds, "5s", "5"}, {seconds, "1m", "60"}, {seconds, "500ms", ""}, {seconds, "90 days", "7776000"},
		{seconds, "9999d", "863913600"}, {seconds, "99999d", ""}, {seconds, "1.5", ""}, {seconds, "soon", ""},
		{count, "5s", ""}, {count, "3.0", "3"}, {count, "", ""}, {count, "NaN", ""},
		{long, "5e9", "5000000000"}, {long, "1e300", ""},
		{ratio, "50%", "0.5"}, {ratio, "0,5", "0.5"}, {ratio, "half", ""},
		{&shape{format: "optional-boolean"}, "Yes", "true"}, {&shape{format: "boolean"}, "0", "false"}, {&shape{format: "boolean"}, "maybe", ""},
		{&shape{enum: []string{"Route", "Backend"}}, " backend", `"Backend"`}, {&shape{enum: []string{"Route"}}, "x", ""},
	} {
		if got, ok := meant(test.shape, test.text); got != test.want || ok != (test.want != "") {
			t.Errorf("meant(%s %s, %q) = %q, %t, want %q", test.shape.format, test.shape.unit, test.text, got, ok, test.want)
		}
	}
}

func TestAsContainer(t *testing.T) {
	list := &shape{types: arrayType, items: &shape{types: stringType}}
	hosts := &shape{types: arrayType, items: &shape{class: "HostAndPort", types: objectType}}
	for _, test := range []struct {
		shape *shape
		text  string
		want  string
	}{
		{list, "R1", `["R1"]`}, {list, "GET, POST", `["GET", "POST"]`}, {list, `a"b`, `["a\"b"]`}, {list, " ", ""},
		{hosts, "svc:80", `[{ "Host": "svc", "Port": 80 }]`}, {hosts, "svc", ""}, {hosts, "http://svc:80", ""},
		{&shape{class: "LoadBalancerOptions", types: objectType}, "RoundRobin", `{ "Type": "RoundRobin" }`},
		{&shape{class: "QoSOptions", types: objectType}, "x", ""},
	} {
		if got, ok := asContainer(&place{shape: test.shape}, test.text); ok != (test.want != "") || ok && got != test.want {
			t.Errorf("asContainer(%s, %q) = %q, %t, want %q", test.shape.class, test.text, got, ok, test.want)
		}
	}
}

func TestPlaceholdersAreNoSecrets(t *testing.T) {
	for text, want := range map[string]bool{
		"s3cr3t-t0k3n": true, "hunter2": true, "Basic dXNlcjpwYXNz": true, "abcd": true,
		"": false, ">>": false, "xxx": false, "****": false, "{TOKEN}": false, "${TOKEN}": false, "$(TOKEN)": false, "<token>": false,
		"your-token": false, "YOUR_PASSWORD": false, "%TOKEN%": false, "changeme": false, "Claims[sub] > value[0]": false,
	} {
		if got := secretText("Token", text); got != want {
			t.Errorf("secretText(%q) = %t, want %t", text, got, want)
		}
	}
	for text, want := range map[string]bool{"redis:6379": false, "redis:6379,password=hunter2": true} {
		if got := secretText("RedisConnectionString", text); got != want {
			t.Errorf("secretText(connection string %q) = %t, want %t", text, got, want)
		}
	}
}
