package engine

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Readable returns the link as a person would want to read it: what is
// percent-escaped without need is shown as the characters it stands for, and
// the host is in the form wanted. It opens the same URL as Href, and where
// the link stood alone detection finds it whole, as before.
//
// Only well-formed non-ASCII UTF-8 and unreserved ASCII are decoded. What
// stays escaped, or becomes so: whatever would end the link there, what
// cannot be seen, what looks like the syntax of a URL, what normalisation
// would change (see visible.go and context.go). Everything else stays as
// typed, so a link that is readable already is returned unchanged, and most
// such links without allocation. A suspect is returned unchanged, too.
func (l Link) Readable(form HostForm) string {
	switch {
	case l.Kind != KindURL && l.Kind != KindEmail, isReadable(l.Text):
		return l.Text
	case l.Kind == KindEmail:
		return l.readableAddress(form)
	case isBareIPv6(l.host()):
		// No browser opens it as shown, so it is not to be rewritten.
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

// displayHost returns the link's host in the form wanted, or HostAsTyped where
// detection would not find the host whole in that form: it takes symbols for
// hosts less readily where it can see them.
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

// isReadable reports whether a link has nothing that Readable could change:
// neither escapes nor A-labels nor anything beyond ASCII.
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

// appendVisible appends a part that is never decoded, with what cannot be
// seen escaped.
func appendVisible(dst []byte, s string) []byte {
	for _, r := range s {
		if isHidden(r) || r == zeroWidthJoiner || r == zeroWidthNonJoiner {
			dst = appendEscapedRune(dst, r)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// appendReadableParts appends what follows host and port in its readable
// form.
func appendReadableParts(dst []byte, rest string) []byte {
	list := listParts(cutParts(rest))
	reader := readers.Get().(*partReader)
	reader.legacy = isLegacy(rest)
	for i, p := range list {
		dst = append(dst, p.initiator...)
		dst = reader.append(dst, p, i == len(list)-1)
	}
	if cap(reader.units) <= maxKept {
		readers.Put(reader)
	}
	return dst
}

// maxKept is the number of tokens up to which a partReader is used again.
const maxKept = 4096

// readers keeps the room that a partReader works in.
var readers = sync.Pool{New: func() any { return new(partReader) }}

// A token is a unit of a part, and whether it is to be shown as a character.
type shownUnit struct {
	r     rune
	start int32 // offset into the text of the piece
	size  int32
	typed bool // as a character, not as an escape
	shown bool
}

// A partReader makes the parts of a URL readable, one after the other.
type partReader struct {
	units  []shownUnit // of the part
	run    []byte      // room for context.go
	legacy bool        // the URL's escapes are not UTF-8
	// The part shows something but ASCII as typed, which the rules of context.go are for.
	hasContext bool
}

// append appends the readable form of one part.
func (pr *partReader) append(dst []byte, p partText, last bool) []byte {
	if strings.IndexByte(p.text, '%') < 0 && isASCII(p.text) {
		return append(dst, p.text...)
	}
	pr.read(p)
	if pr.hasContext && !pr.settle(p.part, last) {
		pr.hideAll()
	}
	return pr.write(dst, p)
}

// hideAll hides all tokens but ASCII as typed.
func (pr *partReader) hideAll() {
	for i := range pr.units {
		t := &pr.units[i]
		t.shown = t.typed && t.r < utf8.RuneSelf
	}
}

// write appends the part that the tokens were read from, each in its form.
func (pr *partReader) write(dst []byte, p partText) []byte {
	for _, t := range pr.units {
		switch {
		case t.shown:
			dst = utf8.AppendRune(dst, t.r)
		case t.typed:
			dst = appendEscapedRune(dst, t.r)
		default:
			dst = append(dst, p.text[t.start:t.start+t.size]...)
		}
	}
	return dst
}

// read divides a part into tokens and decides which may be shown as far as
// that depends on nothing but themselves and the syntax just before them.
func (pr *partReader) read(p partText) {
	pr.units, pr.hasContext = pr.units[:0], false
	sign := 0 // how many tokens ago a percent sign stood for itself; 0: none near
	for i := 0; i < len(p.text); {
		u := nextUnit(p.text[i:])
		t := shownUnit{r: u.r, start: int32(i), size: int32(u.size), typed: u.spelling == typed}
		isHex := u.r < utf8.RuneSelf && hexValue(byte(u.r)) >= 0
		switch {
		case u.spelling == typed:
			t.shown = !isHidden(u.r)
		case u.spelling == strayByte:
		case u.r >= utf8.RuneSelf:
			t.shown = !pr.legacy && !isHidden(u.r)
		case isHex && sign > 0:
			// Shown, it would make an escape with that percent sign.
		case u.r == '~' && p.part >= partFragment && i > 0 && p.text[i-1] == ':':
			// Shown, it could begin a fragment directive.
		default:
			t.shown = isUnreserved(u.r)
		}
		switch {
		case u.spelling == typed && u.r == '%':
			sign = 1
		case sign == 1 && u.spelling == typed && isHex:
			sign = 2
		default:
			sign = 0
		}
		pr.hasContext = pr.hasContext || t.shown && (!t.typed || t.r >= utf8.RuneSelf)
		pr.units = append(pr.units, t)
		i += u.size
	}
}
