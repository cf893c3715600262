package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// link is a reference and what a reader may see of it.
type link struct {
	targets  []target
	item     Item
	pieces   []linkPiece
	effects  effects // of the styles of elements in it and around it
	content  string  // that styles put into it
	parted   bool    // its text is in several boxes, or in SVG
	pictures bool    // it shows pictures
	element  element
	first    int // index of its first stretch in the line
	last     int // index behind its last one
}

// linkPiece is a text in a link. How its elements show it is the same for all of it.
type linkPiece struct {
	text   string
	kind   pieceKind
	doubt  *html.Node // of a doubtful one, the element that may be hidden
	island *html.Node // the element in the link that sets the direction of the text; nil for none
}

type pieceKind uint8

const (
	seen     pieceKind = iota
	doubtful           // some programs may hide it
	hidden             // nothing shows it
	picture            // it is shown where a program does not load a picture
	gap                // the break between two boxes
	seam               // the edge between two boxes that may stand right beside each other
)

// readings returns the text of a link, and the others that a reader may see: all of it, and what no
// style may hide.
func (k *link) readings() (text string, others []string, withPictures string) {
	var all, shown, sure, alts strings.Builder
	pictures := 0
	isMixed := slices.ContainsFunc(k.pieces, func(p linkPiece) bool { return p.kind == seen || p.kind == picture })
	for i, p := range k.pieces {
		if p.kind != hidden && (p.kind != doubtful || !isMixed) {
			alts.WriteString(p.text)
		}
		switch p.kind {
		case picture:
			pictures++
			continue
		case gap:
			shown.WriteString(p.text)
			sure.WriteString(p.text)
		case seam:
			shown.WriteString(p.text)
			if i+1 < len(k.pieces) && (k.names(k.pieces[i+1].text) || endsSentence(sure.String(), k.pieces[i+1].text)) {
				sure.WriteString(p.text)
			}
		case seen:
			shown.WriteString(p.text)
			sure.WriteString(p.text)
		case doubtful:
			shown.WriteString(p.text)
		}
		all.WriteString(p.text)
	}
	text = strings.TrimSpace(shown.String())
	if text == "" {
		text = strings.TrimSpace(all.String()) // it may be shown after all
	}
	if k.effects&cuts != 0 && k.effects&narrow != 0 {
		appendCuts(&sure, text)
	}
	if pictures > 1 || pictures == 1 && strings.TrimSpace(all.String()) != "" {
		withPictures = strings.TrimSpace(alts.String())
	}
	return text, []string{all.String(), sure.String()}, withPictures
}

// endsSentence reports whether a text ends a sentence, and the next one begins another.
func endsSentence(text, next string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(next))
	return strings.HasSuffix(text, ".") && unicode.IsUpper(first)
}

// appendCuts adds what a reader may see of the hosts in a text whose end is cut off: all before each
// dot up to the registrable domain.
func appendCuts(b *strings.Builder, text string) {
	const longest, most = 512, 16
	if len(text) > longest {
		text = text[:max(0, strings.LastIndexAny(text[:longest], " /?#"))]
	}
	for word := range strings.FieldsSeq(text) {
		start := strings.Index(word, "://") + len("://")
		if start < len("://") {
			start = 0
		}
		host := word[start:]
		if end := strings.IndexAny(host, "/?#:"); end >= 0 {
			host = host[:end]
		}
		domain := hostname.Registrable(strings.ToLower(host))
		if len(domain) >= len(host) || !ascii.Is(host) {
			continue
		}
		below := host[:len(host)-len(domain)]
		first := strings.IndexByte(below, '.')
		if ascii.HasPrefixFold(below, "www.") {
			first += 1 + strings.IndexByte(below[first+1:], '.')
		}
		cut := 0
		for i := first + 1; i < len(below) && cut < most; i++ { // a name alone is not a host
			if below[i] == '.' {
				b.WriteString(" " + word[:start+i])
				cut++
			}
		}
	}
}

