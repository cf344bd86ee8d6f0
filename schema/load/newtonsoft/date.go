package newtonsoft

import (
	"strconv"
	"strings"
	"time"
)

// moment is a .NET DateTime. Newtonsoft turns every string that looks like a
// date into one and writes it in its own form, whatever the string was for.
type moment struct {
	// ticks are units of 100 ns since the first day of year 1.
	ticks int64
	zone  zone
}

type zone uint8

const (
	unspecified zone = iota
	utc
	// local stands for the machine's zone, modelled as UTC.
	local
)

const (
	ticksPerSecond = 10_000_000
	ticksPerDay    = 24 * 60 * 60 * ticksPerSecond
	maxTicks       = 3_155_378_975_999_999_999
	unixTicks      = 621_355_968_000_000_000
)

// String writes the moment in ISO 8601 without trailing zeros.
func (m moment) String() string {
	seconds, fraction := m.ticks/ticksPerSecond, m.ticks%ticksPerSecond
	out := time.Unix(seconds-unixTicks/ticksPerSecond, 0).UTC().Format("2006-01-02T15:04:05")
	if fraction > 0 {
		digits := strconv.FormatInt(fraction+ticksPerSecond, 10)[1:]
		out += "." + strings.TrimRight(digits, "0")
	}
	return out + [...]string{"", "Z", "+00:00"}[m.zone]
}

// parseDate says whether a string is a date for Newtonsoft: ISO 8601 with a T,
// or the form "/Date(…)/".
func parseDate(s string) (m moment, ok bool, failure error) {
	switch {
	case len(s) < 9:
		return m, false, nil
	case s[0] == '/':
		if strings.HasPrefix(s, "/Date(") && strings.HasSuffix(s, ")/") {
			return parseScriptDate(s)
		}
	case len(s) >= 19 && len(s) <= 40 && isDigit(s[0]) && s[10] == 'T':
		m, ok = parseISODate(s)
	}
	return m, ok, nil
}

// parseScriptDate reads "/Date(milliseconds)/", with an offset that says only
// that the result is local.
func parseScriptDate(s string) (m moment, ok bool, failure error) {
	m.zone = utc
	digits := s[6 : len(s)-2]
	sign := -1
	if len(digits) > 1 {
		if sign = strings.IndexByte(digits[1:], '+'); sign < 0 {
			sign = strings.IndexByte(digits[1:], '-')
		}
	}
	if sign >= 0 {
		m.zone = local
		if !validOffset(s[6+1+sign:]) {
			return m, false, nil
		}
		digits = digits[:sign+1]
	}
	if !allDigits(strings.TrimPrefix(digits, "-")) {
		return m, false, nil
	}
	millis, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return m, false, nil
	}
	m.ticks = millis*10_000 + unixTicks
	if m.ticks < 0 || m.ticks > maxTicks {
		return m, false, &Error{Type: "System.ArgumentOutOfRangeException",
			Message: "Ticks must be between DateTime.MinValue.Ticks and DateTime.MaxValue.Ticks. (Parameter 'ticks')"}
	}
	return m, true, nil
}

// validOffset checks the offset at the start of s, which ends with ")/".
func validOffset(s string) bool {
	if len(s) < 3 || !isDigit(s[1]) || !isDigit(s[2]) {
		return false
	}
	return len(s) <= 5 || isDigit(s[3]) && isDigit(s[4])
}

// isoParser reads ISO 8601 by position. Its odd corners are those of
// Newtonsoft's own parser: two digits too many after the seconds pass for the
// minutes of a zone.
type isoParser struct {
	s  string
	at int
}

func parseISODate(s string) (moment, bool) {
	p := isoParser{s: s}
	year, ok1 := p.number(4)
	month, ok2 := p.after('-')
	day, ok3 := p.after('-')
	if !ok1 || !ok2 || !ok3 || year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return moment{}, false
	}
	seconds, ok := p.clock()
	if !ok {
		return moment{}, false
	}
	fraction, ok := p.fraction()
	if !ok {
		return moment{}, false
	}
	days := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / 86400
	m := moment{ticks: unixTicks + days*ticksPerDay + int64(seconds)*ticksPerSecond + fraction}
	return p.inZone(m)
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// clock reads the time of day in seconds; 24:00:00 is the end of the day.
func (p *isoParser) clock() (int, bool) {
	hour, ok1 := p.after('T')
	minute, ok2 := p.after(':')
	second, ok3 := p.after(':')
	if !ok1 || !ok2 || !ok3 || hour > 24 || minute > 59 || second > 59 {
		return 0, false
	}
	if hour == 24 && (minute != 0 || second != 0) {
		return 0, false
	}
	return hour*3600 + minute*60 + second, true
}

// fraction reads up to seven digits behind a point, in ticks.
func (p *isoParser) fraction() (int64, bool) {
	if !p.char('.') {
		return 0, true
	}
	start := p.at
	for p.at < len(p.s) && p.at-start < 7 && isDigit(p.s[p.at]) {
		p.at++
	}
	if p.at == start {
		return 0, false
	}
	digits := p.s[start:p.at] + strings.Repeat("0", 7-(p.at-start))
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

// inZone reads the zone, which must end the text, and moves the moment there.
func (p *isoParser) inZone(m moment) (moment, bool) {
	if p.at == len(p.s) {
		return m, m.ticks <= maxTicks
	}
	if p.char('Z') || p.char('z') {
		m.zone = utc
		return m, p.at == len(p.s) && m.ticks <= maxTicks
	}
	sign, hours := p.zoneHours()
	p.char(':')
	minutes, _ := p.number(2)
	if p.at != len(p.s) {
		return m, false
	}
	if sign == 0 {
		return m, m.ticks <= maxTicks
	}
	offset := int64(hours*60+minutes) * 60 * ticksPerSecond
	m.zone = local
	m.ticks = min(max(m.ticks-int64(sign)*offset, 0), int64(maxTicks))
	return m, true
}

// zoneHours reads a sign and hours; sign 0 says that there are none.
func (p *isoParser) zoneHours() (sign, hours int) {
	if p.at+2 >= len(p.s) || !isDigit(p.s[p.at+1]) || !isDigit(p.s[p.at+2]) {
		return 0, 0
	}
	switch p.s[p.at] {
	case '+':
		sign = 1
	case '-':
		sign = -1
	default:
		return 0, 0
	}
	p.at++
	hours, _ = p.number(2)
	return sign, hours
}

func (p *isoParser) char(c byte) bool {
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

// after reads a separator and two digits.
func (p *isoParser) after(separator byte) (int, bool) {
	if !p.char(separator) {
		return 0, false
	}
	return p.number(2)
}

// number reads exactly n digits, or nothing.
func (p *isoParser) number(n int) (int, bool) {
	if p.at+n > len(p.s) {
		return 0, false
	}
	value := 0
	for _, c := range []byte(p.s[p.at : p.at+n]) {
		if !isDigit(c) {
			return 0, false
		}
		value = value*10 + int(c-'0')
	}
	p.at += n
	return value, true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// general writes the moment as DateTime.ToString does under the invariant
// culture.
func (m moment) general() string {
	return time.Unix(m.ticks/ticksPerSecond-unixTicks/ticksPerSecond, 0).UTC().Format("01/02/2006 15:04:05")
}
