package policy

import (
	"strings"
	"unicode"
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
	signLikes   = "’ʼʻʽˈꞌɂ゠" // apostrophes, a question mark and an equals sign
)

// domainLabel reports a label in front of the registrable domain that reads as a domain name or as
// its end, because a character reads as a dot, slash, hyphen or sign: "paypal·com" or "comんlogin".
// It also reports a label that is a protected domain with any letter in place of the dot.
func domainLabel(h linkHost, set *protectedSet) Finding {
	tlds := set.tlds
	name := h.name()
	if ascii.Is(name) {
		return Finding{}
	}
	registrable := h.registrable()
	before, isBelow := strings.CutSuffix(name, "."+registrable)
	if !isBelow {
		before = ""
	}
	first := true
	for label := range labelsOf(before) {
		if !ascii.Is(label) {
			like := delimiterInLabel(label, first, tlds)
			if like == 0 {
				like = dotOfProtected(label, set)
			}
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
	like := dotOfProtected(label, set)
	if like == 0 && isBelow {
		like = endOfDomain(label, tlds)
	}
	if like != 0 {
		return readsAsDomain.finding(label, like)
	}
	return Finding{}
}

// endOfDomain returns the character of a label that reads as a dot, hyphen or sign, or 0. A
// top-level domain must be in front of the character and a name after it, as in "example.com·evil".
// The middle dot between two l is Catalan, and words such as "it’s" are too short.
func endOfDomain(label string, tlds *tld.Set) rune {
	i := strings.IndexAny(label, dotLikes+hyphenLikes+signLikes)
	if i < 0 {
		return 0
	}
	r, size := utf8.DecodeRuneInString(label[i:])
	before, after := label[:i], leadingWord(label[i+size:])
	isDot := strings.ContainsRune(dotLikes, r)
	if !isDot && len(before) < minSign {
		return 0
	}
	if after == "" || !tlds.Contains(before) || isDot && strings.HasSuffix(before, "l") && after[0] == 'l' {
		return 0
	}
	return r
}

// minSign is the length in bytes of the shortest word that reads as the end of a domain name in
// front of a hyphen or apostrophe.
const minSign = 3

// dotOfProtected returns the letter of a label that is in place of the dot of a protected domain, or
// 0: "google丁com".
func dotOfProtected(label string, set *protectedSet) rune {
	for i, r := range label {
		if r < utf8.RuneSelf || unicode.Is(unicode.Latin, r) && !strings.ContainsRune(signLikes, r) {
			continue
		}
		before, after := trailingWord(label[:i]), leadingWord(label[i+utf8.RuneLen(r):])
		for _, d := range set.named(before) {
			if after == d.suffix || after != "" && strings.HasPrefix(d.suffix, after+".") {
				return r
			}
		}
	}
	return 0
}

// delimiterInLabel returns the character of a label that makes it read as a domain name, or 0. If
// the label is not the first of the host, the character may also end a domain name.
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
		case strings.ContainsRune(signLikes, r):
			if len(before) >= minSign && tlds.Contains(after) {
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
