package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// seenIn returns the function that returns what an alternative of a text shows in place
// of a link; "" for a link that stays as typed.
//
// It is the link's display, without the scheme of the web where it differs from the
// target: spam filters take a text that begins with a scheme and is not the target for a
// fraud. neutral says that a host that was typed as A-labels stays so where MailScanner
// would take its Unicode form for a fraud.
func seenIn(t *text, neutral bool) func(*report.Found) string {
	return func(l *report.Found) string {
		if l.Broken {
			return ""
		}
		shown := withoutScheme(t, l, l.Display)
		if neutral && l.Linked && ascii.Is(l.Link.Components().Host) && misread(alternative.Link{Href: l.Href, Display: shown}) {
			shown = withoutScheme(t, l, readable(l, engine.HostASCII))
		}
		if shown == l.Link.Text {
			return ""
		}
		return shown
	}
}

// withoutScheme returns what a link shows without the scheme of the web. The scheme stays
// where the text is the target, or would run into what is before it.
func withoutScheme(t *text, l *report.Found, shown string) string {
	name, rest := scheme.Name(shown)
	after, ok := strings.CutPrefix(rest, "//")
	if !l.Linked || !ok || name != "http" && name != "https" || showsHref(alternative.Link{Href: l.Href, Display: shown}) ||
		!mayPrecedeHost(t.content[:l.Link.Start]) {
		return shown
	}
	return after
}

// mayPrecedeHost reports whether a host behind a text is read as one: the text does not
// end with what may be part of it, such as a letter, a full stop or an at sign.
func mayPrecedeHost(text string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	switch {
	case size == 0, unicode.IsSpace(r):
		return true
	case r < utf8.RuneSelf:
		return strings.ContainsRune("([{<>\"',;", r)
	}
	return unicode.In(r, unicode.Ps, unicode.Pi) || strings.ContainsRune("，、：；！？", r)
}
