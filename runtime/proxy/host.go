package proxy

import (
	"strconv"
	"strings"
)

// validHost reports whether a Host header is one that Kestrel takes: a name of
// letters, digits and !$&'()-._~, or an address in brackets, and a port
// (recordings hosthdr-odd, pick-host).
func validHost(host string) bool {
	if host == "" {
		return true
	}
	name, port := host, ""
	if host[0] == '[' {
		end := strings.IndexByte(host, ']')
		if end < 3 || strings.Trim(host[1:end], "0123456789abcdefABCDEF:.") != "" {
			return false
		}
		name, port = "", host[end+1:]
	} else if i := strings.IndexByte(host, ':'); i >= 0 {
		name, port = host[:i], host[i:]
		if i == 0 {
			return false
		}
	}
	for i := range len(name) {
		if !hostByte(name[i]) {
			return false
		}
	}
	return port == "" || validPort(port)
}

func hostByte(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return strings.IndexByte("!$&'()-._~", c) >= 0
}

// validPort reports whether a text is a colon and digits.
func validPort(port string) bool {
	if port[0] != ':' || len(port) == 1 {
		return false
	}
	for i := 1; i < len(port); i++ {
		if port[i] < '0' || port[i] > '9' {
			return false
		}
	}
	return true
}

// mappable reports whether Ocelot can make a URI of a host that Kestrel takes:
// it is not empty, no part of it is, and its port is none above 65535
// (pick-host/029, hosthdr-odd/013).
func mappable(host string) bool {
	if strings.Contains(host, "..") || strings.HasPrefix(host, ".") {
		return false
	}
	i := strings.LastIndexByte(host, ':')
	if host == "" || i < 0 || host[len(host)-1] == ']' {
		return host != ""
	}
	_, err := strconv.ParseUint(host[i+1:], 10, 16)
	return err == nil
}
