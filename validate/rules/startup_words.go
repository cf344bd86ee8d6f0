package rules

import (
	"fmt"
	"strings"
)

// said is what margay says where a check of Ocelot's validator fails; %s is
// the text in the file, and left out where there is none.
type said struct{ message, help string }

var sayings = map[string]said{
	"V01": {"DownstreamPathTemplate is missing or empty", "write the path of the service, beginning with /"},
	"V02": {"UpstreamPathTemplate is missing or empty", "write the path that clients call, beginning with /"},
	"V03": {`the template %s does not begin with "/"`, "write a / before it"},
	"V04": {`the template %s contains "//"`, "write a single /"},
	"V05": {"the template %s holds a scheme, where only a path belongs", "write the path here, the scheme into DownstreamScheme and the host into DownstreamHostAndPorts"},
	"V06": {"a Limit of %s lets no request through", "write a number above 0, or EnableRateLimiting: false"},
	"V07": {"RateLimitOptions has no Period, and that of the global section does not help here", `write a Period with its unit, such as "1s"`},
	"V08": {"the Period %s is not a number with a unit", `write digits and ms, s, m, h or d, such as "1s"`},
	"V09": {"the authentication scheme %s is not registered", "name one that the application registers (--schemes lists them)"},
	"V10": {"the route has neither hosts nor a service name", "write DownstreamHostAndPorts or ServiceName"},
	"V11": {"a host of DownstreamHostAndPorts has no name", "write its Host"},
	"V12": {"%s is not a version of HTTP that Ocelot takes", `write "1.1" or "2.0"`},
	"V13": {"%s is not a policy for HTTP versions", "write RequestVersionExact, RequestVersionOrHigher or RequestVersionOrLower"},
	"V14": {"these QoSOptions are active, but no QoS provider is registered", "call AddQualityOfService() or AddPolly() in the application, or remove them"},
	"V16": {"the service name %s needs a discovery provider, and none is registered", "register one in the application, such as AddConsul(), or write hosts instead"},
	"V17": {"the discovery provider %s is not registered", "register it in the application, such as AddConsul()"},
	"V18": {"a placeholder occurs twice in %s", "give each placeholder a name of its own"},
	"V19": {"the route %s takes the same requests as an aggregate", "give one of both another template or host"},
	"V20": {"the aggregate %s takes the same requests as another one", "give one of both another template or host"},
	"V21": {"the keys of this aggregate do not match exactly one route each", "name only keys of static routes, and give each route a Key of its own"},
	"V22": {"an aggregate cannot have a member with a RequestIdKey of its own", "remove RequestIdKey from the route; the global one is fine"},
	"V23": {"the downstream template %s has not the placeholders of the upstream one", "write the same placeholders in both, or move on to 23.2.2, which takes the route"},
}

// words returns the message and the help for a check that fails at a text.
func words(check, text string) (message, help string) {
	s := sayings[check]
	switch {
	case !strings.Contains(s.message, "%s"):
		return s.message, s.help
	case text == "" || text == "{" || text == "[":
		return strings.Replace(s.message, " %s", "", 1), s.help
	}
	return fmt.Sprintf(s.message, short(text)), s.help
}

// short keeps a quoted text within what a line can hold.
func short(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
