package policy

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
)

// wrappedLink returns the URL that a service opens which does not write the scheme of
// the URL: Google's copies for mobile devices and its translations. It returns false
// for other links.
func wrappedLink(host string, c engine.Components) (engine.Link, bool) {
	var rest string
	host = strings.TrimSuffix(host, ".")
	if name, ok := strings.CutSuffix(host, ".translate.goog"); ok {
		rest = untranslated(name)
	} else if strings.HasSuffix(host, ".cdn.ampproject.org") || host == "www.google.com" || host == "google.com" {
		rest = mobileCopy(c.Path)
	}
	if rest == "" {
		return engine.Link{}, false
	}
	link, err := engine.ParseLink("http://" + rest)
	return link, err == nil && link.Kind == engine.KindURL
}

// untranslated returns the host that Google's translation writes with hyphens for the
// dots, and with two hyphens for each hyphen.
func untranslated(name string) string {
	const hyphens = "\x00"
	name = strings.ReplaceAll(name, "--", hyphens)
	name = strings.ReplaceAll(name, "-", ".")
	return strings.ReplaceAll(name, hyphens, "-")
}

// mobileCopy returns host and path of the page in the path of an AMP cache; "" if there
// is none. The path begins with the kind of the document, and "s" for https.
func mobileCopy(path string) string {
	for _, kind := range [...]string{"/amp/", "/c/", "/v/", "/i/"} {
		if rest, ok := strings.CutPrefix(path, kind); ok {
			rest = strings.TrimPrefix(rest, "s/")
			if host, _, _ := strings.Cut(rest, "/"); strings.Contains(host, ".") {
				return rest
			}
		}
	}
	return ""
}

// decodeBase64 returns the URL at the start of s in base64 (RFC 4648 §4 or §5), without
// its scheme; "" if it has none.
func decodeBase64(s string) string {
	end := 0
	for end < len(s) && isBase64(s[end]) {
		end++
	}
	s = strings.NewReplacer("+", "-", "/", "_").Replace(s[:end])
	text, err := base64.RawURLEncoding.DecodeString(s[:len(s)/4*4])
	if err != nil {
		return ""
	}
	tail, err := base64.RawURLEncoding.DecodeString(s[len(s)/4*4:])
	if err == nil {
		text = append(text, tail...)
	}
	_, rest, ok := strings.Cut(string(text), "://")
	if !ok || !utf8.ValidString(rest) {
		return ""
	}
	return rest
}

// isBase64 reports whether c is in one of the two alphabets of base64.
func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("+/-_", c) >= 0
}

// defenseTokens returns the URL of URL Defense version 3 with the characters that its
// asterisks stand for. s is the rest of the wrapped URL, which ends with "__;", the
// characters in base64 and "!". An asterisk with another behind it stands for a run of
// characters; s stays if it has one.
func defenseTokens(s string) string {
	url, rest, ok := strings.Cut(s, "__;")
	if !ok || strings.Contains(url, "**") {
		return s
	}
	coded, _, ok := strings.Cut(rest, "!")
	characters, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(coded, "="))
	if !ok || err != nil {
		return url
	}
	var b strings.Builder
	for _, r := range url {
		if r != '*' {
			b.WriteRune(r)
			continue
		}
		_, size := utf8.DecodeRune(characters)
		b.Write(characters[:size])
		characters = characters[size:]
	}
	return b.String()
}
