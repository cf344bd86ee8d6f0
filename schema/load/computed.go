package load

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/load/newtonsoft"
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/syntax"
)

// computed returns the node of a member that an object computes from its other
// members whenever it is written.
func (l *loader) computed(o *newtonsoft.Object, m *model.Member, fallback syntax.ID) syntax.ID {
	switch m.Name {
	case "HasScheme":
		return l.truth(fallback, l.filled(o, "AuthenticationProviderKey") || l.filled(o, "AuthenticationProviderKeys"))
	case "HasScope":
		return l.truth(fallback, l.filled(o, "AllowedScopes"))
	case "KeyToPath":
		key := o.Get("Key")
		if !key.Set || l.tree.Node(key.Scalar).Kind == syntax.Null {
			return fallback
		}
		id := copyNode(l.tree, key.Scalar)
		l.tree.SetText(id, urlEncode(l.tree.Text(id)))
		return id
	}
	return fallback
}

// filled says whether a member holds a text that is not blank, or a list with
// such an element.
func (l *loader) filled(o *newtonsoft.Object, name string) bool {
	v := o.Get(name)
	if v.Scalar != 0 {
		return strings.TrimSpace(l.tree.Text(v.Scalar)) != ""
	}
	for _, item := range v.Items {
		if item.Scalar != 0 && strings.TrimSpace(l.tree.Text(item.Scalar)) != "" {
			return true
		}
	}
	return false
}

func (l *loader) truth(node syntax.ID, truth bool) syntax.ID {
	if !truth {
		return node
	}
	id := copyNode(l.tree, node)
	l.tree.Node(id).Kind = syntax.True
	return id
}

// urlEncode is WebUtility.UrlEncode. Unlike url.QueryEscape it keeps ! * ( ) and
// escapes the tilde.
func urlEncode(text string) string {
	var out strings.Builder
	for _, c := range []byte(text) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-_.!*()", c) >= 0:
			out.WriteByte(c)
		case c == ' ':
			out.WriteByte('+')
		default:
			fmt.Fprintf(&out, "%%%02X", c)
		}
	}
	return out.String()
}
