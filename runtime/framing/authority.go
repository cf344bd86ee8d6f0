package framing

import "bytes"

// findAuthority remembers where a target in absolute form names its host.
func (s *Scanner) findAuthority(b []byte, from, to int) {
	target := b[from:to]
	if target[0] == '/' {
		return
	}
	i := bytes.Index(target, []byte("://"))
	if i < 0 {
		return
	}
	s.secure = is(target[:i], "https")
	i += len("://")
	end := len(target)
	if j := bytes.IndexAny(target[i:], "/?#"); j >= 0 {
		end = i + j
	}
	s.authority = span{from + i, from + end}
}

// otherHost reports whether the target names a host that Host does not. Kestrel
// refuses that (kestrel/058): whoever is in front may have gone by the other
// one. The scheme's own port may be said or not (kestrel/060, kestrel/061).
func (s *Scanner) otherHost(b []byte) bool {
	if s.authority == (span{}) {
		return false
	}
	port := ":80"
	if s.secure {
		port = ":443"
	}
	target := bytes.TrimSuffix(s.authority.of(b), []byte(port))
	host := bytes.TrimSuffix(trim(s.host.of(b)), []byte(port))
	return !bytes.EqualFold(target, host)
}
