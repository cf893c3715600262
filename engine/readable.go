package engine

import (
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// Readable returns the link for people to read. It decodes percent-escapes that are not needed and
// writes the host in the wanted form. The result opens the same URL as Href. If detection found the
// link whole, it also finds the result whole.
//
// Readable decodes only unreserved ASCII and well-formed non-ASCII UTF-8. It keeps or writes an escape
// for each character that would end the link, is invisible, looks like URL syntax, or would change
// under normalisation. Everything else stays as typed. A link that is readable already is returned
// unchanged, usually without allocation. So is a suspect, and a URL with a scheme of [Options.Schemes].
func (l Link) Readable(form HostForm) string {
	switch {
	case l.Kind != KindURL && l.Kind != KindEmail, isReadable(l.Text):
		return l.Text
	case l.Kind == KindEmail:
		return l.readableAddress(form)
	case isBareIPv6(l.host()), l.isOther():
		// Browsers would not open the readable form, so the link stays as typed.
		return l.Text
	}
	var room [512]byte
	dst := append(room[:0], l.Text[:l.bounds.schemeEnd]...)
	if l.bounds.hostStart > l.bounds.schemeEnd {
		dst = append(appendVisible(dst, l.userinfo()), '@')
	}
	dst = append(dst, l.displayHost(form)...)
	dst = append(dst, l.Text[l.bounds.hostEnd:l.bounds.portEnd]...)
	after, rest := len(dst), l.Text[l.bounds.portEnd:]
	dst = appendReadableParts(dst, rest, l.inText)
	if string(dst) == l.Text {
		return l.Text
	}
	text := string(dst)
	if isWhole(l.Text, l.bounds.portEnd) && !isWhole(text, after) {
		return wholeForm(dst[:after], rest, l.inText)
	}
	return text
}

// wholeForm returns the readable form of a link that an adjustment of default mode would cut short.
// That happens where escaping or decoding changed what is ASCII. So it escapes all non-ASCII characters
// of rest, and decodes them only if nothing is cut then. head is the text up to the port.
func wholeForm(head []byte, rest string, keepASCII bool) string {
	escaped := string(appendASCII(nil, rest))
	text := string(appendReadableParts(head, escaped, keepASCII))
	if isWhole(text, len(head)) {
		return text
	}
	return string(head) + escaped
}

// isWhole reports whether no adjustment of default mode ends a link before the end of text. after is
// the end of its host and port.
func isWhole(text string, after int) bool {
	return adjustedEnd(text, 0, after, len(text)) == len(text)
}

// appendASCII appends text with all non-ASCII characters escaped.
func appendASCII(dst []byte, s string) []byte {
	for _, r := range s {
		if r < utf8.RuneSelf {
			dst = append(dst, byte(r))
		} else {
			dst = percent.AppendRune(dst, r)
		}
	}
	return dst
}

// readableAddress is Readable for an e-mail address. Percent-escapes have a meaning only in a mailto:
// URL. There it decodes the local-part if all of it can be shown.
func (l Link) readableAddress(form HostForm) string {
	local := l.userinfo()
	dst := make([]byte, 0, len(l.Text))
	dst = append(dst, l.Text[:l.bounds.schemeEnd]...)
	if l.bounds.schemeEnd > 0 {
		local = readableLocalPart(local)
	}
	dst = append(append(dst, local...), '@')
	dst = append(dst, l.displayHost(form)...)
	if rest := l.Text[l.bounds.portEnd:]; rest != "" {
		dst = appendReadableParts(dst, rest, false)
	}
	return string(dst)
}

// readableLocalPart decodes the local-part of a mailto: URL. It returns local unchanged if a character
// must stay escaped.
func readableLocalPart(local string) string {
	var decoded []byte
	for i := 0; i < len(local); {
		u := percent.Next(local[i:])
		switch {
		case u.Spelling == percent.Typed:
		case u.Spelling == percent.Stray, u.Rune < utf8.RuneSelf && !percent.IsUnreserved(u.Rune):
			return local
		case isHidden(u.Rune), ucd.IsUnknownToIDNA(u.Rune):
			return local
		}
		if u.Spelling != percent.Typed && completesEscape(decoded, u.Rune) {
			return local
		}
		decoded = utf8.AppendRune(decoded, u.Rune)
		i += u.Size
	}
	if s := string(decoded); isLinkLocalPart(s) && norm.NFC.IsNormalString(s) {
		return s
	}
	return local
}

// isReadable reports whether Readable would not change the link, because it has no escapes, no A-labels
// and no non-ASCII characters.
func isReadable(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf, c == '%':
			return false
		case c == '-' && i >= 3 && s[i-1] == '-' && strings.EqualFold(s[i-3:i-1], "xn"):
			return false
		}
	}
	return true
}

