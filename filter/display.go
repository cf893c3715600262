package filter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/policy"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// display decides how a judged link is shown.
type display struct {
	neverLink []pattern.Glob // texts that are never made a link
	// agreed says that all tables have one Unicode version. Otherwise no link is
	// edited whose host is not ASCII.
	agreed bool
	defang func(text string) string // defang, but for tests of its failure
}

// show fills in how a judged link is shown, and whether as a link.
func (d *display) show(found *report.Found, flagged rule.Flagged) {
	link := found.Link
	suspect := link.Kind == engine.KindSuspect
	if !suspect {
		found.Href = link.Href()
	}
	found.Flagged = isFlagged(link, found.Verdict)
	form := engine.HostUnicode
	switch {
	case found.Flagged:
		form = engine.HostASCII
	case suspect, d.neverLinked(link.Text), !meant(link):
		found.Display = link.Text
		return
	case isHidden(found.Verdict):
		form = engine.HostASCII
	case !d.agreed:
		// Older tables may turn an A-label into another U-label.
		form = engine.HostAsTyped
	}
	if !d.agreed && !suspect && !ascii.Is(link.Components().Host) && !found.Flagged {
		found.Display = link.Text
		return
	}
	found.Display = readable(found, form)
	found.Linked = !suspect && found.Href != "" && (!found.Flagged || flagged == rule.FlaggedLink && d.agreed && meant(link))
	if found.Flagged && flagged == rule.FlaggedDefang {
		found.Display = d.defang(found.Display)
	}
}

// neverLinked reports whether the operator wants a text not to be linked.
func (d *display) neverLinked(text string) bool {
	return slices.ContainsFunc(d.neverLink, func(g pattern.Glob) bool { return g.Matches(text) })
}

// isFlagged reports whether readers should not take a link at face value: its host
// failed policy, or it has a finding of medium or above. A host that only a display
// rule hides is not flagged.
func isFlagged(link engine.Link, v policy.Verdict) bool {
	return v.Worst() >= policy.SeverityMedium || link.Kind != engine.KindSuspect && !v.DisplayUnicode && !isHidden(v)
}

// isHidden reports whether a display rule of browsers hides the host.
func isHidden(v policy.Verdict) bool { return v.HiddenBy.String() != "" }

// readable returns the readable form of a link.
func readable(found *report.Found, form engine.HostForm) string {
	shown := found.Link.Readable(form)
	mixed := func(finding policy.Finding) bool { return finding.Code == policy.CodeMixedScriptPath }
	if found.Link.Kind != engine.KindURL || !slices.ContainsFunc(found.Verdict.Findings, mixed) {
		return shown
	}
	host := behindHost(shown)
	typed := found.Link.Text
	return shown[:host] + withEscapedWords(typed[behindHost(typed):], shown[host:])
}

// behindHost returns the offset of the path, query or fragment of a URL.
func behindHost(url string) int {
	start := 0
	if i := strings.Index(url, "://"); i >= 0 {
		start = i + len("://")
	}
	if i := strings.IndexAny(url[start:], "/?#"); i >= 0 {
		return start + i
	}
	return len(url)
}

// withEscapedWords returns shown, the readable form of the text typed behind a host. A word of
// mixed scripts that reads as Latin stays escaped where it came in escapes, so that it is not read
// as another word (UASG 1.4 b). Typed characters stay.
func withEscapedWords(typed, shown string) string {
	var out strings.Builder
	w := escapedWord{out: &out}
	for shown != "" {
		if typed == "" {
			return out.String() + w.shown.String() + shown
		}
		before, after := percent.Next(typed), percent.Next(shown)
		w.add(typed[:before.Size], shown[:after.Size], after)
		typed, shown = typed[before.Size:], shown[after.Size:]
	}
	w.end()
	return out.String()
}

// An escapedWord is a word as typed and as shown, and as characters.
type escapedWord struct {
	out                 *strings.Builder
	typed, shown, chars strings.Builder
}

// add adds a unit to the word, or ends the word.
func (w *escapedWord) add(typed, shown string, u percent.Unit) {
	if u.Spelling == percent.Stray || !unicode.In(u.Rune, unicode.Letter, unicode.Mark, unicode.Digit) {
		w.end()
		w.out.WriteString(shown)
		return
	}
	w.chars.WriteRune(u.Rune)
	w.shown.WriteString(shown)
	if u.Rune < utf8.RuneSelf {
		typed = shown
	}
	w.typed.WriteString(typed)
}

// end writes the word.
func (w *escapedWord) end() {
	chars := w.chars.String()
	if uts39.ReadsASCII(chars) && uts39.Analyze(chars).Mixture() == uts39.MinimallyRestrictive {
		w.out.WriteString(w.typed.String())
	} else {
		w.out.WriteString(w.shown.String())
	}
	w.typed.Reset()
	w.shown.Reset()
	w.chars.Reset()
}

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
	// Rspamd takes a text in parentheses with a scheme for another URL than the target.
	same := showsHref(alternative.Link{Href: l.Href, Display: shown}) && !strings.ContainsAny(shown, "()")
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
		host := l.Href[:len(l.Href)-len(rest)+len(authority(rest))]
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
