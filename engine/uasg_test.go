package engine_test

import (
	"strings"
	"testing"
)

// TestUASGGoodPractice has every row of the table of UASG's good practice for linkification. If
// strict mode, which is UTS #58 and WHATWG URL, differs, the comment at the row says why.
func TestUASGGoodPractice(t *testing.T) {
	for _, d := range []detection{
		{name: "inferred protocol, two labels", strict: "⸠example.com⸡"},
		{name: "inferred protocol, three labels", strict: "⸠मेल.डाटामेल.भारत⸡"},
		{name: "explicit, long top-level domain", strict: "⸠http://example.technology⸡"},
		{name: "explicit and secured", strict: "⸠https://example.build⸡"},
		{name: "A-labels", strict: "⸠http://xn--r2bi6d.xn--c2bdw5c1bb.xn--h2brj9c/⸡"},
		{name: "missing slashes", strict: "http:example.com"},
		{name: "top-level domain of one letter", strict: "http://example.a"},
		{name: "consecutive dots", strict: "http://example..abc"},
		{name: "Han with hyphen", strict: "⸠http://普遍接受-测试.世界⸡"},
		{name: "IPv4 address", strict: "⸠http://192.168.10.15⸡"},
		{
			name: "IPv6 address",
			// WHATWG URL refuses it. People write such addresses, so in default mode Href adds
			// brackets.
			strict: "https://2001:4860:4860::8888",
			normal: "⸠https://2001:4860:4860::8888⸡",
		},
		{name: "e-mail address", strict: "⸠mailbox@example.berlin⸡"},
		{name: "ftp and A-labels", strict: "⸠ftp://xn--11b1b9b0ah0f.xn--h2brj9c/⸡"},
		{name: "ftp and U-labels", strict: "⸠ftp://निकसी.भारत⸡"},
		// From the recommendations.
		{name: "1: explicit mailto", strict: "⸠mailto:mailbox@example.berlin⸡"},
		{name: "2: www, well formed", strict: "⸠www.icann.org⸡"},
		{name: "2: www, not well formed", strict: "www.icann..org www.icann"},
		{name: "3: ideographic full stop", strict: "⸠http://田中。com⸡"},
		{name: "3: ideographic full stop, no scheme", strict: "⸠田中。com⸡"},
	} {
		d.run(t)
	}
}

// TestUASGGuidelines has the rules 1.1 to 1.4 of UASG's guidelines on linkification that concern
// detection. Rule 1.4, on mixed scripts, is for package policy: detection finds such a link whole.
func TestUASGGuidelines(t *testing.T) {
	label := strings.Repeat("a", 63)
	for _, d := range []detection{
		{name: "1.1 http", strict: "⸠http://пример.рф⸡"},
		{name: "1.1 https", strict: "⸠https://пример.рф⸡"},
		{name: "1.1 ftp", strict: "⸠ftp://пример.рф⸡"},
		{name: "1.1 mailto", strict: "⸠mailto:почта@пример.рф⸡"},
		{name: "1.2a two labels", strict: "⸠пример.рф⸡"},
		{name: "1.2a one label", strict: "пример http://пример"},
		{name: "1.2b label of 63", strict: "⸠" + label + ".рф⸡"},
		{name: "1.2b label of 64", strict: label + "a.рф"},
		{name: "1.2b label of 63 as A-label", strict: "⸠" + strings.Repeat("ж", 57) + ".рф⸡"},
		{name: "1.2b label of 64 as A-label", strict: strings.Repeat("ж", 58) + ".рф"},
		{name: "1.2b name too long", strict: strings.Repeat(label+".", 4) + "рф"},
		{name: "1.2c top-level domain exists", strict: "⸠пример.москва⸡"},
		{name: "1.2c top-level domain does not exist", strict: "пример.мышь http://пример.мышь"},
		{name: "1.2d unacceptable characters", strict: "http://при_мер.рф"},
		{name: "1.3a domain", strict: "почта@пример.мышь почта@пример"},
		{name: "1.3b at sign", strict: "почта.пример"},
		{name: "1.3c local-part of 64 bytes", strict: "⸠" + strings.Repeat("ж", 32) + "@пример.рф⸡"},
		{name: "1.3c local-part of 66 bytes", strict: strings.Repeat("ж", 33) + "@пример.рф"},
		{name: "1.3d dot, underscore, hyphen, plus", strict: "⸠а.б_в-г+д@пример.рф⸡"},
		{name: "1.3d other characters", strict: "а\"@пример.рф а(@пример.рф"},
		{name: "1.4a mixed scripts in a label", strict: "⸠раypal.com⸡ ⸠http://раypal.com⸡"},
		{name: "1.4b mixed scripts in a path", strict: "⸠http://пример.рф/раypal⸡"},
	} {
		d.run(t)
	}
}