// isStyled reports whether a reader may see another text that names a host than the readings. around
// is what style sheets do to the elements around the link.
func (k *link) isStyled(s *sheet, around effects) bool {
	var all strings.Builder
	doubts, islands := make(map[*html.Node]bool), make(map[*html.Node]bool)
	isSpread, isDivided, isEmpty := false, false, len(k.item.Labels) == 0 && !k.pictures
	for _, p := range k.pieces {
		isBlank := strings.TrimSpace(p.text) == ""
		if endsSentence(all.String(), p.text) {
			all.WriteByte(' ')
		}
		all.WriteString(strings.TrimSpace(p.text))
		if p.kind == doubtful && !isBlank {
			doubts[p.doubt] = true
		}
		if strings.ContainsFunc(p.text, ascii.IsLetter[rune]) && !strings.ContainsFunc(p.text, isFromRight) {
			islands[p.island] = true
		}
		isDivided = isDivided || p.island != nil && (p.kind == hidden || p.kind == doubtful)
		isSpread = isSpread || p.kind == gap || p.kind == seam || p.kind == picture
		isEmpty = isEmpty && isBlank
	}
	text := all.String()
	switch {
	case isEmpty: // it may lie over a text that names a host
		return s.linked || k.effects&moves != 0 || hasHostSign("a"+k.content+"a")
	case hasHostSign("a" + k.content + "a"):
		return true
	case !hasHostSign(text) && !hasHostSign(strings.Join(k.item.Labels, " ")):
		return false
	case k.effects&(generates|reorders) != 0, strings.ContainsFunc(text, turns):
		return true
	}
	const several = 2 // readings are with all of them or none
	switch {
	case len(islands) >= several: // a text from right to left has them in another order
		return true
	case k.names(text):
		return false
	case isDivided: // also by a letter that is hidden
		return true
	}
	isUnsure := k.effects&contested != 0 || s.unread.matters() // of what hides some of several pieces
	return (k.effects|around)&styled != 0 || len(k.pieces) > 1 && isUnsure || len(doubts) >= several || isSpread && k.parted && !hasHostSign(k.item.Text)
}

// turns reports whether a character turns the text behind it.
func turns(r rune) bool {
	return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' || r == '\u200f' || r == '\u061c'
}

