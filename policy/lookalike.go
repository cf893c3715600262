package policy

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// minWord is the number of octets that the name of a protected domain must
// have for a label alone to look like it. Shorter ones, such as "ups", are
// only compared together with their top-level domain.
const minWord = 4

// A protectedSet is the domains that others must not look like. The keys of
// all maps are keys: see appendKey.
type protectedSet struct {
	words   map[string]*protected // the name without its public suffix: "paypal"
	joined  map[string]*protected // the domain without dots: "paypalcom"
	domains map[string]*protected // the whole domain: "paypal.com"
	exact   map[string]*protected // the domain itself, A-labels; no key

	rightToLeft bool // some domain has right-to-left letters
}

// A protected is one domain that others must not look like.
type protected struct {
	domain string // U-labels: "paypal.com"
	word   string // "paypal"
	suffix string // "com"
}

// newProtectedSet returns the built-in domains and these.
func newProtectedSet(own []string) (*protectedSet, error) {
	p := &protectedSet{
		words: map[string]*protected{}, joined: map[string]*protected{},
		domains: map[string]*protected{}, exact: map[string]*protected{},
	}
	for _, d := range own {
		if err := p.add(d); err != nil {
			return nil, fmt.Errorf("protected domain %q: %w", d, err)
		}
	}
	for _, d := range impersonated {
		if err := p.add(d); err != nil {
			return nil, fmt.Errorf("built-in domain %q: %w", d, err)
		}
	}
	return p, nil
}

// add adds a domain. The first to have a key keeps it.
func (p *protectedSet) add(domain string) error {
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return err
	}
	name, err := idna.ToUnicode(ascii)
	if err != nil {
		return err
	}
	word, suffix, ok := strings.Cut(name, ".")
	if !ok || word == "" || suffix == "" {
		return errors.New("not a name with a top-level domain")
	}
	if registrable, err := publicsuffix.EffectiveTLDPlusOne(ascii); err == nil && registrable != ascii {
		word = "" // a name such as "login" says nothing by itself
	}
	d := &protected{domain: name, word: word, suffix: suffix}
	if _, ok := p.exact[ascii]; ok {
		return nil
	}
	p.exact[ascii] = d
	put := func(m map[string]*protected, key string) {
		if _, ok := m[key]; !ok {
			m[key] = d
		}
	}
	if len(word) >= minWord {
		put(p.words, wordKey(word))
		put(p.joined, wordKey(word+strings.ReplaceAll(suffix, ".", "")))
	}
	key := ""
	for label := range labels(name) {
		key += "." + string(appendDisplayedKey(nil, label))
	}
	put(p.domains, key[1:])
	p.rightToLeft = p.rightToLeft || uts39.HasRightToLeft(name)
	return nil
}

// covers reports whether the host, A-labels, is a protected domain or below
// one whose owner gives out the names.
func (p *protectedSet) covers(ascii string) bool {
	for whole := ascii; ; {
		if _, ok := p.exact[ascii]; ok {
			return ascii == whole || !tenants[ascii]
		}
		_, rest, ok := strings.Cut(ascii, ".")
		if !ok {
			return false
		}
		ascii = rest
	}
}

// appendDisplayedKey appends the key of s as displayed: with right-to-left
// letters in visual order (bidiSkeleton, UTS #39 §4).
func appendDisplayedKey(dst []byte, s string) []byte {
	if uts39.HasRightToLeft(s) {
		s = uts39.BidiSkeleton(uts39.LeftToRight, s)
	}
	return appendKey(dst, s)
}

