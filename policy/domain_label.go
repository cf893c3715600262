package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/ascii"
)

// The characters that read as a delimiter of host names and URLs in a label. Those
// that UTS #46 maps or refuses never get into a label.
const (
	dotLikes    = "·‧・ꞏ٠۰･․"
	slashLikes  = "んノンソゾ丶乀乁丿ゝゞ⁄∕╱⧸〳⟋ʃ᜵㇓ꤷ"
	hyphenLikes = "‐‑‒–—―−⁃˗一ーㄧ⸺⸻"
)

// domainLabel reports a label left of the registrable domain that reads as a domain name or as
// the end of one. A character of it reads as a dot, slash or hyphen: "paypal·com" or
// "comんlogin". tlds are the top-level domains that exist.
func domainLabel(h linkHost, tlds *tld.Set) Finding {
	name := h.name()
	if ascii.Is(name) {
		return Finding{}
	}
	registrable := h.registrable()
	before, ok := strings.CutSuffix(name, "."+registrable)
	if !ok {
		return Finding{}
	}
	first := true
	for label := range labelsOf(before) {
		if !ascii.Is(label) {
			like := delimiterInLabel(label, first, tlds)
			if like == 0 && !first {
				like = endOfDomain(label, tlds)
			}
			if like != 0 {
				return readsAsDomain.finding(label, like)
			}
		}
		first = false
	}
	label, _, _ := strings.Cut(registrable, ".")
	if like := endOfDomain(label, tlds); like != 0 {
		return readsAsDomain.finding(label, like)
	}
	return Finding{}
}

// endOfDomain returns the character of a label that reads as a dot, or 0: it has a top-level
// domain before it and a name behind it, as in "example.com·evil". The middle dot of Catalan
// is between two l.
func endOfDomain(label string, tlds *tld.Set) rune {
	i := strings.IndexAny(label, dotLikes)
	if i < 0 {
		return 0
	}
	r, size := utf8.DecodeRuneInString(label[i:])
	before, after := label[:i], leadingWord(label[i+size:])
	if after == "" || !tlds.Contains(before) || strings.HasSuffix(before, "l") && after[0] == 'l' {
		return 0
	}
	return r
}

// delimiterInLabel returns the character of a label that makes it read as a domain name, or 0.
// A label that is not the first of the host may also read as the end of a domain name.
func delimiterInLabel(label string, first bool, tlds *tld.Set) rune {
	for i, r := range label {
		if r < utf8.RuneSelf {
			continue
		}
		before, after := trailingWord(label[:i]), leadingWord(label[i+utf8.RuneLen(r):])
		switch {
		case strings.ContainsRune(dotLikes, r), strings.ContainsRune(hyphenLikes, r):
			if before != "" && tlds.Contains(after) {
				return r
			}
		case strings.ContainsRune(slashLikes, r):
			// The label begins with the top-level domain, or a character that reads as a
			// dot comes before that.
			begins := len(before) == i && !first
			if (begins || endsInDot(label[:i-len(before)])) && tlds.Contains(before) {
				return r
			}
		}
	}
	return 0
}

// endsInDot reports whether the last character of s reads as a dot.
func endsInDot(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && strings.ContainsRune(dotLikes, r)
}

// leadingWord returns the ASCII letters and digits at the start of s.
func leadingWord(s string) string {
	for i := range len(s) {
		if !ascii.IsAlphanumeric(s[i]) {
			return s[:i]
		}
	}
	return s
}

// trailingWord returns the ASCII letters and digits at the end of s.
func trailingWord(s string) string {
	i := len(s)
	for i > 0 && ascii.IsAlphanumeric(s[i-1]) {
		i--
	}
	return s[i:]
}
