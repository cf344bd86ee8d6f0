package access

import (
	"net/url"
	"strings"
)

// hidden stands where a secret would.
const hidden = "***"

// masked returns a target without the values of parameters whose name says
// that they are secret.
func masked(target string) string {
	path, query, ok := strings.Cut(target, "?")
	if !ok || !strings.Contains(query, "=") {
		return target
	}
	pairs := strings.Split(query, "&")
	changed := false
	for i, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok && value != "" && isSecret(name) {
			pairs[i], changed = name+"="+hidden, true
		}
	}
	if !changed {
		return target
	}
	return path + "?" + strings.Join(pairs, "&")
}

// isSecret says whether a parameter of such a name, as it was sent, carries a
// secret as a rule.
func isSecret(name string) bool {
	if decoded, err := url.QueryUnescape(name); err == nil { // as the backend reads it
		name = decoded
	}
	name = strings.ToLower(name)
	for _, part := range []string{"token", "secret", "password", "passwd", "apikey", "api_key", "api-key", "signature", "credential"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "sig" || name == "key" || name == "pwd" || name == "code" || name == "jwt"
}
