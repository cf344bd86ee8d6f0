package cache

import (
	"crypto/sha256"
	"encoding/binary"
)

// Key identifies a question.
type Key [sha256.Size]byte

// Question is what an answer depends on.
type Question struct {
	// Method is the one that the backend is asked with.
	Method string
	// URL is the client's, with the host as it was written.
	URL string
	// Header holds the values of the header that belongs to the key, one behind
	// the other.
	Header string
	// Owner is the route that has the answer; empty is every route.
	Owner string
	// Body is the content of the request, nil where there is none or where it
	// does not count. No body and an empty one are two questions (ca-hash).
	Body []byte
}

// Key returns the key of q. Every part stands for itself: Ocelot puts dashes in
// between, so that the header of one request can stand for a piece of the URL
// of another.
func (q *Question) Key() Key {
	buffer := make([]byte, 0, 256)
	for _, part := range []string{q.Method, q.URL, q.Header, q.Owner} {
		buffer = binary.AppendUvarint(buffer, uint64(len(part)))
		buffer = append(buffer, part...)
	}
	if q.Body == nil {
		return sha256.Sum256(buffer)
	}
	h := sha256.New()
	h.Write(buffer)
	h.Write([]byte{1})
	h.Write(q.Body)
	return Key(h.Sum(nil))
}
