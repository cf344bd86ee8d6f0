package balance

import (
	"crypto/sha256"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxSessions bounds the sessions of one balancer: clients choose the values of
// their cookies.
const maxSessions = 100_000

// sessions are the hosts of CookieStickySessions by the value of the cookie.
// Clients without the cookie share one session, that of the empty value
// (lb-st/001).
type sessions struct {
	cookie string
	expiry time.Duration

	mu    sync.Mutex
	hosts map[string]*session // guarded by mu
	swept time.Time           // guarded by mu: when the expired ones were dropped last
}

type session struct {
	host *Host
	end  time.Time
}

func (s *sessions) init(cookie string, expiry time.Duration) {
	s.cookie, s.expiry, s.hosts = cookie, expiry, map[string]*session{}
}

// sticky returns the host of the client's session, and prolongs it. A new
// session, and one whose host is not among hosts, gets the next host in turn.
func sticky(b *Balancer, hosts []*Host, r *http.Request) *Host {
	value := short(cookieOf(r, b.sessions.cookie))
	now := time.Now()
	s := &b.sessions
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.hosts[value]
	if known == nil {
		s.makeRoom(now)
		known = &session{}
		s.hosts[strings.Clone(value)] = known // else the value keeps its whole line
	}
	if !now.Before(known.end) || !slices.Contains(hosts, known.host) {
		known.host = roundRobin(b, hosts, r)
	}
	known.end = now.Add(s.expiry)
	return known.host
}

// makeRoom drops what has expired, once in a while, and anything if that is not
// enough. s.mu is held.
func (s *sessions) makeRoom(now time.Time) {
	pause := s.expiry
	if len(s.hosts) >= maxSessions {
		pause = min(pause, time.Second) // to look through all of them takes long
	}
	if now.Sub(s.swept) >= pause {
		s.swept = now
		for value, one := range s.hosts {
			if !now.Before(one.end) {
				delete(s.hosts, value)
			}
		}
	}
	for value := range s.hosts {
		if len(s.hosts) < maxSessions {
			break
		}
		delete(s.hosts, value)
	}
}

// longest is the longest value that is kept as it is.
const longest = 64

// short keeps clients from filling the memory with long values.
func short(value string) string {
	if len(value) <= longest {
		return value
	}
	sum := sha256.Sum256([]byte(value))
	return string(sum[:])
}

// cookieOf returns the value of a cookie, whose name is compared without regard
// to case (lb-st-case/001); empty if the client sent none.
func cookieOf(r *http.Request, name string) string {
	for _, line := range r.Header["Cookie"] {
		for pair := range strings.SplitSeq(line, ";") {
			n, v, _ := strings.Cut(strings.TrimSpace(pair), "=")
			if strings.EqualFold(n, name) {
				return v
			}
		}
	}
	return ""
}
