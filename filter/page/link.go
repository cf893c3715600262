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

// link is an element that opens something, with what a reader may see of it.
type link struct {
	targets  []target
	item     Item
	pieces   []linkPiece
	effects  effects // effects of the styles of elements inside and around it
	content  string  // text that styles generate in it
	parted   bool    // its text is spread over several boxes
	pictures bool    // it shows pictures
	element  element
	first    int // index of its first stretch in the line
	last     int // index after its last stretch
}

// linkPiece is a piece of a link's text. All of it is shown in the same way.
type linkPiece struct {
	text   string
	kind   pieceKind
	doubt  *html.Node // for a doubtful piece: the element that may be hidden
	island *html.Node // the element that sets the direction of the text, or nil
}

type pieceKind uint8

const (
	seen     pieceKind = iota
	doubtful           // some programs may hide it
	hidden             // nothing shows it
	picture            // text in place of a picture that is not loaded
	gap                // the break between two boxes
	seam               // the edge between two boxes that may touch each other
)

// readings returns the text of a link and two others that a reader may see: all its text, and the text
// that no style may hide. withPictures is the text with the alt texts of pictures.
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
		text = strings.TrimSpace(all.String()) // all of it may be hidden: then it may also be shown
	}
	if k.effects&cuts != 0 && k.effects&narrow != 0 {
		appendCuts(&sure, text)
	}
	if pictures > 1 || pictures == 1 && strings.TrimSpace(all.String()) != "" {
		withPictures = strings.TrimSpace(alts.String())
	}
	return text, []string{all.String(), sure.String()}, withPictures
}

// endsSentence reports whether a text ends a sentence and the next text begins one.
func endsSentence(text, next string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(next))
	return strings.HasSuffix(text, ".") && unicode.IsUpper(first)
}

// appendCuts adds what a reader may see of a host whose end is cut off: each beginning that ends before
// a dot, up to the registrable domain. "www.example.com.example.net" may be shown as "www.example.com".
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
		for i := first + 1; i < len(below) && cut < most; i++ { // one label alone does not read as a host
			if below[i] == '.' {
				b.WriteString(" " + word[:start+i])
				cut++
			}
		}
	}
}

// isStyled reports whether a reader may see a text that names a host and that none of the readings
// has. around has the effects of style sheets on the elements around the link.
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
	case isEmpty: // an empty link may lie over a text that names a host
		return s.linked || k.effects&moves != 0 || hasHostSign("a"+k.content+"a")
	case hasHostSign("a" + k.content + "a"):
		return true
	case !hasHostSign(text) && !hasHostSign(strings.Join(k.item.Labels, " ")):
		return false
	case k.effects&(generates|reorders) != 0, strings.ContainsFunc(text, turns):
		return true
	}
	const several = 2 // with one island or one doubt only, some reading has the text as it is shown
	switch {
	case len(islands) >= several: // right-to-left text shows them in another order
		return true
	case k.names(text):
		return false
	case isDivided: // a hidden character may set the direction, too
		return true
	}
	isUnsure := k.effects&contested != 0 || s.unread.matters() // a style that may or may not hide one of several pieces
	return (k.effects|around)&styled != 0 || len(k.pieces) > 1 && isUnsure || len(doubts) >= several || isSpread && k.parted && !hasHostSign(k.item.Text)
}

// turns reports whether a character changes the direction of the text after it.
func turns(r rune) bool {
	return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' || r == '\u200f' || r == '\u061c'
}

// isFromRight reports whether a character is a letter of a right-to-left script.
func isFromRight(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// hasHostSign reports whether a text may have a host or an address: "//", "@", or a dot with a letter
// directly after it.
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

// dots are full stops and characters that a reader may take for one.
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
	picture bool  // it is the alt text of a picture
	apart   bool  // it is in another box than the previous stretch
}

const (
	// maxInWord is how many bytes before or after the text of a link are read as parts of its word, and
	// maxParts from how many texts.
	maxInWord = 256
	maxParts  = 32
)

// word returns the word that a link is a part of if a reader may take it for a host, otherwise "".
// Examples are "https://www.<a>paypal</a>.com", and a host spread over several links.
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

// names reports whether a link's text is the host, URL or address that the link opens, directly or by a
// redirecting service. Then the text is no part of a longer host.
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
		if hasHost(url, text) || hasHost(url, strings.ReplaceAll(text, "-", "-2d")) { // as Proofpoint's URL Defense writes hyphens
			return true
		}
	}
	return false
}

// hasHost reports whether a URL, or a URL inside it, has a host that ends with text.
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

// before returns the part of the line between its last blank and a stretch. Two hosts in boxes next
// to each other are two words; isWhole says that the stretch is a host.
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

// after returns the part of the line from a stretch up to the next blank.
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

// wordEnds are the blanks that end a word.
const wordEnds = blanks + "\u00a0\u3000"

// isHost reports whether a text is a host below a known public suffix, or a URL with such a host.
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

// endsInPath reports whether a text has a whole host and the beginning of a path after it.
func endsInPath(text string) bool {
	if i := strings.Index(text, "//"); i >= 0 {
		text = text[i+2:]
	}
	host, _, inPath := strings.Cut(text, "/")
	return inPath && strings.Contains(host, ".")
}

// endsHost reports whether a text directly after a link may be the rest of a host or URL.
func endsHost(text string) bool {
	isJoined := len(text) > 1 && strings.IndexByte(".-@", text[0]) >= 0 && ascii.IsAlphanumeric(text[1])
	return isJoined || strings.HasPrefix(strings.TrimPrefix(text, ":"), "//") || text != "" && (ascii.IsAlphanumeric(text[0]) || text[0] >= utf8.RuneSelf)
}

// continuesHost reports whether a host or URL may continue after the byte c. A question mark ends a
// sentence.
func continuesHost(c byte) bool {
	return ascii.IsAlphanumeric(c) || strings.IndexByte(".-/@_~=&#%+", c) >= 0 || c >= utf8.RuneSelf
}

// isBeside reports whether a text next to a link is no part of the link's word: it begins or ends
// with an icon, an arrow, a footnote number, a bracket or a quotation mark. Letters in circles are
// parts of a word. edge is the character next to the link.
func isBeside(edge rune) bool {
	isSign := unicode.In(edge, unicode.So, unicode.No) && !unicode.Is(unicode.Other_Alphabetic, edge)
	isArrow := '\u2190' <= edge && edge <= '\u21ff'
	return isSign || isArrow || unicode.In(edge, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf) || strings.ContainsRune("<>*\"'|\u00b7\u2022", edge)
}
