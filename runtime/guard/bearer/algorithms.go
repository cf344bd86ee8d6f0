package bearer

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

// signatures are the algorithms whose keys can be published.
func signatures() []jose.SignatureAlgorithm {
	return []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
		jose.ES256, jose.ES384, jose.ES512, jose.EdDSA}
}

// secrets are those whose key is known to issuer and gateway alone.
func secrets() []jose.SignatureAlgorithm {
	return []jose.SignatureAlgorithm{jose.HS256, jose.HS384, jose.HS512}
}

// fits reports whether a key is of the kind that an algorithm takes. A public
// key is never taken for a secret: else everybody could sign with it.
func fits(key any, algorithm string) bool {
	switch key.(type) {
	case *rsa.PublicKey:
		return strings.HasPrefix(algorithm, "RS") || strings.HasPrefix(algorithm, "PS")
	case *ecdsa.PublicKey:
		return strings.HasPrefix(algorithm, "ES")
	case ed25519.PublicKey:
		return algorithm == string(jose.EdDSA)
	case []byte:
		return slices.Contains(secrets(), jose.SignatureAlgorithm(algorithm))
	}
	return false
}
