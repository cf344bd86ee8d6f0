package schema

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Secret is a password, token or key that is written in a file.
type Secret struct {
	// Span is the text that must not be shown.
	Span source.Span
	// Name is the name of the option that holds it; "" for user information
	// in a URL.
	Name string
}

// Secrets returns the secrets of all files, in no particular order: values of
// options with telling names, and user information in URLs, in comments too.
// Placeholders are no secrets.
func Secrets(res *load.Result) []Secret {
	out := namedSecrets(res)
	for i := range res.Texts {
		out = append(out, urlSecrets(res.Texts[i].File)...)
	}
	return out
}

// namedSecrets goes through all members of all texts, whether they are bound
// or not: a secret in an unknown option is one as well.
func namedSecrets(res *load.Result) []Secret {
	var out []Secret
	for id := syntax.ID(1); int(id) < res.Tree.Len(); id++ {
		n := res.Tree.Node(id)
		if n.Kind != syntax.String || n.KeyEnd == 0 || n.End-n.Start <= 2 || n.Flags&(syntax.Made|syntax.Replaced) != 0 {
			continue
		}
		key := res.Tree.Files[n.File].Text[n.KeyStart+1 : n.KeyEnd-1]
		if len(key) < 3 || !secretEnd(key[len(key)-1]) || res.Kind(n.File) != load.UserFile {
			continue
		}
		if name := res.Tree.Key(id); secretName(name) && secretText(name, res.Tree.Text(id)) {
			span := res.Tree.Span(id)
			span.Start, span.End = span.Start+1, span.End-1
			out = append(out, Secret{span, name})
		}
	}
	return out
}

// secretEnds are the ends of names of options and headers that hold secrets.
var secretEnds = [...]string{
	"token", "authorization", "password", "pwd", "secret", "apikey", "api-key", "jwtkey", "signingkey", "secretkey",
	"privatekey", "accesskey", "subscription-key", "connectionstring",
}

// secretEnd says whether a letter ends one of secretEnds, so that nearly all
// names are passed over at once.
func secretEnd(c byte) bool {
	switch c | 0x20 {
	case 'n', 'd', 't', 'y', 'g':
		return true
	}
	return false
}

func secretName(name string) bool {
	name = strings.ToLower(name)
	for _, end := range secretEnds {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// secretText says whether a text under a telling name is a secret: it has some
// letters or digits, is no placeholder, and if it is a connection string it
// contains a password.
func secretText(name, text string) bool {
	const fewest = 4
	signs := 0
	for _, c := range text {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			signs++
		}
	}
	if signs < fewest || placeholder(text) {
		return false
	}
	text = strings.ToLower(text)
	return !strings.HasSuffix(strings.ToLower(name), "connectionstring") ||
		strings.Contains(text, "password=") || strings.Contains(text, "pwd=") || strings.Contains(text, "accountkey=")
}

// placeholder says whether a text stands for a secret that is filled in
// elsewhere, or is an example of documentation.
func placeholder(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" || strings.ContainsAny(text, "{<") || strings.Contains(text, "$(") || strings.Contains(text, "claims[") {
		return true
	}
	if strings.Trim(text, "*x.-# ") == "" {
		return true
	}
	for _, word := range [...]string{"your", "todo", "changeme", "change-me", "replace", "example", "%"} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// urlSecrets finds user information with a password in URLs.
func urlSecrets(file *source.File) []Secret {
	var out []Secret
	text := file.Text
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("://"))
		if i < 0 {
			return out
		}
		at += i + len("://")
		end := bytes.IndexAny(text[at:min(len(text), at+longestUser)], "@/?#\"' \t\r\n\\")
		if end <= 0 || text[at+end] != '@' {
			continue
		}
		user := string(text[at : at+end])
		if _, password, ok := strings.Cut(user, ":"); ok && password != "" && !placeholder(password) {
			out = append(out, Secret{Span: source.Span{File: file, Start: at, End: at + end}})
		}
		at += end
	}
}

// longestUser bounds how far the end of user information is looked for.
const longestUser = 512

// secrets reports secrets that are written in files.
func (c *checker) secrets(found []Secret) {
	for _, secret := range found {
		d := diag.Diagnostic{
			Rule: secretInConfig, Severity: diag.Warning, Span: secret.Span, Subject: diag.Subject{Option: secret.Name},
			Message: fmt.Sprintf("the value of %q is a secret, and everybody who reads the file knows it", secret.Name),
			Help:    "leave it out, and set it by an environment variable or a secret store",
			Cause:   strings.ToLower(secret.Name),
		}
		switch {
		case secret.Name == "":
			d.Message = "the URL contains a password, and everybody who reads the file knows it"
		case c.isDiscoveryToken(secret.Span):
			d.Help = "leave it out, and set the environment variable GlobalConfiguration__ServiceDiscoveryProvider__Token"
		}
		c.list.Add(d)
	}
}

// isDiscoveryToken says whether a place is that of the token for service
// discovery in the configuration that Ocelot binds.
func (c *checker) isDiscoveryToken(span source.Span) bool {
	id := c.res.Bound
	for _, name := range [...]string{"GlobalConfiguration", "ServiceDiscoveryProvider", "Token"} {
		if id == 0 {
			return false
		}
		id = c.memberOf(id, name)
	}
	at := c.tree.Span(id)
	return id != 0 && at.File == span.File && at.Start <= span.Start && span.End <= at.End
}