// isFromRight reports whether a character is a letter that is written from right to left.
func isFromRight(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// hasHostSign reports whether a word of a text may be a host or an address, or blanks may be all that
// parts it from one.
func hasHostSign(text string) bool {
	if strings.Contains(text, "//") || strings.Contains(text, "@") {
		return true
	}
	behind := false
	for _, r := range text {
		switch {
		case strings.ContainsRune(dots, r):
			behind = true
		case unicode.IsLetter(r):
			if behind {
				return true
			}
		default:
			behind = false
		}
	}
	return false
}

// dots are full stops, and what a reader may take for one.
const dots = ".\u3002\uff0e\uff61\u2024\u2027\u00b7\u2022\u2219\u22c5\u06d4\u0702"

// line is the text between two breaks, with the links in it.
type line struct {
	stretches []stretch
	links     []*link
}

// stretch is a text of a line.
type stretch struct {
	text    string
	link    *link // nil outside of links
	picture bool  // it stands in place of a picture
	apart   bool  // it is in another box than the one before
}

const (
	// maxInWord is the length in bytes of what stands right before or behind the text of a link and
	// makes one word with it, and maxParts how many texts that are.
	maxInWord = 256
	maxParts  = 32
)

// word returns the word that a link is a part of, if a reader may take that for a host, and "" for
// none: "https://www.<a>paypal</a>.com", or a host over several links.
func (l *line) word(k *link) string {
	if k.first >= k.last || k.parted {
		return ""
	}
	var text strings.Builder
	for _, s := range l.stretches[k.first:k.last] {
		if text.WriteString(s.text); text.Len() > maxInWord {
			return ""
		}
	}
	own := text.String()
	if k.names(own) {
		return ""
	}
	isWhole := isHost(own)
	before, after := l.before(k.first, isWhole), l.after(k.last, isWhole)
	first, _ := utf8.DecodeRuneInString(own)
	last, _ := utf8.DecodeLastRuneInString(own)
	if before == "" || isBeside(first) || !continuesHost(before[len(before)-1]) || endsInPath(before) {
		before = ""
	}
	if after == "" || isBeside(last) || !endsHost(after) {
		after = ""
	}
	if before == "" && after == "" || !strings.ContainsAny(before+own+after, ".:/") {
		return ""
	}
	return strings.TrimSpace(before + own + after)
}

// names reports whether a text of a link is the host, URL or address that the link opens, also by way of
// a service, so that it is no part of another.
func (k *link) names(text string) bool {
	text = strings.ToLower(strings.Trim(text, " \t\r\n/.@\u00a0"))
	if i := strings.Index(text, "//"); i >= 0 {
		text = text[i+2:]
	}
	if i := strings.IndexAny(text, "/?#|"); i >= 0 {
		text = text[:i]
	}
	text = strings.TrimPrefix(text, "www.")
	if !strings.Contains(text, ".") {
		return false
	}
	for _, url := range k.item.URLs {
		url = strings.ToLower(percent.Decode(url))
		if hasHost(url, text) || hasHost(url, strings.ReplaceAll(text, "-", "-2d")) { // as URL Defense has it
			return true
		}
	}
	return false
}

// hasHost reports whether a URL, which may have another in it, has a host that ends with a text.
func hasHost(url, text string) bool {
	isInside := func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' }
	for at := 0; ; {
		i := strings.Index(url[at:], text)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(text)
		at = end
		ends := end == len(url) || !isInside(url[end]) && (url[end] != '.' || end+1 == len(url) || !isInside(url[end+1]))
		if ends && (start == 0 || !isInside(url[start-1])) {
			return true
		}
	}
}

// before returns the end of the line before a stretch, from its last blank on. Two hosts in boxes beside
// each other are two words: isWhole says that the stretch has one.
func (l *line) before(first int, isWhole bool) (word string) {
	for i := first - 1; i >= max(0, first-maxParts) && len(word) < maxInWord; i-- {
		s := &l.stretches[i]
		if s.picture != l.stretches[first].picture || isWhole && l.stretches[i+1].apart && isHost(s.text) {
			break
		}
		if s.link != nil && len(s.text) < maxInWord && s.link.names(s.text) {
			break
		}
		end := s.text[max(0, len(s.text)-maxInWord):]
		if blank := strings.LastIndexAny(end, wordEnds); blank >= 0 {
			_, size := utf8.DecodeRuneInString(end[blank:])
			return end[blank+size:] + word
		}
		word = end + word
	}
	return word
}

// after returns the beginning of the line from a stretch on, up to its first blank.
func (l *line) after(next int, isWhole bool) (word string) {
	for i := next; i < min(len(l.stretches), next+maxParts) && len(word) < maxInWord; i++ {
		s := &l.stretches[i]
		if s.picture != l.stretches[next-1].picture || isWhole && s.apart && isHost(s.text) {
			break
		}
		if s.link != nil && len(s.text) < maxInWord && s.link.names(s.text) {
			break
		}
		start := s.text[:min(len(s.text), maxInWord)]
		if blank := strings.IndexAny(start, wordEnds); blank >= 0 {
			return word + start[:blank]
		}
		word += start
	}
	return word
}

// wordEnds are the blanks between words.
const wordEnds = blanks + "\u00a0\u3000"

// isHost reports whether a text is a host or a URL with one, below a public suffix.
func isHost(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if i := strings.Index(text, "//"); i >= 0 {
		text = text[i+2:]
	}
	if i := strings.IndexAny(text, "/?#:"); i >= 0 {
		text = text[:i]
	}
	suffix, isKnown := publicsuffix.PublicSuffix(text)
	return isKnown && len(suffix) < len(text)
}

// endsInPath reports whether a text has a whole host, and behind it the beginning of a path.
func endsInPath(text string) bool {
	if i := strings.Index(text, "//"); i >= 0 {
		text = text[i+2:]
	}
	host, _, inPath := strings.Cut(text, "/")
	return inPath && strings.Contains(host, ".")
}

// endsHost reports whether a text right behind a link may be the end of a host or URL.
func endsHost(text string) bool {
	isJoined := len(text) > 1 && strings.IndexByte(".-@", text[0]) >= 0 && ascii.IsAlphanumeric(text[1])
	return isJoined || strings.HasPrefix(strings.TrimPrefix(text, ":"), "//") || text != "" && (ascii.IsAlphanumeric(text[0]) || text[0] >= utf8.RuneSelf)
}

// continuesHost reports whether a host or URL may go on behind a byte. A question mark ends a sentence.
func continuesHost(c byte) bool {
	return ascii.IsAlphanumeric(c) || strings.IndexByte(".-/@_~=&#%+", c) >= 0 || c >= utf8.RuneSelf
}

// isBeside reports whether a text that begins or ends with a character is beside the word there and
// not a part of it: an icon, an arrow, a number of a note, or what is in brackets or quotation marks.
// Letters in circles are parts of a word.
func isBeside(edge rune) bool {
	isSign := unicode.In(edge, unicode.So, unicode.No) && !unicode.Is(unicode.Other_Alphabetic, edge)
	isArrow := '\u2190' <= edge && edge <= '\u21ff'
	return isSign || isArrow || unicode.In(edge, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf) || strings.ContainsRune("<>*\"'|\u00b7\u2022", edge)
}
