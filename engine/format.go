package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// Format returns a URL, given as a string, in minimally escaped form (UTS #58 §4.1,
// conformance clause C2). It decodes every escape that means the same to a browser
// as its character, and escapes characters that would end the link. The host has
// U-labels. Bidi controls stay escaped, as §8 expects. [Link.Readable] is the more
// careful form, for texts that people rely on.
//
// Format accepts the strings that [ParseLink] accepts and returns its errors. An
// e-mail address or mailto: URL comes out readable.
func Format(url string) (string, error) {
	l, err := ParseLink(url)
	if err != nil {
		return "", err
	}
	if l.Kind == KindEmail {
		return l.Readable(HostUnicode), nil
	}
	dst := make([]byte, 0, len(l.Text))
	dst = append(dst, strings.ToLower(l.Text[:l.bounds.schemeEnd])...)
	dst = append(dst, l.Text[l.bounds.schemeEnd:l.bounds.hostStart]...)
	dst = append(dst, displayHost(l.host(), l.ASCIIHost(), HostUnicode)...)
	if port := l.Text[l.bounds.hostEnd:l.bounds.portEnd]; port != ":" {
		dst = append(dst, port...)
	}
	rest := l.Text[l.bounds.portEnd:]
	decode := partDecoder{legacy: percent.HasStray(rest)}
	path, query, fragment := cutParts(rest)
	list := listParts(strings.ReplaceAll(path, `\`, "/"), query, fragment)
	for i, p := range list {
		dst = append(dst, p.initiator...)
		dst = appendMinimal(dst, decode.part(p), p.part, i == len(list)-1)
	}
	return string(dst), nil
}

// FormatASCII returns the URL that a browser opens for a URL given as a string, in
// ASCII, as [Link.Href] does. It returns an error for strings that [ParseLink]
// refuses.
func FormatASCII(url string) (string, error) {
	l, err := ParseLink(url)
	if err != nil {
		return "", err
	}
	return l.Href(), nil
}

// A partDecoder decodes the percent-escapes that a browser would write for their
// characters, so that decoding them changes nothing.
type partDecoder struct {
	legacy bool // the URL's escapes are not UTF-8: nothing beyond ASCII is decoded, or left bare
}

// part decodes one part of a URL.
func (d partDecoder) part(p partText) string {
	out := make([]byte, 0, len(p.text))
	for i := 0; i < len(p.text); {
		u := percent.Next(p.text[i:])
		switch {
		case u.Spelling == percent.Typed && u.Rune >= utf8.RuneSelf && !d.mayShow(u.Rune):
			out = percent.AppendRune(out, u.Rune)
		case u.Spelling == percent.Escaped && d.mayDecode(u.Rune, p.part) && !completesEscape(out, u.Rune) && !completesMark(out, u.Rune, p.part):
			out = utf8.AppendRune(out, u.Rune)
		default:
			out = append(out, p.text[i:i+u.Size]...)
		}
		i += u.Size
	}
	return string(out)
}

// mayDecode reports whether the escape of a character means the same as the
// character: it is unreserved, or a browser escapes it and it separates nothing.
// Characters that normalisation does not know stay escaped.
func (d partDecoder) mayDecode(r rune, p part) bool {
	if r >= utf8.RuneSelf {
		return d.mayShow(r) && !ucd.IsUnknownToIDNA(r)
	}
	return percent.IsUnreserved(r) || encodeSets[p][r] && r != '?' && r != '#'
}

// mayShow reports whether a character beyond ASCII may be unescaped.
func (d partDecoder) mayShow(r rune) bool {
	return !d.legacy && !ucd.IsBidiControl(r)
}

// completesMark reports whether the character could complete the mark of a
// fragment directive.
func completesMark(out []byte, r rune, p part) bool {
	return r == '~' && p >= partFragment && len(out) > 0 && out[len(out)-1] == ':'
}
