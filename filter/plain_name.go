package filter

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// isPlainNameOf reports whether a scan of any reading of a text surely finds one link, to the
// host of a target: the text is a URL in it, with or without a scheme. Most texts that name a
// host are such.
func isPlainNameOf(text string, target engine.Link) bool {
	host := target.ASCIIHost()
	name, rest := scheme.Name(text)
	if name != "" {
		rest = strings.TrimPrefix(rest, "//")
	}
	path, isHost := strings.CutPrefix(rest, host)
	if !isHost || !isPlainHost(host) || path != "" && path[0] != '/' {
		return false
	}
	isPath, beyond := isPlainPath(path)
	if !isPath || (name == "" || beyond) && strings.IndexByte(path, '.') >= 0 {
		return false // the link may end before a dot: at an unknown suffix, or in a sentence
	}
	return isPlain(text) && endsAsWord(text) && !endsAsURL(text)
}

// isPlainHost reports whether a host is a name of two labels or more, the last of letters
// only: a scan finds no shorter host in it.
func isPlainHost(host string) bool {
	notLetter := func(r rune) bool { return !ascii.IsLetter(r) }
	return strings.Contains(host, ".") && hostname.IsHost(host) && !strings.ContainsFunc(hostname.LastLabel(host), notLetter)
}

// endsAsWord reports whether a text, which is not empty, has no punctuation at its end that is
// not part of a link.
func endsAsWord(text string) bool {
	last := text[len(text)-1]
	return ascii.IsAlphanumeric(last) || last == '/' || last >= utf8.RuneSelf
}

// isPlainPath reports whether a path, query and fragment have only letters, digits and signs
// that no reading of the text takes for the start or end of another link, and whether some of
// them are beyond ASCII.
func isPlainPath(path string) (ok, beyond bool) {
	for _, r := range path {
		switch {
		case ascii.IsAlphanumeric(r):
		case r >= utf8.RuneSelf && isPlainLetter(r):
			beyond = true
		case r >= utf8.RuneSelf || strings.IndexByte("/-_.~=&?#%+", byte(r)) < 0:
			return false, false
		}
	}
	return true, beyond
}

// isPlainLetter reports whether a character beyond ASCII may be in a link, and no reading of a
// text takes it for the syntax of URLs or for a letter of ASCII. It knows most letters.
func isPlainLetter(r rune) bool {
	switch {
	case r < 0x0370, r > 0x1cff && r < 0x3041, r > 0x31ff && r < 0x3400, r > 0xa71f && r < 0xa800, r > 0xd7a3:
		return false // signs and Latin letters
	}
	return ucd.LinkTermOf(r) == ucd.Include && !looksLikeSyntax(r)
}
