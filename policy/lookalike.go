package policy

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// lookalike reports the label or domain of a host that looks most like a protected domain or its
// name, or that begins with one and goes on. The finding has its default severity.
func lookalike(h linkHost, set *protectedSet) Finding {
	like := likeness{host: h}
	if h.typed != h.unicode {
		like.note(typedLookalike(h, set))
	}
	var buf [320]byte
	keys := buf[:0] // those of the labels, with the dots between
	for rest, more := h.name(), true; more; {
		var label string
		label, rest, more = strings.Cut(rest, ".")
		if len(keys) > 0 {
			keys = append(keys, '.')
		}
		keys = appendLabelKey(keys, label, set.rightToLeft)
	}
	like.noteLabels(h.name(), keys, set)
	if !ascii.Is(h.unicode) && like.worst.Severity < SeverityMedium {
		var buf [320]byte
		folded := buf[:0]
		for rest, more := h.folded, true; more; {
			var label string
			if label, rest, more = strings.Cut(rest, "."); len(folded) > 0 {
				folded = append(folded, '.')
			}
			folded = appendLabelKey(folded, label, false)
		}
		if !bytes.Equal(folded, keys) {
			like.noteLabels(h.name(), folded, set)
		}
	}
	return like.worst
}

// noteLabels compares the labels of a host with the names of protected domains. keys has the keys
// of the labels, with dots between them.
func (like *likeness) noteLabels(rest string, keys []byte, set *protectedSet) {
	for {
		label, after, ok := strings.Cut(rest, ".")
		if !ok {
			return // the top-level domain
		}
		key := keys
		if i := bytes.IndexByte(keys, '.'); i >= 0 {
			key = keys[:i]
		}
		var buf [320]byte
		if word := appendWordKey(buf[:0], key); set.someKeys.mayHave(hashOf(word)) {
			like.noteWord(label, after, word, set)
			for _, d := range set.domains[string(keys)] {
				if rest != d.domain {
					like.note(d.resemblance(rest, d.domain, d.suffix).variant(likeDomain, nearDomain).finding(rest, d.shown()))
				}
			}
		}
		like.noteLabel(label, after, key, set)
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
		for _, d := range set.words[string(appendWordKey(wordBuf[:0], appendKey(keyBuf[:0], label)))] {
			if to != d.word && mapped != "" && looksWritten(label, d.word) && !looksWritten(to, d.word) {
				return likeAsTyped.finding(label, d.shown())
			}
		}
	}
	return Finding{}
}

// noteWord compares a label with the names of protected domains. word is the key of the label without hyphens, which do
// not count, after the rest of the host after it.
func (like *likeness) noteWord(label, after string, word []byte, set *protectedSet) {
	for _, d := range set.words[string(word)] {
		like.note(d.keyFinding(label, after, set))
	}
	for _, d := range set.short[string(word)] {
		like.note(shortLookalike(d, label, after))
	}
	for _, d := range set.joined[string(word)] {
		like.note(withoutDot.finding(label, d.shown()))
	}
}

// noteLabel compares the parts of a label with the names of protected domains. key is the key of the label, after the
// rest of the host after it.
func (like *likeness) noteLabel(label, after string, key []byte, set *protectedSet) {
	if rest, ok := bytes.CutPrefix(key, wwwKey); ok {
		var buf [320]byte
		rest = appendWordKey(buf[:0], rest)
		for _, names := range [...]namesakes{set.words[string(rest)], set.joined[string(rest)]} {
			for _, d := range names {
				like.note(wwwWithoutDot.finding(label, d.shown()))
			}
		}
	}
	for _, d := range set.endOfLabel(label) {
		if d.continues(after, set.tlds) {
			like.note(partBeforeDomain.finding(label, d.shown(), domainOf(after)))
		}
	}
	if bytes.IndexByte(key, '-') >= 0 {
		like.noteParts(label, after, key, set)
	}
}

// keyFinding reports a label that has the key of the name of d. after is the rest of the host.
func (d *protectedDomain) keyFinding(label, after string, set *protectedSet) Finding {
	if label == d.word {
		if d.continues(after, set.tlds) {
			return beforeDomain.finding(label, d.shown(), domainOf(after))
		}
		return Finding{}
	}
	if v := d.resemblance(label, d.word, after).variant(likeDomain, nearDomain); v != nothing {
		return v.finding(label, d.shown())
	}
	if !honestWords.Has(label) && d.readsAs(label, after) {
		return beforeDomain.finding(label, d.shown(), domainOf(after))
	}
	return Finding{}
}

// endOfLabel returns the protected domains whose name is at the end of a label, after a non-ASCII
// character: "httpsノノexample".
func (p *protectedSet) endOfLabel(label string) namesakes {
	name := trailingWord(label)
	if name == "" || len(name) == len(label) || label[len(label)-len(name)-1] < utf8.RuneSelf {
		return nil
	}
	return p.named(name)
}

// shortLookalike reports a label that has the key of a short protected name. Such a name deceives
// only if its suffix and then another domain follow.
func shortLookalike(d *protectedDomain, label, after string) Finding {
	if !goesOn(after, d.suffix) || isSuffix(after) || !looksWritten(label, d.word) {
		return Finding{}
	}
	if label == d.word {
		return shortName.finding(label, d.shown(), domainOf(after))
	}
	return likeShortName.finding(label, d.shown(), domainOf(after))
}

// wwwKey is the key of "www".
var wwwKey = []byte(wordKey("www"))
