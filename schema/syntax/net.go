package syntax

import (
	"bytes"
	"fmt"
	"strings"
)

// reason is why Utf8JsonReader, .NET's JSON reader, refuses a text. The names
// of its resource strings stand beside the texts below.
type reason uint8

const (
	noReason       reason = iota
	noTokens              // ExpectedJsonTokens
	valueStart            // ExpectedStartOfValueNotFound
	nameStart             // ExpectedStartOfPropertyNotFound
	nameOrValueEnd        // ExpectedStartOfPropertyOrValueNotFound
	colonMissing          // ExpectedSeparatorAfterPropertyNameNotFound
	colonAtEnd            // ExpectedValueAfterPropertyNameNotFound
	afterValue            // FoundInvalidCharacter
	afterRoot             // ExpectedEndAfterSingleJson
	noOpening             // MismatchedObjectArray
	openAtEnd             // ZeroDepthAtEnd
	stringAtEnd           // EndOfStringNotFound
	inString              // InvalidCharacterWithinString
	afterBackslash        // InvalidCharacterAfterEscapeWithinString
	afterU                // InvalidHexCharacterWithinString
	commentAtEnd          // EndOfCommentNotFound
	lineSeparator         // UnexpectedEndOfLineSeparator
	signDigit             // RequiredDigitNotFoundAfterSign
	pointDigit            // RequiredDigitNotFoundAfterDecimal
	digitAtEnd            // RequiredDigitNotFoundEndOfData
	leadingZero           // InvalidLeadingZeroInNumber
	numberEnd             // ExpectedEndOfDigitNotFound
	exponentOrEnd         // ExpectedNextDigitEValueNotFound
	notTrue               // ExpectedTrue
	notFalse              // ExpectedFalse
	notNull               // ExpectedNull
	objectDepth           // ObjectDepthTooLarge
	arrayDepth            // ArrayDepthTooLarge
)

// netTexts are the texts of System.Text.Json 10; %s is the byte it stands at.
var netTexts = [...]string{
	noTokens:       "The input does not contain any JSON tokens. Expected the input to start with a valid JSON token, when isFinalBlock is true.",
	valueStart:     "'%s' is an invalid start of a value.",
	nameStart:      "'%s' is an invalid start of a property name. Expected a '\"'.",
	nameOrValueEnd: "Expected start of a property name or value, but instead reached end of data.",
	colonMissing:   "'%s' is invalid after a property name. Expected a ':'.",
	colonAtEnd:     "Expected a value, but instead reached end of data.",
	afterValue:     "'%s' is invalid after a value. Expected either ',', '}', or ']'.",
	afterRoot:      "'%s' is invalid after a single JSON value. Expected end of data.",
	noOpening:      "'%s' is invalid without a matching open.",
	openAtEnd:      "Expected depth to be zero at the end of the JSON payload. There is an open JSON object or array that should be closed.",
	stringAtEnd:    "Expected end of string, but instead reached end of data.",
	inString:       "'%s' is invalid within a JSON string. The string should be correctly escaped.",
	afterBackslash: "'%s' is an invalid escapable character within a JSON string. The string should be correctly escaped.",
	afterU:         `'%s' is not a hex digit following '\u' within a JSON string. The string should be correctly escaped.`,
	commentAtEnd:   "Expected end of comment, but instead reached end of data.",
	lineSeparator:  "Found invalid line or paragraph separator character while reading a comment.",
	signDigit:      "'%s' is invalid within a number, immediately after a sign character ('+' or '-'). Expected a digit ('0'-'9').",
	pointDigit:     "'%s' is invalid within a number, immediately after a decimal point ('.'). Expected a digit ('0'-'9').",
	digitAtEnd:     "Expected a digit ('0'-'9'), but instead reached end of data.",
	leadingZero:    "Invalid leading zero before '%s'.",
	numberEnd:      "'%s' is an invalid end of a number. Expected a delimiter.",
	exponentOrEnd:  "'%s' is an invalid end of a number. Expected 'E' or 'e'.",
	notTrue:        "'%s' is an invalid JSON literal. Expected the literal 'true'.",
	notFalse:       "'%s' is an invalid JSON literal. Expected the literal 'false'.",
	notNull:        "'%s' is an invalid JSON literal. Expected the literal 'null'.",
	objectDepth:    "The maximum configured depth of 64 has been exceeded. Cannot read next JSON object.",
	arrayDepth:     "The maximum configured depth of 64 has been exceeded. Cannot read next JSON array.",
}

// netMessage returns what System.Text.Json says about the byte at an offset.
// subject is what it quotes; "" makes it the byte itself.
func (p *parser) netMessage(why reason, at int, subject string) string {
	text := netTexts[why]
	if strings.Contains(text, "%s") {
		if subject == "" {
			subject = p.netByte(at)
		}
		text = fmt.Sprintf(text, subject)
	}
	line, column := p.netPosition(at)
	return fmt.Sprintf("%s LineNumber: %d | BytePositionInLine: %d.", text, line, column)
}

// netByte quotes the byte at an offset. At the end of the text, where only a
// number can be wrong by itself, .NET quotes the last byte.
func (p *parser) netByte(at int) string {
	c := p.text[min(at, len(p.text)-1)]
	if c >= ' ' && c < 0x7F {
		return string(rune(c))
	}
	return fmt.Sprintf("0x%02X", c)
}

// netPosition returns zero-based line and byte numbers as Utf8JsonReader
// counts them: \n ends a line, a lone \r only where it ends a // comment.
func (p *parser) netPosition(at int) (line, column int) {
	before := p.text[:at]
	line = bytes.Count(before, []byte{'\n'})
	start := bytes.LastIndexByte(before, '\n') + 1
	for _, c := range p.comments {
		end := int(c.End)
		if end < at && p.text[end] == '\r' && p.text[c.Start+1] == '/' && (end+1 == len(p.text) || p.text[end+1] != '\n') {
			line++
			start = max(start, end+1)
		}
	}
	return line, at - start
}
