package htmlpart

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// apart notes a text between references. Only a blank one or a part of a word leaves them beside each
// other.
func (r *reader) apart(text string) {
	r.generated = ""
	b := &r.last
	isBlank := strings.TrimSpace(text) == ""
	switch {
	case isBlank && r.behind == right:
		r.behind = rightBut
		return
	case isBlank && r.behind != inWord:
		return
	case (r.behind == right || r.behind == inWord) && isOfWord(text) && len(b.between)+len(text) < maxInPieces:
		r.names = r.names || mayNameHost([]byte(text))
		r.behind, b.between = inWord, append(b.between, text...)
	default:
		r.behind = away
	}
	b.text = b.text[:0]
}

// isOfWord reports whether a text may be in the middle of a host.
func isOfWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// join adds the text of a reference, or the first of its labels, behind that of the reference
// before where a reader may see them as one. The longer text is a reading or a label.
func (r *reader) join(l *openLink) {
	text := l.item.Text
	if text == "" && len(l.item.Labels) > 0 {
		text = l.item.Labels[0]
	}
	b := &r.last
	r.names = r.names || b.names || mayNameHost([]byte(text)) || mayNameHost([]byte(l.before))
	isNear := (len(b.text) > 0 || b.before != "") && (r.behind == right || r.behind == nextBox)
	if isNear && text == "" {
		return // nothing is between the references
	}
	isInWord := r.behind == inWord && text != "" && !isHostOf(strings.ToLower(b.url), string(b.word))
	if isInWord {
		b.lengthen(string(b.between))
	}
	goesOn := (isNear || isInWord) && b.goesOn(text, l.urls[0])
	joins := len(b.text) > 0 && (goesOn && l.item.Text != "" && slices.Contains(l.urls, b.url) || continues(b, l.urls, text))
	if !goesOn && !joins {
		b.text = b.text[:0]
	}
	b.text = append(b.text, text...)
	switch {
	case !joins:
	case l.item.Text == "":
		l.item.addLabel(string(b.text))
	case mayNameHost(b.text):
		l.item.Readings = append(l.item.Readings, string(b.text))
	}
	if next := firstWord(text); goesOn && len(b.word) < maxInPieces && (b.names || mayNameHost([]byte(next))) {
		word := string(b.word) + next
		if !joins || len(b.refs) > 1 || len(word) > len(b.text) {
			l.item.addJoined(word)
			r.sendJoined(word, l.urls)
		}
		if b.divided || l.text.divided {
			turned := joined([]string{next, string(b.word)})
			l.item.addJoined(turned)
			r.sendJoined(turned, l.urls)
		}
		if b.before != "" {
			r.sendJoined(b.before+word, nil)
			for _, url := range l.urls {
				again := l.again(url)
				again.addJoined(b.before + word)
				r.send(&again)
			}
		}
	}
	b.text = append(b.text[:0], tail(b.text, maxBefore)...)
	b.note(l, text, goesOn)
}

// endJoined yields the references of a word again that a text behind them ends.
func (r *reader) endJoined(text string) {
	b := &r.last
	b.ends = false
	next := firstWord(text)
	r.names = r.names || mayNameHost([]byte(next))
	last, _ := utf8.DecodeLastRune(b.word)
	if b.pieces > 1 && endsURL(next) && !isBeside(last) && len(b.word) < maxInPieces && (b.names || mayNameHost([]byte(next))) && b.goesOn(next, "") {
		r.sendJoined(b.before+string(b.word)+next, nil)
	}
}

// goesOn reports whether the last word of the text may go on with the next text: neither is the host of
// its own link, and no sentence ends between them.
func (b *linkBefore) goesOn(next, url string) bool {
	next = firstWord(next)
	if len(b.word) == 0 && b.before == "" || next == "" || isAddress(b.url, string(b.word)) || isAddress(url, next) {
		return false
	}
	if !b.names && strings.IndexByte(next, '.') < 0 || len(b.word) >= maxInPieces {
		return true
	}
	before := string(b.word)
	return !isHostOf(strings.ToLower(b.url), before) && !passesOn(strings.ToLower(b.url), before) && !isHostOf(strings.ToLower(url), next) && !endsSentence(before, next)
}

