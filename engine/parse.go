package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// ParseLink reads a whole string as one link: a URL, a bare host with or without a path, or an e-mail
// address with or without mailto:. It accepts what a browser accepts in its address bar. That is more
// than detection finds in a text: user names and passwords, any spelling of an IP address, missing
// slashes. It removes white space at the ends, and tabs and line ends anywhere. It returns an error for
// other strings.
//
// The link is all that remains: its Start is 0, and its End is the length of its Text.
func ParseLink(s string) (Link, error) {
	text, err := cleanURL(s)
	if err != nil {
		return Link{}, err
	}
	if text == "" {
		return Link{}, errors.New("no URL: the text is empty")
	}
	name, rest := cutScheme(text)
	switch {
	case name == scheme.Mailto:
		return parseAddress(text, len(mailtoPrefix))
	case name != "":
		return parseWeb(text, skipSlashes(text, len(text)-len(rest)))
	case looksLikeAddress(text):
		return parseAddress(text, 0)
	}
	if i := strings.IndexAny(text, `:/\?#`); i >= 0 && strings.HasPrefix(text[i:], "://") {
		return Link{}, fmt.Errorf("URL %q: scheme not supported (want %s or mailto)", s, strings.Join(scheme.Web[:], ", "))
	}
	l, err := parseWeb(text, 0)
	if err == nil && !hasDomain(l.host()) {
		err = fmt.Errorf("URL %q: neither a scheme nor a domain name", s)
	}
	if err != nil && strings.Contains(text, "@") {
		// A local-part may have "#", "/" and "?", which would end a host.
		if address, err := parseAddress(text, 0); err == nil {
			return address, nil
		}
	}
	if err != nil {
		return Link{}, err
	}
	return l, nil
}

// hasDomain reports whether a host is an IPv6 address or has two labels.
func hasDomain(host string) bool {
	return host[0] == '[' || strings.Contains(host, ".") || strings.Contains(labelDots.Replace(host), ".")
}

// cleanURL removes the characters that the URL parser of the WHATWG standard
// ignores: controls and spaces at the ends, tabs and line ends anywhere.
func cleanURL(s string) (string, error) {
	plain := 0 // nearly all URLs need no change
	for plain < len(s) && s[plain] > ' ' && s[plain] < utf8.RuneSelf {
		plain++
	}
	if plain > 0 && plain == len(s) {
		return s, nil
	}
	if !utf8.ValidString(s) {
		return "", fmt.Errorf("%q is not UTF-8", s)
	}
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(s, "\t\r\n") {
		s = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(s)
	}
	return s, nil
}

// cutScheme returns the scheme in lower case, if this package knows it, and the text after its colon;
// otherwise "" and the whole text.
func cutScheme(text string) (name, rest string) {
	if name, rest = scheme.Name(text); scheme.IsWeb(name) || name == scheme.Mailto {
		return name, rest
	}
	return "", text
}

// skipSlashes returns the offset after the slashes and backslashes at i: a browser accepts any number
// of them in front of the host.
func skipSlashes(text string, i int) int {
	for i < len(text) && isSlash(text[i]) {
		i++
	}
	return i
}

// looksLikeAddress reports whether a text without a scheme has an "@" in front of any path.
func looksLikeAddress(text string) bool {
	i := strings.IndexAny(text, `@/\?#`)
	return i >= 0 && text[i] == '@'
}

// parseWeb reads the authority of a URL, which begins at the offset start.
func parseWeb(text string, start int) (Link, error) {
	end := len(text)
	for i := start; i < end; i++ {
		if c := text[i]; isSlash(c) || c == '?' || c == '#' {
			end = i
			break
		}
	}
	b := bounds{schemeEnd: start, hostStart: start, portEnd: end}
	if i := strings.LastIndexByte(text[start:end], '@'); i >= 0 {
		b.hostStart = start + i + 1
	}
	authority := text[b.hostStart:end]
	colon := strings.IndexByte(authority, ':')
	if strings.HasPrefix(authority, "[") {
		colon = -1
		if i := strings.LastIndexByte(authority, ']') + 1; i > 0 && i < len(authority) {
			colon = i
		}
	}
	b.hostEnd = end
	if colon >= 0 {
		b.hostEnd = b.hostStart + colon
	}
	if err := checkPort(text[b.hostEnd:b.portEnd]); err != nil {
		return Link{}, fmt.Errorf("URL %q: %w", text, err)
	}
	ascii, err := hostToASCII(text[b.hostStart:b.hostEnd])
	if err != nil {
		return Link{}, fmt.Errorf("URL %q: %w", text, err)
	}
	return newLink(KindURL, text, b, ascii), nil
}

// checkPort returns an error if the text after a host is not a port.
func checkPort(port string) error {
	if port == "" || port == ":" {
		return nil
	}
	digits, found := strings.CutPrefix(port, ":")
	if !found {
		return fmt.Errorf("port %q: colon missing", port)
	}
	if strings.Trim(digits, "0123456789") != "" {
		return fmt.Errorf("port %q: not a number, or the scheme is unknown", digits)
	}
	if _, err := strconv.ParseUint(digits, 10, 16); err != nil {
		return fmt.Errorf("port %q: over 65535", digits)
	}
	return nil
}

// parseAddress reads an e-mail address that begins at the offset start. After mailto:, "?" and header
// fields may follow it.
func parseAddress(text string, start int) (Link, error) {
	end := len(text)
	if i := strings.IndexByte(text[start:], '?'); start > 0 && i >= 0 {
		end = start + i
	}
	at := strings.LastIndexByte(text[start:end], '@')
	if at <= 0 {
		return Link{}, fmt.Errorf("address %q: incomplete (want local-part@domain)", text)
	}
	b := bounds{schemeEnd: start, hostStart: start + at + 1, hostEnd: end, portEnd: end}
	local := text[start : start+at]
	if err := checkLocalPart(local); err != nil {
		return Link{}, fmt.Errorf("address %q: %w", text, err)
	}
	ascii, err := hostToASCII(text[b.hostStart:b.hostEnd])
	if err != nil {
		return Link{}, fmt.Errorf("address %q: %w", text, err)
	}
	if strings.ContainsFunc(ascii, isNotOfDomain) || endsInPunctuation(text[:b.hostEnd]) {
		return Link{}, fmt.Errorf("address %q: punctuation in the domain (want one address)", text)
	}
	return newLink(KindEmail, text, b, ascii), nil
}

// isNotOfDomain reports whether the domain of an address cannot have the character r. Browsers allow
// more characters in a host. A comma separates addresses (RFC 6068 §2), also after the last one. Mail
// programs that link the punctuation of a sentence write mailto:joe@example.com, for example.
func isNotOfDomain(r rune) bool {
	return byteClass[r]&runByte == 0 && !strings.ContainsRune("_[:]", r)
}

// endsInPunctuation reports whether s ends in punctuation that browsers allow in a host, but IDNA2008
// does not, such as non-ASCII quotation marks.
func endsInPunctuation(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return ucd.HostClassOf(r) == ucd.HostPunctuation
}

// newLink returns the link that is the whole text. ascii is the ASCII form of its host.
func newLink(kind Kind, text string, b bounds, ascii string) Link {
	l := Link{Kind: kind, End: len(text), Text: text, bounds: b}
	if !isOrdinaryHost(l.host()) {
		l.ascii = strings.Clone(ascii)
	}
	return l
}
