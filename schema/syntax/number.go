package syntax

import (
	"fmt"
	"strings"
)

// number reads a number by JSON's grammar and says whether it is one. The
// reasons are those of Utf8JsonReader.TryGetNumber, in its order.
func (p *parser) number() bool {
	end, why := p.scanNumber(p.pos)
	if why == noReason {
		p.pos = end
		if end == len(p.text) && len(p.open) > 0 {
			p.stop(numberEnd, end)
		}
		return true
	}
	p.stop(why, end)
	if end < len(p.text) && classes[p.text[end]]&wordPart == 0 && isDigit(p.text[end-1]) {
		p.pos = end // a good number, and something odd behind it
		return true
	}
	start := p.pos
	p.pos = p.wordEnd(max(end, start+1))
	p.oddNumber(start)
	return false
}

// scanNumber returns the offset behind the number, or the offset and the
// reason of what is wrong with it.
func (p *parser) scanNumber(i int) (end int, why reason) {
	if p.text[i] == '-' {
		i++
		if i == len(p.text) {
			return i, digitAtEnd
		}
		if !isDigit(p.text[i]) {
			return i, signDigit
		}
	}
	why = numberEnd
	if p.text[i] == '0' {
		i++
		if i < len(p.text) && isDigit(p.text[i]) {
			return i, leadingZero
		}
	} else {
		i = p.digits(i)
	}
	if i < len(p.text) && p.text[i] == '.' {
		if end, bad := p.wantDigits(i+1, pointDigit); bad != noReason {
			return end, bad
		}
		i, why = p.digits(i+1), exponentOrEnd
	}
	if i < len(p.text) && p.text[i]|0x20 == 'e' {
		i++
		if i < len(p.text) && (p.text[i] == '+' || p.text[i] == '-') {
			i++
		}
		if end, bad := p.wantDigits(i, signDigit); bad != noReason {
			return end, bad
		}
		i, why = p.digits(i), numberEnd
	}
	if i == len(p.text) || classes[p.text[i]]&delimiter != 0 {
		return i, noReason
	}
	return i, why
}

func (p *parser) wantDigits(i int, why reason) (end int, bad reason) {
	switch {
	case i == len(p.text):
		return i, digitAtEnd
	case !isDigit(p.text[i]):
		return i, why
	}
	return i, noReason
}

func (p *parser) digits(i int) int {
	for i < len(p.text) && isDigit(p.text[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func (p *parser) wordEnd(i int) int {
	for i < len(p.text) && classes[p.text[i]]&wordPart != 0 {
		i++
	}
	return i
}

// oddNumber reports a word that begins like a number.
func (p *parser) oddNumber(start int) {
	word := string(p.text[start:p.pos])
	d := Defect{Start: start, End: p.pos, Message: p.quoted(start, p.pos) + " is not a number as JSON writes it"}
	digits := strings.TrimLeft(word, "+-")
	plain := strings.TrimLeft(digits, "0")
	switch unit := strings.TrimLeft(digits, "0123456789.,_"); {
	case word == "-" || word == "+":
		d.Help = "write digits behind the sign"
	case strings.HasPrefix(strings.ToLower(digits), "0x"):
		d.Message += ": it knows no hexadecimal"
		d.Help = fmt.Sprintf("write the number in decimal, or the text %q, which .NET reads", word)
	case strings.HasPrefix(word, "+"):
		d.Message += ": it has no plus sign"
		d.Help = "write it without the sign"
		d.Fix = p.replace("remove the plus sign", start, start+1, "")
	case unit != "" && unit != digits:
		d.Message += fmt.Sprintf(": %q follows the digits", unit)
		d.Help = "write the number alone; the option decides its unit"
	case strings.Contains(word, "_"):
		d.Help = "write " + strings.ReplaceAll(word, "_", "")
	case strings.HasPrefix(digits, ".") || strings.HasSuffix(digits, "."):
		d.Message += ": digits must stand on both sides of the point"
	case len(digits) > 1 && digits[0] == '0' && plain != digits:
		d.Message += ": it begins with a zero"
		d.Help = "remove the zeros in front"
	default:
		d.Help = "write digits, optionally a point and digits, optionally e and digits"
	}
	p.report(d)
}
