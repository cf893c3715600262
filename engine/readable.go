package engine

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// Readable returns the link for people to read. It decodes percent-escapes that are
// not needed and writes the host in the form wanted. The result opens the same URL
// as Href, and detection finds it whole if it found the link whole.
//
// Readable decodes only well-formed non-ASCII UTF-8 and unreserved ASCII. It keeps
// or makes an escape of every character that would end the link, is invisible, looks
// like the syntax of a URL, or would change under normalisation (see visible.go and
// context.go). Everything else stays as typed, so a link that is readable already is
// returned unchanged, usually without allocation. So is a suspect.
func (l Link) Readable(form HostForm) string {
	switch {
	case l.Kind != KindURL && l.Kind != KindEmail, isReadable(l.Text):
		return l.Text
	case l.Kind == KindEmail:
		return l.readableAddress(form)
	case isBareIPv6(l.host()):
		// Browsers do not open it as shown, so it stays as typed.
		return l.Text
	}
	var room [512]byte
	dst := append(room[:0], l.Text[:l.bounds.schemeEnd]...)
	if l.bounds.hostStart > l.bounds.schemeEnd {
		dst = append(appendVisible(dst, l.userinfo()), '@')
	}
	dst = append(dst, l.displayHost(form)...)
	dst = append(dst, l.Text[l.bounds.hostEnd:l.bounds.portEnd]...)
	dst = appendReadableParts(dst, l.Text[l.bounds.portEnd:])
	if string(dst) == l.Text {
		return l.Text
	}
	return string(dst)
}

// displayHost returns the link's host in the form wanted. It returns the host as
// typed if detection would not find it whole in that form: detection accepts symbols
// in hosts less readily if they are not A-labels.
func (l Link) displayHost(form HostForm) string {
	ascii := l.ASCIIHost()
	host := displayHost(l.host(), ascii, form)
	if host == l.host() {
		return host
	}
	text := host
	// Which top-level domains there are depends on the scanner that found
	// the link. One that did not change is good for any.
	name := strings.TrimSuffix(host, ".")
	if i := strings.LastIndexByte(name, '.'); isPlainHost(name[i+1:]) {
		text = name[:i+1] + "com"
	}
	if l.Kind == KindEmail {
		text = "a@" + text
	} else {
		text = l.Text[:l.bounds.schemeEnd] + text + "/"
	}
	found := defaultScanner().Append(nil, text)
	if len(found) != 1 || found[0].Text != text {
		return displayHost(l.host(), ascii, HostAsTyped)
	}
	return host
}

// defaultScanner returns a Scanner with the zero Options, which are valid.
var defaultScanner = sync.OnceValue(func() *Scanner {
	s, _ := New(Options{})
	return s
})

// isReadable reports whether Readable would not change the link: it has no escapes,
// no A-labels and nothing beyond ASCII.
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

// appendReadableParts appends the readable form of the text behind host and port.
func appendReadableParts(dst []byte, rest string) []byte {
	list := listParts(cutParts(rest))
	reader := readers.Get().(*partReader)
	reader.legacy = percent.HasStray(rest)
	for i, p := range list {
		dst = append(dst, p.initiator...)
		dst = reader.append(dst, p, i == len(list)-1)
	}
	if cap(reader.units) <= maxKept {
		readers.Put(reader)
	}
	return dst
}

// maxKept is the number of units up to which a partReader is used again.
const maxKept = 4096

// readers keeps partReaders, for their memory.
var readers = sync.Pool{New: func() any { return new(partReader) }}

// A shownUnit is a unit of a part with the decision whether to show it as a
// character.
type shownUnit struct {
	r     rune
	start int32 // offset into the text of the part
	size  int32
	typed bool // as a character, not as an escape
	shown bool
}

// A partReader makes the parts of a URL readable, one after the other.
type partReader struct {
	units  []shownUnit // of the part
	run    []byte      // room for context.go
	legacy bool        // the URL's escapes are not UTF-8
	// The part shows more than ASCII as typed, so the rules of context.go apply.
	hasContext bool
}

// append appends the readable form of one part.
func (pr *partReader) append(dst []byte, p partText, last bool) []byte {
	if strings.IndexByte(p.text, '%') < 0 && ascii.Is(p.text) {
		return append(dst, p.text...)
	}
	pr.read(p)
	if pr.hasContext && !pr.settle(p.part, last) {
		pr.hideAll()
	}
	return pr.write(dst, p)
}

// hideAll hides all units except ASCII as typed.
func (pr *partReader) hideAll() {
	for i := range pr.units {
		t := &pr.units[i]
		t.shown = t.typed && t.r < utf8.RuneSelf
	}
}

// write appends the part that read divided into units, each in its form.
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

// read divides a part into units. It decides which may be shown, as far as that
// depends only on the unit and on the syntax just before it.
func (pr *partReader) read(p partText) {
	pr.units, pr.hasContext = pr.units[:0], false
	sign := 0 // units since a literal percent sign, up to 2; 0: none
	for i := 0; i < len(p.text); {
		u := percent.Next(p.text[i:])
		t := shownUnit{r: u.Rune, start: int32(i), size: int32(u.Size), typed: u.Spelling == percent.Typed}
		isHex := isHexDigit(u.Rune)
		switch {
		case u.Spelling == percent.Typed:
			t.shown = !isHidden(u.Rune)
		case u.Spelling == percent.Stray:
		case u.Rune >= utf8.RuneSelf:
			t.shown = !pr.legacy && !isHidden(u.Rune)
		case isHex && sign > 0:
			// Shown, it would make an escape with that percent sign.
		case u.Rune == '~' && p.part >= partFragment && i > 0 && p.text[i-1] == ':':
			// Shown, it could begin a fragment directive.
		default:
			t.shown = percent.IsUnreserved(u.Rune)
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
}
