package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// Format returns a URL, given as a string, in minimally escaped form (UTS #58 §4.1,
// conformance clause C2). It decodes an escape if its character means the same to a
// browser, and escapes characters that would end the link. The host has
// U-labels. Bidi controls stay escaped, as §8 expects, and so do other characters that are not
// shown, such as U+200B and tags: §4.1 allows to escape more. [Link.Readable] is the more
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
	scheme := strings.ToLower(l.Text[:l.bounds.schemeEnd])
	if name := strings.ToLower(l.scheme()); name != "" && !l.isOther() {
		scheme = name + "://" // browsers also open http:\\example.com
	}
	dst = append(dst, scheme...)
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

// FormatASCII returns the URL that a browser opens for a URL given as a string, in ASCII, as
// [Link.Href] does. It returns an error for strings that [ParseLink] refuses.
func FormatASCII(url string) (string, error) {
	l, err := ParseLink(url)
	if err != nil {
		return "", err
	}
	return l.Href(), nil
}

// A partDecoder decodes the percent-escapes that a browser would write for their characters anyway, so
// that decoding changes nothing.
type partDecoder struct {
	legacy bool // the URL's escapes are not UTF-8, so non-ASCII characters are neither decoded nor left bare
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

// mayDecode reports whether the escape of a character means the same as the character. It does if the
// character is unreserved, or if a browser escapes it and it separates nothing. Characters that
// normalisation does not know stay escaped.
func (d partDecoder) mayDecode(r rune, p part) bool {
	if r >= utf8.RuneSelf {
		return d.mayShow(r) && !ucd.IsUnknownToIDNA(r)
	}
	return percent.IsUnreserved(r) || encodeSets[p][r] && r != '?' && r != '#'
}

// mayShow reports whether a non-ASCII character may be unescaped.
func (d partDecoder) mayShow(r rune) bool {
	return !d.legacy && !ucd.IsBidiControl(r) && (!ucd.IsDefaultIgnorable(r) || isShaping(r))
}

// isShaping reports whether a character that is not shown by itself shapes its neighbours, as
// joiners in Persian and the selectors of emoji do. Others, such as U+200B and tags, only hide.
func isShaping(r rune) bool {
	return r == zeroWidthJoiner || r == zeroWidthNonJoiner || r == '\ufe0e' || r == '\ufe0f' || isMongolianFormat(r)
}

// completesMark reports whether the character would complete the ":~:" that begins a fragment
// directive.
func completesMark(out []byte, r rune, p part) bool {
	return r == '~' && p >= partFragment && len(out) > 0 && out[len(out)-1] == ':'
}

// A Structure is a URL as data: path segments, keys and values are plain text without escapes. Its
// method Minimal makes the URL. For a URL that is a string, use Format.
type Structure struct {
	// Origin is the text in front of the path, ready to be shown, such as "https://example.com:8443".
	Origin string
	// Path has the segments. nil means no path; one empty segment means "/".
	Path []string
	// Query has the parameters in order; nil means no query.
	Query []Parameter
	// Fragment is the fragment without directives; "" means none.
	Fragment string
	// Directives are the fragment directives, such as "text=open,closed". Structure does not know their
	// syntax, so the caller escapes them as needed.
	Directives []string
}

// A Parameter is a key of a query with its value.
type Parameter struct {
	Key string // plain text
	// Value is ignored if KeyOnly is set.
	Value string
	// KeyOnly means a key without "=" and value.
	KeyOnly bool
}

// Minimal returns the URL with the fewest percent-escapes that let detection in strict mode
// find it whole between two spaces (UTS #58 §4.1).
func (s Structure) Minimal() string {
	var list []partText
	if s.Path != nil {
		var text []byte
		for i, segment := range s.Path {
			if i > 0 {
				text = append(text, '/')
			}
			// In web URLs a backslash separates segments, too.
			text = appendInterior(text, segment, `?#/\`)
		}
		list = append(list, partText{part: partPath, initiator: "/", text: string(text)})
	}
	if s.Query != nil {
		var text []byte
		for i, p := range s.Query {
			if i > 0 {
				text = append(text, '&')
			}
			text = appendInterior(text, p.Key, "+#=&")
			if !p.KeyOnly {
				text = append(text, '=')
				text = appendInterior(text, p.Value, "+#=&")
			}
		}
		list = append(list, partText{part: partQuery, initiator: "?", text: string(text)})
	}
	if s.Fragment != "" || len(s.Directives) > 0 {
		text := string(appendInterior(nil, s.Fragment, ""))
		text = strings.ReplaceAll(text, directiveMark, "%3A~:")
		list = append(list, partText{part: partFragment, initiator: "#", text: text})
	}
	for _, d := range s.Directives {
		text := strings.ReplaceAll(d, directiveMark, "%3A~:")
		list = append(list, partText{part: partDirective, initiator: directiveMark, text: text})
	}
	out := []byte(s.Origin)
	for i, p := range list {
		out = append(out, p.initiator...)
		out = appendMinimal(out, p.text, p.part, i == len(list)-1)
	}
	return string(out)
}

// appendInterior appends data with the interior escaping of UTS #58 §4.1. It percent-escapes the syntax
// characters of the part, and a percent sign in front of two hexadecimal digits.
func appendInterior(dst []byte, data, syntax string) []byte {
	for i := range len(data) {
		_, isEscape := percent.Byte(data[i:])
		if isEscape || strings.IndexByte(syntax, data[i]) >= 0 {
			dst = percent.Append(dst, data[i:i+1])
		} else {
			dst = append(dst, data[i])
		}
	}
	return dst
}

// appendMinimal appends a part of a URL, minimally escaped by UTS #58 §4.1: it percent-escapes the
// characters that would end the link. s has no initiator. Its interior escaping is done, so it has no
// terminator. last says that no other part follows.
func appendMinimal(dst []byte, s string, p part, last bool) []byte {
	var openStack brackets
	copied := 0 // how many bytes of s are in dst
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if p.clears(r) {
			openStack.clear()
		}
		term := ucd.LinkTermOf(r)
		switch term {
		case ucd.Open:
			term = ucd.Hard
			if openStack.push(r) {
				term = ucd.Include
			}
		case ucd.Close:
			term = ucd.Hard
			if lastOpen, ok := openStack.pop(); ok && lastOpen == ucd.LinkBracket(r) {
				term = ucd.Include
			}
		}
		switch term {
		case ucd.Include:
			dst = append(dst, s[copied:i+size]...)
			copied = i + size
		case ucd.Hard:
			dst = append(dst, s[copied:i]...)
			dst = percent.Append(dst, s[i:i+size])
			copied = i + size
		}
		i += size
	}
	if !last || copied == len(s) {
		return append(dst, s[copied:]...)
	}
	// The rest is Soft, and the link would end before it.
	_, size := utf8.DecodeLastRuneInString(s)
	dst = append(dst, s[copied:len(s)-size]...)
	return percent.Append(dst, s[len(s)-size:])
}

// isHexDigit reports whether r is a hexadecimal digit.
func isHexDigit(r rune) bool { return r < utf8.RuneSelf && ascii.IsHex(byte(r)) }

// completesEscape reports whether the character c, appended to out, would complete a percent-escape
// with a literal percent sign.
func completesEscape(out []byte, c rune) bool {
	n := len(out)
	if !isHexDigit(c) || n == 0 {
		return false
	}
	return out[n-1] == '%' || n > 1 && out[n-2] == '%' && ascii.IsHex(out[n-1])
}
