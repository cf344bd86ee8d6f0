package report

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// markdownText returns one line of text for Markdown that reads as it is: with
// no markup, HTML, mention, reference, emoji or link in it. Words with encoded
// characters, which people copy, are code: nothing may stand between their
// characters.
func markdownText(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	var b strings.Builder
	done := 0
	for _, word := range encodedWord.FindAllStringIndex(text, -1) {
		b.WriteString(markdownPlain(text[done:word[0]]) + markdownCode(text[word[0]:word[1]]))
		done = word[1]
	}
	return b.String() + markdownPlain(text[done:])
}

// encodedWord is a word with a character such as %20 in it.
var encodedWord = regexp.MustCompile("[^\\s\"'`,;]*%[0-9A-Fa-f]{2}[^\\s\"'`,;]*")

// markdownPlain is markdownText for a part without encoded characters.
func markdownPlain(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_[]|~#$", r) || markdownLead(text, i, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		if markdownSigil(r, text[i+utf8.RuneLen(r):]) || strings.HasSuffix(text[:i], "ww") && r == 'w' {
			b.WriteString(apart)
		}
	}
	return b.String()
}

// apart is a space of no width. GitHub and GitLab look for names, numbers and
// links, such as "www.", in the finished text, where a backslash is gone.
const apart = "&#8203;"

// markdownSigil says whether a character makes a mention (@), a reference (# !
// % ~ $), an emoji or a link (:) of what follows.
func markdownSigil(r rune, behind string) bool {
	next, _ := utf8.DecodeRuneInString(behind)
	return strings.ContainsRune("@#!%~$:", r) && (unicode.IsLetter(next) || unicode.IsDigit(next) || strings.ContainsRune(`"/{_+-`, next))
}

// markdownLead says whether a character begins a list or a rule because only
// digits, or nothing, stand before it.
func markdownLead(text string, i int, r rune) bool {
	switch r {
	case '-', '+', '=':
		return i == 0
	case '.', ')':
		return i > 0 && strings.Trim(text[:i], "0123456789") == ""
	}
	return false
}

// markdownCode returns a text as code: between more backticks than are in it,
// with a blank where one would touch them.
func markdownCode(text string) string {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " "
	}
	return fence + text + fence
}
