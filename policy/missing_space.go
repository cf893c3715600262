package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine"
)

// withoutSign reads a suspect as the end of one sentence and the first word of the next one,
// without a space between them: "5€.It", "Ok👍.So". It returns the text of the suspect without the
// sign in front of the full stop, or "" if nothing else is there. The price may have full stops,
// too: "9.90€.It". c are the components of the suspect.
func withoutSign(l *engine.Link, c *engine.Components) (text string, ok bool) {
	if l.Kind != engine.KindSuspect || c.Host != l.Text {
		return "", false
	}
	whole := wholePart(c.Host)
	end, word, _ := strings.Cut(c.Host[len(whole):], ".")
	if !isCapitalised(word) || slices.Contains(ofHosts, strings.ToLower(word)) {
		return "", false
	}
	before := strings.TrimRightFunc(end, isSentenceSign)
	switch signs := end[len(before):]; {
	case before == "":
		return "", true
	case strings.Trim(signs, emojiStyle) == "": // no sign, or only the selector of an emoji
		return "", false
	case whole != "" && strings.Trim(before, "0123456789") != "":
		return "", false
	case strings.ContainsFunc(before, isSentenceSign): // it may be read as a letter
		return "", false
	case strings.Trim(before, "0123456789") != "" && strings.ContainsFunc(norm.NFKC.String(signs), isLetterOrNumber):
		return "", false
	}
	return before + "." + word, true
}

// wholePart returns the digits and full stops before the last part of a number that a host begins with:
// "9." of "9.90€.It". A longer number may be an IPv4 address.
func wholePart(host string) string {
	number := host[:len(host)-len(strings.TrimLeft(host, "0123456789."))]
	if !isShortNumber(number) {
		return ""
	}
	return number[:strings.LastIndexByte(number, '.')+1]
}

// isShortNumber reports whether a name has only digits and fewer full stops than an IPv4
// address. No program makes a link of it without a scheme.
func isShortNumber(name string) bool {
	return strings.Trim(name, "0123456789.") == "" && strings.Count(name, ".") < 3
}

// isCapitalised reports whether a word is a capital followed by small letters.
func isCapitalised(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) && size < len(word) && strings.IndexFunc(word[size:], isNotLower) < 0
}

func isNotLower(r rune) bool { return !unicode.IsLower(r) }

// isLetterOrNumber reports whether r is a letter or number, or one in a square or circle, as "🅻".
func isLetterOrNumber(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N) || '\U0001f100' <= r && r <= '\U0001f1ff'
}

// emojiStyle is the selector after a sign that is shown as an emoji. A suspect can begin with it.
const emojiStyle = "\ufe0f"

// isSentenceSign reports whether r is, or belongs to, a sign at the end of a sentence.
func isSentenceSign(r rune) bool {
	return unicode.In(r, unicode.S, unicode.No) || strings.ContainsRune(emojiStyle, r)
}

// ofHosts are top-level domains with which no sentence begins.
var ofHosts = []string{"biz", "com", "edu", "gov", "net", "org"}

// dropSigns drops the findings about signs in the host. So far the collector has only findings
// about the host.
func (c *collector) dropSigns() {
	c.findings = slices.DeleteFunc(c.findings, func(f Finding) bool {
		switch f.Code {
		case CodeRestrictedCharacter, CodeInvalidIDNA, CodeInvisibleCharacter, CodeSyntaxLookalike:
			return true
		}
		return false
	})
	c.worstHost = SeverityNone
	for _, f := range c.findings {
		c.worstHost = max(c.worstHost, f.Severity)
	}
}