// appendKey appends what of s the eye tells apart: the skeleton (UTS #39 §4)
// without the marks of European letters, in lower case, with vv for w and l
// for i, whose upper case looks like an l before it is mapped.
func appendKey(dst []byte, s string) []byte {
	if isASCII(s) {
		for i := range len(s) {
			dst = append(dst, asciiKeys[s[i]]...)
		}
		return dst
	}
	var buf [256]byte
	for rest := uts39.AppendSkeleton(buf[:0], s); len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		rest = rest[n:]
		switch {
		case r < 0x80:
			dst = append(dst, asciiKeys[r]...)
		case ucd.IsMark(r) && ucd.ScriptOf(r) == ucd.ScriptZinh:
		default:
			dst = appendLetterKey(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// appendLetterKey appends the key of a non-ASCII lower-case letter of a
// skeleton: of the letter whose upper case looks like an ASCII letter, that
// letter.
func appendLetterKey(dst []byte, r rune) []byte {
	if ucd.ScriptOf(r) == ucd.ScriptLatn {
		if p := prototype(unicode.ToUpper(r)); len(p) == 1 {
			return append(dst, asciiKeys[p[0]]...)
		}
	}
	if p := prototype(r); p != "" {
		return append(dst, p...)
	}
	return utf8.AppendRune(dst, r)
}

// prototype returns the prototype of r, "" where it has none.
func prototype(r rune) string {
	if c := ucd.ConfusableOf(r); c != 0 {
		return c.Prototype()
	}
	return ""
}

// asciiKeys are the keys of single ASCII characters.
var asciiKeys = func() (keys [0x80]string) {
	for i := range keys {
		key := strings.ToLower(uts39.Skeleton(string(rune(i))))
		keys[i] = strings.NewReplacer("w", "vv", "i", "l").Replace(key)
	}
	return keys
}()

// appendWordKey appends the key without hyphens.
func appendWordKey(dst, key []byte) []byte {
	for _, c := range key {
		if c != '-' {
			dst = append(dst, c)
		}
	}
	return dst
}

// wordKey returns the key of s without hyphens.
func wordKey(s string) string { return string(appendWordKey(nil, appendDisplayedKey(nil, s))) }

// lookalikes reports labels that look like the name of a protected domain,
// hosts that look like one, and hosts that begin with one and go on. name is
// the host in U-labels.
func (g *judgement) lookalikes(name string, h host) {
	p := g.judge.protected
	if p.covers(strings.TrimSuffix(h.ascii, ".")) {
		return
	}
	var keyBuf, wordBuf [320]byte
	keys := keyBuf[:0] // of all labels, with the dots between
	for label := range labels(name) {
		if len(keys) > 0 {
			keys = append(keys, '.')
		}
		keys = p.appendLabelKey(keys, label)
	}
	if h.typed != h.unicode && g.typedLookalike(h) {
		return
	}
	for rest := name; ; {
		label, after, ok := strings.Cut(rest, ".")
		if !ok {
			return // the top-level domain
		}
		key := keys
		if i := bytes.IndexByte(keys, '.'); i >= 0 {
			key = keys[:i]
		}
		if g.wordLookalike(label, after, appendWordKey(wordBuf[:0], key)) || g.domainLookalike(rest, keys) {
			return
		}
		rest, keys = after, keys[min(len(key)+1, len(keys)):]
	}
}

// appendLabelKey appends the key of a label as displayed. Putting
// right-to-left letters in order costs time, so it is left undone for a label
// whose letters no protected domain has.
func (p *protectedSet) appendLabelKey(dst []byte, label string) []byte {
	start := len(dst)
	dst = appendKey(dst, label)
	if !uts39.HasRightToLeft(label) || !p.rightToLeft && !isASCII(string(dst[start:])) {
		return dst
	}
	return appendDisplayedKey(dst[:start], label)
}

// typedLookalike reports labels that look like the name of a protected domain
// as they are in the text, where mapping makes other letters of them: an I
// that stood for an l.
func (g *judgement) typedLookalike(h host) bool {
	typed, mapped := labelDots.Replace(h.typed), h.unicode
	if strings.Count(typed, ".") != strings.Count(mapped, ".") {
		return false // percent-escaped
	}
	var keyBuf, wordBuf [320]byte
	for label := range labels(typed) {
		var to string
		to, mapped, _ = strings.Cut(mapped, ".")
		d, ok := g.judge.protected.words[string(appendWordKey(wordBuf[:0], appendKey(keyBuf[:0], label)))]
		if !ok || to == d.word || mapped == "" || !looksWritten(label, d.word) {
			continue
		}
		g.addHost(CodeLookalike, SeverityHigh, label, "as typed looks like "+asciiDomain(d))
		return true
	}
	return false
}

// wordLookalike compares a label, by its key without hyphens, and what comes
// after it in the host with the names of protected domains.
func (g *judgement) wordLookalike(label, after string, key []byte) bool {
	p := g.judge.protected
	if d, ok := p.words[string(key)]; ok {
		if label != d.word {
			severity := d.resemblance(label, d.word, after)
			g.addHost(CodeLookalike, severity, label, "looks like "+asciiDomain(d))
			return severity != SeverityNone
		}
		if strings.HasPrefix(after, d.suffix+".") && !isSuffix(after) {
			g.addHost(CodeLookalike, SeverityMedium, label, "begins with "+asciiDomain(d)+" and is below another domain")
			return true
		}
		return false
	}
	if d, ok := p.joined[string(key)]; ok {
		g.addHost(CodeLookalike, SeverityMedium, label, "looks like "+asciiDomain(d)+" without the dot")
		return true
	}
	return false
}

// domainLookalike compares the rest of a host, by its key, with protected
// domains.
func (g *judgement) domainLookalike(rest string, key []byte) bool {
	d, ok := g.judge.protected.domains[string(key)]
	if !ok || rest == d.domain {
		return false
	}
	g.addHost(CodeLookalike, d.resemblance(rest, d.domain, d.suffix), rest, "looks like "+asciiDomain(d))
	return true
}

// minFar is the number of code points that a name must have for a label that
// differs by an accent, a hyphen, vv or an i to be compared with it below any
// top-level domain. Shorter ones are near honest words: "äpple" is an apple.
const minFar = 7

// resemblance returns how bad it is that the key of s, a label or domain that
// ends in the suffix, is that of the name.
func (d *protected) resemblance(s, name, suffix string) Severity {
	switch {
	case looksWritten(s, name):
		return SeverityHigh
	case s == strings.ReplaceAll(name, "-", ""):
		return SeverityNone // most owners have both
	case suffix == d.suffix, utf8.RuneCountInString(name) >= minFar:
		return SeverityMedium
	}
	return SeverityNone
}

// looksWritten reports whether s has the skeleton of the name, but for the
// case of letters of the skeleton: O for zero is as good as o.
func looksWritten(s, name string) bool {
	return strings.EqualFold(uts39.BidiSkeleton(uts39.LeftToRight, s), uts39.BidiSkeleton(uts39.LeftToRight, name))
}

// isSuffix reports whether the domain is a public suffix, below which the
// next label is a domain of its own: "com.br".
func isSuffix(domain string) bool {
	ascii, err := idna.Punycode.ToASCII(domain)
	if err != nil {
		return false
	}
	suffix, _ := publicsuffix.PublicSuffix(ascii)
	return suffix == ascii
}

// asciiDomain returns the protected domain as A-labels, fit for a log.
func asciiDomain(d *protected) string {
	ascii, err := idna.Punycode.ToASCII(d.domain)
	if err != nil {
		return "a protected domain"
	}
	return ascii
}