// appendVisible appends text that Readable never decodes, with invisible characters
// escaped.
func appendVisible(dst []byte, s string) []byte {
	for _, r := range s {
		if isHidden(r) || r == zeroWidthJoiner || r == zeroWidthNonJoiner {
			dst = percent.AppendRune(dst, r)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// appendReadableParts appends the readable form of the text after host and port. If keepASCII is true,
// ASCII parts stay unchanged.
func appendReadableParts(dst []byte, rest string, keepASCII bool) []byte {
	list := listParts(cutParts(rest))
	reader := readers.Get().(*partReader)
	reader.legacy = percent.HasStray(rest)
	for i, p := range list {
		dst = append(dst, p.initiator...)
		if keepASCII && ascii.Is(p.text) {
			dst = append(dst, p.text...)
			continue
		}
		dst = reader.append(dst, p, i == len(list)-1)
	}
	if cap(reader.units) <= maxKept {
		readers.Put(reader)
	}
	return dst
}

// maxKept is the number of units up to which a partReader is reused.
const maxKept = 4096

// readers is a pool of partReaders, so that their memory is reused.
var readers = sync.Pool{New: func() any { return new(partReader) }}

// A partReader makes the parts of a URL readable, one after the other.
type partReader struct {
	shownUnits
	legacy bool // the URL's escapes are not UTF-8
	// The part would show something other than ASCII as typed, so the rules of context.go apply.
	hasContext bool
}

// append appends the readable form of one part.
func (pr *partReader) append(dst []byte, p partText, last bool) []byte {
	if strings.IndexByte(p.text, '%') < 0 && ascii.Is(p.text) {
		return append(dst, p.text...)
	}
	pr.read(p)
	if pr.hasContext && !pr.settleClusters(p.part, last) {
		pr.hideAll()
	}
	return pr.write(dst, p)
}

// settleClusters is settle for whole grapheme clusters.
func (pr *partReader) settleClusters(p part, last bool) bool {
	for range maxRounds {
		if !pr.settle(p, last) {
			return false
		}
		if !pr.hideClusters() {
			return true
		}
	}
	return false
}

// write appends the units of the part, each as decided.
func (pr *partReader) write(dst []byte, p partText) []byte {
	for _, t := range pr.units {
		switch {
		case t.shown:
			dst = utf8.AppendRune(dst, t.r)
		case t.typed:
			dst = percent.AppendRune(dst, t.r)
		default:
			dst = append(dst, p.text[t.start:t.start+t.size]...)
		}
	}
	return dst
}

// read divides a part into units. It decides which may be shown, as far as that depends only on the
// unit and on the syntax directly in front of it.
func (pr *partReader) read(p partText) {
	pr.units, pr.hasContext = pr.units[:0], false
	sign := 0 // distance in units from a literal percent sign: 1 or 2; 0 for none
	for i := 0; i < len(p.text); {
		u := percent.Next(p.text[i:])
		t := shownUnit{r: u.Rune, start: int32(i), size: int32(u.Size), typed: u.Spelling == percent.Typed}
		isHex := isHexDigit(u.Rune)
		switch {
		case u.Spelling == percent.Typed:
			t.valid = true
			t.shown = !isHidden(u.Rune) || isMongolianFormat(u.Rune)
		case u.Spelling == percent.Stray:
		case u.Rune >= utf8.RuneSelf:
			t.valid = !pr.legacy && !ucd.IsUnknownToIDNA(u.Rune)
			t.shown = t.valid && (!isHidden(u.Rune) || isMongolianFormat(u.Rune))
		case isHex && sign > 0:
			// Decoded, it would make an escape with that percent sign.
		case u.Rune == '~' && p.part >= partFragment && i > 0 && p.text[i-1] == ':':
			// Decoded, it could begin a fragment directive.
		default:
			t.shown = percent.IsUnreserved(u.Rune)
			t.valid = t.shown
		}
		switch {
		case u.Spelling == percent.Typed && u.Rune == '%':
			sign = 1
		case sign == 1 && u.Spelling == percent.Typed && isHex:
			sign = 2
		default:
			sign = 0
		}
		pr.hasContext = pr.hasContext || t.shown && (!t.typed || t.r >= utf8.RuneSelf)
		pr.units = append(pr.units, t)
		i += u.Size
	}
	pr.showEmoji()
}

// displayHost returns the link's host in the wanted form. If detection would not find that form whole,
// it returns the host as typed. Detection accepts fewer symbols in U-labels than in A-labels.
func (l Link) displayHost(form HostForm) string {
	ascii := l.ASCIIHost()
	host := displayHost(l.host(), ascii, form)
	if host == l.host() {
		return host
	}
	text := host
	// The known top-level domains depend on the scanner that found the link. A last label that did not
	// change is replaced by one that every scanner knows.
	name := strings.TrimSuffix(host, ".")
	if i := strings.LastIndexByte(name, '.'); isPlainHost(name[i+1:]) {
		text = name[:i+1] + "com"
	}
	if l.Kind == KindEmail {
		text = "a@" + text
	} else {
		text = l.Text[:l.bounds.schemeEnd] + text + "/"
	}
	if !isFoundWhole(text) {
		return displayHost(l.host(), ascii, HostAsTyped)
	}
	return host
}

// isFoundWhole reports whether detection finds the whole text as one link.
func isFoundWhole(text string) bool {
	found := defaultScanner().Append(nil, text)
	return len(found) == 1 && found[0].Text == text
}

// defaultScanner returns a Scanner with the zero Options, which are valid.
var defaultScanner = sync.OnceValue(func() *Scanner {
	s, _ := New(Options{})
	return s
})
