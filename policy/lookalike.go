package policy

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/hostname"
)

// lookalike reports the first label or domain of a host that looks like a
// protected domain or its name, or that begins with one and goes on. Its
// severity is the default, before any configuration.
func lookalike(h linkHost, set *protectedSet) Finding {
	if set.covers(h) {
		return Finding{}
	}
	if h.typed != h.unicode {
		if f := typedLookalike(h, set); f.Severity != SeverityNone {
			return f
		}
	}
	var buf [320]byte
	rest, keys := h.name(), buf[:0] // keys are those of the labels, with the dots between
	for label := range labelsOf(rest) {
		if len(keys) > 0 {
			keys = append(keys, '.')
		}
		keys = appendLabelKey(keys, label, set.rightToLeft)
	}
	for {
		label, after, ok := strings.Cut(rest, ".")
		if !ok {
			return Finding{} // the top-level domain
		}
		key := keys
		if i := bytes.IndexByte(keys, '.'); i >= 0 {
			key = keys[:i]
		}
		if f := labelLookalike(label, after, key, set); f.Severity != SeverityNone {
			return f
		}
		if d, ok := set.domains[string(keys)]; ok && rest != d.domain {
			return d.resemblance(rest, d.domain, d.suffix).variant(likeDomain, nearDomain).finding(rest, d.ascii)
		}
		rest, keys = after, keys[min(len(key)+1, len(keys)):]
	}
}

// typedLookalike reports a label that looks like a protected name as typed, but
// not after mapping (UTS #46 §4): an I in place of an l becomes an i.
func typedLookalike(h linkHost, set *protectedSet) Finding {
	typed, mapped := hostname.FullStops(h.typed), h.unicode
	if strings.Count(typed, ".") != strings.Count(mapped, ".") {
		return Finding{} // percent-escaped
	}
	var keyBuf, wordBuf [320]byte
	for label := range labelsOf(typed) {
		var to string
		to, mapped, _ = strings.Cut(mapped, ".")
		d, ok := set.words[string(appendWordKey(wordBuf[:0], appendKey(keyBuf[:0], label)))]
		if !ok || to == d.word || mapped == "" || !looksWritten(label, d.word) || looksWritten(to, d.word) {
			continue
		}
		return likeAsTyped.finding(label, d.ascii)
	}
	return Finding{}
}

// labelLookalike compares a label with the names of protected domains. key is
// the key of the label, after the rest of the host after it. Hyphens do not
// count.
func labelLookalike(label, after string, key []byte, set *protectedSet) Finding {
	var buf [320]byte
	word := appendWordKey(buf[:0], key)
	if d, ok := set.words[string(word)]; ok {
		if v := d.resemblance(label, d.word, after).variant(likeDomain, nearDomain); label != d.word && v != nothing {
			return v.finding(label, d.ascii)
		}
		if label == d.word && d.continues(after, set.tlds) || label != d.word && !honestWords.Has(label) && d.readsAs(label, after) {
			return beforeDomain.finding(label, d.ascii, domainOf(after))
		}
		return Finding{}
	}
	if d, ok := set.short[string(word)]; ok {
		return shortLookalike(d, label, after)
	}
	if d, ok := set.joined[string(word)]; ok {
		return withoutDot.finding(label, d.ascii)
	}
	if rest, ok := bytes.CutPrefix(word, wwwKey); ok {
		d, ok := set.words[string(rest)]
		if !ok {
			d, ok = set.joined[string(rest)]
		}
		if ok {
			return wwwWithoutDot.finding(label, d.ascii)
		}
	}
	if d := set.endOfLabel(label); d != nil && d.continues(after, set.tlds) {
		return partBeforeDomain.finding(label, d.ascii, domainOf(after))
	}
	if bytes.IndexByte(key, '-') < 0 {
		return Finding{}
	}
	return partLookalike(label, after, key, set)
}

// endOfLabel returns the protected domain whose name ends a label behind a character beyond ASCII, or
// nil: "httpsノノexample".
func (p *protectedSet) endOfLabel(label string) *protectedDomain {
	name := trailingWord(label)
	if name == "" || len(name) == len(label) || label[len(label)-len(name)-1] < utf8.RuneSelf {
		return nil
	}
	if d := p.words[wordKey(name)]; d != nil && d.word == name {
		return d
	}
	return nil
}

// shortLookalike reports a label that has the key of a short protected name. The
// name says nothing by itself: only its suffix and another domain after it
// deceive.
func shortLookalike(d *protectedDomain, label, after string) Finding {
	if !goesOn(after, d.suffix) || isSuffix(after) || !looksWritten(label, d.word) {
		return Finding{}
	}
	if label == d.word {
		return shortName.finding(label, d.ascii, domainOf(after))
	}
	return likeShortName.finding(label, d.ascii, domainOf(after))
}

// wwwKey is the key of "www".
var wwwKey = []byte(wordKey("www"))
