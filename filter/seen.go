package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/filter/cost"
	"github.com/linkmilter/linkmilter/filter/judge"
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
		if neutral && l.Linked && ascii.Is(l.Link.Components().Host) && cost.Misread(alternative.Link{Href: l.Href, Display: shown}) {
			shown = withoutScheme(t, l, judge.Readable(l, engine.HostASCII))
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
	// Rspamd takes a text in parentheses with a scheme for another URL than the target.
	same := cost.ShowsHref(alternative.Link{Href: l.Href, Display: shown}) && !strings.ContainsAny(shown, "()")
	if !l.Linked || !ok || name != "http" && name != "https" || same ||
		!mayPrecedeHost(t.content[:l.Link.Start]) {
		return shown
	}
	return after
}

// hrefOf returns what a link opens in an alternative: its URL, without the slash behind
// the host where none was typed. Rspamd counts URLs with and without it as two, and an
// odd number of them against the message.
func hrefOf(l *report.Found) string {
	if c := l.Link.Components(); l.Link.Kind == engine.KindURL && c.Path == "" {
		_, rest, _ := strings.Cut(l.Href, "//")
		host := l.Href[:len(l.Href)-len(rest)+len(cost.Authority(rest))]
		return host + strings.TrimPrefix(l.Href[len(host):], "/")
	}
	return l.Href
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
