package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
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

// Texts returns the forms in which a message could hold the secret: as it stands
// in the file, as the program reads it, the parts of a header transform, which
// a comma separates, and all that in quotes.
func (s Secret) Texts() []string {
	written := s.Span.Text()
	all := []string{written}
	var read string
	if json.Unmarshal([]byte(`"`+written+`"`), &read) != nil {
		return all
	}
	const telling = 8 // shorter parts may be any word
	forms := []string{read}
	for part := range strings.SplitSeq(read, ",") {
		if part = strings.TrimSpace(part); len(part) >= telling && part != read {
			forms = append(forms, part)
		}
	}
	for _, form := range forms {
		quoted := strconv.Quote(form)
		all = append(all, form, quoted[1:len(quoted)-1])
	}
	return all
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
		if n.KeyEnd == 0 || n.Kind != syntax.String && n.Kind != syntax.Array || n.End-n.Start <= 2 || n.Flags&(syntax.Made|syntax.Replaced) != 0 {
			continue
		}
		if name := res.Tree.Key(id); secretName(name) && res.Kind(n.File) == load.UserFile {
			out = appendSecrets(out, res.Tree, name, id)
		}
	}
	return out
}

// appendSecrets adds the value of an option with a telling name, or what is in
// it if it is a list.
func appendSecrets(out []Secret, tree *syntax.Tree, name string, id syntax.ID) []Secret {
	switch tree.Node(id).Kind {
	case syntax.Array:
		for item := range tree.Children(id) {
			out = appendSecrets(out, tree, name, item)
		}
	case syntax.String:
		if span := tree.Span(id); span.End-span.Start > 2 && secretText(name, tree.Text(id)) {
			span.Start, span.End = span.Start+1, span.End-1
			out = append(out, Secret{span, name})
		}
	}
	return out
}

// secretEnds returns the ends of names of options and headers that hold
// secrets, by their last letter; nil for nearly all names.
func secretEnds(last byte) []string {
	switch last | 0x20 {
	case 'n':
		return []string{"token", "authorization"}
	case 'd':
		return []string{"password", "pwd"}
	case 't':
		return []string{"secret"}
	case 'y':
		return []string{"apikey", "api-key", "jwtkey", "signingkey", "secretkey", "privatekey", "accesskey", "subscription-key"}
	case 'g':
		return []string{"connectionstring"}
	}
	return nil
}

func secretName(name string) bool {
	if name == "" {
		return false
	}
	for _, end := range secretEnds(name[len(name)-1]) {
		if len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end) {
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
	if !strings.HasSuffix(strings.ToLower(name), "connectionstring") {
		return true
	}
	password := passwordOf(text)
	return password != "" && !placeholder(password)
}

// passwordOf returns the password in a connection string; "" if there is none.
func passwordOf(text string) string {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == ',' }) {
		name, value, _ := strings.Cut(part, "=")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "password", "pwd", "accountkey", "sharedaccesskey":
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// placeholder says whether a text stands for a secret that is filled in
// elsewhere, or is an example of documentation.
func placeholder(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" || enclosed(text, "{", "}") || enclosed(text, "<", ">") || strings.Contains(text, "$(") || strings.Contains(text, "claims[") {
		return true
	}
	text = strings.Trim(text, "*x.-# []()")
	if text == "" {
		return true
	}
	for _, word := range [...]string{"your", "todo", "changeme", "change-me", "replace", "example", "redacted", "%"} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// enclosed says whether something in a text stands between two brackets.
func enclosed(text, open, shut string) bool {
	_, behind, found := strings.Cut(text, open)
	return found && strings.Contains(behind, shut)
}

// urlSecrets finds user information with a password in URLs. It looks for the
// sign after it, which is rare, and from there back.
func urlSecrets(file *source.File) []Secret {
	var out []Secret
	text := file.Text
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '@')
		if i < 0 {
			return out
		}
		at += i
		before := text[max(0, at-longestUser):at]
		slashes := bytes.LastIndex(before, []byte("://"))
		if slashes < 0 {
			continue
		}
		user := before[slashes+len("://"):]
		if _, password, ok := strings.Cut(string(user), ":"); !ok || password == "" || placeholder(password) || bytes.ContainsAny(user, "/?#\"' \t\r\n\\") {
			continue
		}
		out = append(out, Secret{Span: source.Span{File: file, Start: at - len(user), End: at}})
	}
}

// longestUser bounds how far the start of user information is looked for.
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
		c.add(d)
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
