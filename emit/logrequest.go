package emit

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// requestForms are the forms in which logs name a request: those of Ocelot from
// new to old, then those of what stands around it.
var requestForms = [...]*regexp.Regexp{
	regexp.MustCompile(`(?:request|upstream): (?P<method>[A-Z]+) (?P<path>/[^\s"]*)`),
	regexp.MustCompile(`request path: ?(?P<path>/[^\s,]*), request method: ?(?P<method>[A-Z]+)`),
	regexp.MustCompile(`upstream path: (?P<path>/[^\s,]*), verb: (?P<method>[A-Z]+)`),
	regexp.MustCompile(`HTTP/[0-9.]+ (?P<method>[A-Z]+) \w+://[^/\s]+(?P<path>/\S*)(?: \S+ \S+ - (?P<status>[45][0-9]{2})\b| - (?P<status>[45][0-9]{2})\b)?`), // ASP.NET Core
	regexp.MustCompile(`HTTP "?(?P<method>[A-Z]+)"? "?(?P<path>/[^\s"]*)"? responded (?P<status>[1-5][0-9]{2})\b`),                                            // Serilog
	regexp.MustCompile(`"(?P<method>[A-Z]+) (?P<path>/\S*) HTTP/[0-9.]+" (?P<status>[1-5][0-9]{2})\b`),                                                        // access logs
}

// The members in which structured logs keep a request.
var (
	methodMember = regexp.MustCompile(`"(?:[Rr]equest_?)?[Mm]ethod" ?: ?"([A-Z]+)"`)
	pathMember   = regexp.MustCompile(`"(?:[Rr]equest_?)?[Pp]ath" ?: ?"(/[^"]*)"|\bRequestPath[:=] ?(/[^\s"]*)`)
)

// requestIn returns the request that a line names and the status of its answer;
// "" and 0 where it does not say.
func requestIn(text string) (method, path string, status int) {
	for _, form := range requestForms {
		m := form.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for i, name := range form.SubexpNames() {
			switch {
			case name == "method":
				method = m[i]
			case name == "path":
				path = strings.TrimRight(m[i], `'"`)
			case name == "status" && m[i] != "":
				status, _ = strconv.Atoi(m[i])
			}
		}
		return method, path, failed(status)
	}
	if m := pathMember.FindStringSubmatch(text); m != nil {
		path = m[1] + m[2]
		if m := methodMember.FindStringSubmatch(text); m != nil {
			method = m[1]
		}
	}
	return method, path, 0
}

// failed leaves statuses out that nothing has to be explained about.
func failed(status int) int {
	if status < 400 {
		return 0
	}
	return status
}

// escape is what JSON writes for a character.
var escape = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|[nrt"/])`)

// unescaped writes out the characters that a structured log has as escapes, as
// the writers of .NET do it with < and '. A line may be cut off anywhere, so it
// is not read as JSON.
func unescaped(text string) string {
	if !strings.Contains(text, `":`) && !strings.Contains(text, `\u00`) {
		return text
	}
	return escape.ReplaceAllStringFunc(text, func(e string) string {
		switch e[1] {
		case 'n', 'r', 't':
			return " "
		case 'u':
			code, _ := strconv.ParseUint(e[2:], 16, 16)
			if r := rune(code); utf8.ValidRune(r) {
				return string(r)
			}
			return string(utf8.RuneError)
		}
		return e[1:]
	})
}
