package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/percent"
)

const (
	maxNested = 2 << 10 // bytes of a URL inside another that are read
	maxInner  = 24      // places of a link at which a URL inside it may begin
)

// An innerURLs collects the URLs that a link opens or passes on, and those within these.
type innerURLs struct {
	links     []engine.Link
	tried     int // places that were tried so far
	unwrapped int // wrappers whose URLs were added beyond these places
}

// collectAll adds the URLs in the path, query and fragment of a link. host is the host of the link
// in A-labels. It also adds URLs without a scheme if services are known to open them.
func (u *innerURLs) collectAll(host string, c *engine.Components) {
	for _, part := range [...]string{c.Path, c.Query, c.Fragment} {
		for at := 0; u.tried < maxInner; u.tried++ {
			size, form := findNested(part[at:])
			if form == formNone {
				break
			}
			at += size
			if form == formReversed {
				u.add(decodeReversed(part[max(0, at-maxNested):at]))
				continue
			}
			u.add(form.decode(part[at:min(len(part), at+maxNested)]))
			if form == formBase64 || form == formHex {
				at++
			}
		}
	}
	if strings.HasPrefix(c.Query, "//") && u.tried < maxInner { // advertisers write pages without a scheme so: "…?//example.com"
		u.tried++
		u.add(beforeNext(strings.TrimLeft(c.Query, "/")))
	}
	for _, url := range wrappedURLs(strings.TrimSuffix(host, "."), c) {
		if u.tried++; u.tried < maxInner {
			u.add(url)
		}
	}
}

// add adds a URL without its scheme if it is valid.
func (u *innerURLs) add(url string) {
	// Bytes that are not UTF-8 hide nothing (Encoding Standard, "UTF-8 decode").
	url = strings.ToValidUTF8(hostAsTyped(url), "\ufffd")
	link, err := engine.ParseLink("http://" + url)
	if err != nil {
		// Other programs end the host in front of a character that no host has.
		link, err = engine.ParseLink("http://" + leadingName(strings.TrimRight(url, "@")))
	}
	if err == nil && link.Kind == engine.KindURL {
		u.links = append(u.links, link)
	}
}

// hostAsTyped returns a URL without its scheme, with the characters beyond ASCII of its host as
// people typed them. Browsers escape these characters in the path, query and fragment of another
// URL (URL Standard, "percent-encode sets"). Other escapes stay. Characters that UTS #46 maps to a
// dot become dots.
func hostAsTyped(url string) string {
	end := len(url)
	if i := strings.IndexAny(url, `/\?#`); i >= 0 {
		end = i
	}
	host := url[:end]
	if strings.IndexByte(host, '%') >= 0 {
		var typed strings.Builder
		for at := 0; at < end; {
			u := percent.Next(url[at:end])
			if u.Spelling == percent.Escaped && u.Rune >= utf8.RuneSelf {
				typed.WriteRune(u.Rune)
			} else {
				typed.WriteString(url[at : at+u.Size])
			}
			at += u.Size
		}
		host = typed.String()
	}
	if !ascii.Is(host) {
		host = withDots(host)
	}
	return host + url[end:]
}

// addBesideSigns adds the pieces of a host as typed that other programs make links of. They divide
// it at signs that are neither letters nor digits, as in №example.com, and after combining marks,
// as in a decomposed é. After a scheme, numbers are addresses, too.
func (u *innerURLs) addBesideSigns(typed string, bare bool) {
	name := hostname.FullStops(typed)
	if !strings.ContainsFunc(name, isBetweenNames) {
		return
	}
	tried := 0
	for piece := range strings.FieldsFuncSeq(name, isBetweenNames) {
		if tried++; tried > maxInner {
			break
		}
		if !bare || !isShortNumber(piece) {
			u.addName(piece)
		}
	}
}

// addBesideSlashes adds the hosts before and after slashes in a text that other programs read as a
// URL. The text is the local-part of an address, as in //example.com/x@example.net, or the path of
// a suspect without a valid host, as in http://_//example.com/.
func (u *innerURLs) addBesideSlashes(text string) {
	tried := 0
	for start := 0; start < len(text) && tried < maxInner; {
		end := len(text)
		if i := strings.IndexAny(text[start:], notInHosts); i >= 0 {
			end = start + i
		}
		hasSlash := start > 0 && isPathSlash(text[start-1]) || end < len(text) && isPathSlash(text[end])
		if hasSlash && strings.Contains(text[start:end], ".") && !isPlainNumber(text, start, end) {
			tried++
			u.addName(text[start:end])
		}
		start = end + 1
	}
}

// isPlainNumber reports whether text[start:end] is a number without a scheme or slashes in front of
// it, as in "12.34/office@example.com". Programs read a number as an address only after a scheme or
// slashes.
func isPlainNumber(text string, start, end int) bool {
	isURL := start > 1 && isPathSlash(text[start-1]) && (isPathSlash(text[start-2]) || text[start-2] == ':')
	return !isURL && strings.Trim(text[start:end], "0123456789.") == ""
}

func isPathSlash(c byte) bool { return c == '/' || c == '\\' }

// addName adds a host of several labels if it is valid.
func (u *innerURLs) addName(name string) {
	if name = strings.Trim(name, "-."); strings.Contains(name, ".") {
		u.add(name)
	}
}

// notInHosts has the ASCII characters at which other programs end a host.
const notInHosts = "/\\?#@:;,=&|!$%'*+^`{}~[]()<>\" "

// isOfName reports whether other programs take r for a part of a host or address.
func isOfName(r rune) bool {
	return r == '@' || (r >= utf8.RuneSelf || strings.IndexByte(notInHosts, byte(r)) < 0) && !isSign(r)
}

// leadingName returns the longest beginning of a text that has only characters of hosts and
// addresses.
func leadingName(text string) string {
	return text[:len(text)-len(strings.TrimLeftFunc(text, isOfName))]
}

// trailingName returns the longest end of a text that has only such characters.
func trailingName(text string) string {
	return text[len(strings.TrimRightFunc(text, isOfName)):]
}

// isSign reports whether r is beyond ASCII and not a letter, a mark or a decimal digit.
func isSign(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// isBetweenNames reports whether other programs may end a name at r and begin another after it: r
// is a sign, or a combining mark that several scripts use.
func isBetweenNames(r rune) bool {
	return isSign(r) || r >= utf8.RuneSelf && unicode.Is(unicode.M, r) && unicode.Is(unicode.Inherited, r)
}

// asciiEnd returns the ASCII characters at the end of a name.
func asciiEnd(name string) string {
	return name[len(strings.TrimRightFunc(name, func(r rune) bool { return r < utf8.RuneSelf })):]
}