// passesOn reports whether the path or the parameters of a URL in lower case have the host of a word
// that names a URL with a path. Services that check links or count clicks have it there, and
// pages about a module. Only text behind a whole host is not a part of it.
func passesOn(url, word string) bool {
	name, ends := hostNamed(word)
	if !ends || !strings.Contains(name, ".") {
		return false
	}
	rest := url[authorityOf(url):]
	if strings.Contains(rest, "-3a__") { // URL Defense version 2 writes "-" for the percent sign
		rest = percent.DecodeMarked(rest, '-')
	}
	for range maxPassedOn {
		rest = percent.Decode(rest)
	}
	for at := 0; ; {
		i := index(rest, name, at)
		if i < 0 {
			return false
		}
		at = i + len(name)
		if (i == 0 || !isOfLabel(rest[i-1])) && (at == len(rest) || !isOfLabel(rest[at]) && rest[at] != '.') {
			return true
		}
	}
}

// maxPassedOn is how many services within each other passesOn reads.
const maxPassedOn = 3

// isOfLabel reports whether a character may be in a label of ASCII.
func isOfLabel(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' }

// isAddress reports whether a word names an address, to which its link writes.
func isAddress(url, word string) bool {
	return strings.IndexByte(word, '@') >= 0 && ascii.HasPrefixFold(url, "mailto:")
}

// firstWord returns the word at the beginning of a text, up to a length.
func firstWord(text string) string {
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		text = text[:i]
	}
	return text[:min(len(text), maxBefore)]
}

// lengthen adds a text to the word. A longer one than is kept is not a host.
func (b *linkBefore) lengthen(text string) {
	b.word = append(b.word, text[:min(len(text), max(0, maxInPieces-len(b.word)))]...)
	b.names = b.names || mayNameHost([]byte(text))
}

// note notes a reference, given its text and whether that goes on with a word of those before.
func (b *linkBefore) note(l *openLink, text string, goesOn bool) {
	word := lastWord(text)
	if !goesOn || len(word) < len(text) {
		*b = linkBefore{url: b.url, text: b.text, word: b.word[:0], refs: b.refs[:0], between: b.between}
		if n := len(l.before); len(word) == len(text) && n > 0 && continuesURL(l.before[n-1]) {
			b.before, b.names = l.before, mayNameHost([]byte(l.before))
		}
	}
	b.lengthen(word)
	b.divided = l.text.divided
	b.pieces++
	b.between = b.between[:0]
	for _, url := range l.urls {
		isOf := func(i Item) bool { return i.URL == url }
		if len(b.refs) <= maxJoined && !slices.ContainsFunc(b.refs, isOf) {
			b.refs = append(b.refs, l.again(url))
		}
	}
}

// again returns the reference with a URL without its readings and labels.
func (l *openLink) again(url string) Item {
	i := &l.item
	return Item{Element: i.Element, URL: url, Text: i.Text, Hidden: i.Hidden, Start: i.Start, End: i.End, Again: true}
}

// sendJoined yields the references before again that open a site, but not one of some URLs, with a
// word that they are parts of.
func (r *reader) sendJoined(word string, urls []string) {
	refs := r.last.refs
	r.partial = r.partial || len(refs) > maxJoined
	for _, i := range refs {
		if !slices.Contains(urls, i.URL) && authorityOf(i.URL) > 0 {
			i.addJoined(word)
			r.send(&i)
		}
	}
}

// addJoined adds a word that a reference is a part of.
func (i *Item) addJoined(word string) {
	if i.Text == "" {
		i.addLabel(word)
	} else {
		i.Readings = append(i.Readings, word)
	}
}

// continues reports whether a reader may see a reference and the next one as one: both
// have the same host, and their texts are a URL. Cells and blanks may be between them. A text
// that begins with a scheme begins another URL.
func continues(b *linkBefore, urls []string, next string) bool {
	if b.text[0]|0x20 != 'h' && b.text[0]|0x20 != 'w' || len(b.text) > maxInPieces || passesOn(strings.ToLower(b.url), string(b.text)) {
		return false
	}
	if ascii.HasPrefixFold(next, "http://") || ascii.HasPrefixFold(next, "https://") || !startsAsURL(string(b.text)+next) {
		return false
	}
	end := authorityOf(b.url)
	return slices.Contains(urls, b.url) || end > 0 && strings.EqualFold(urls[0][:authorityOf(urls[0])], b.url[:end])
}

// startsAsURL reports whether a text begins as a URL does, or is such a beginning.
func startsAsURL(text string) bool {
	for _, start := range [...]string{"http://", "https://", "www."} {
		if n := min(len(start), len(text)); strings.EqualFold(text[:n], start[:n]) {
			return true
		}
	}
	return false
}
