package policy

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TextTarget compares the text of a link with the target of the link. text is the whole text,
// also with characters that a reader does not see. named are the links and suspects that a
// reader sees in it: those that an engine.Scanner with Options.Suspects finds in
// VisibleText(text).
//
// The result has at most two findings. One is of CodeTextTargetMismatch, about the worst link
// in named that names another domain than the target's. The other is of CodeBidiControl, if
// text has a bidi override (UAX #9 §2.2), which makes a reader see another text.
//
// Two domains are the same if their registrable domains (a public suffix and one more label)
// are, as A-labels. TextTarget ignores addresses inside the text of a link to a web page, and
// words that are file names and not hosts.
func (j *Judge) TextTarget(text string, named []engine.Link, target engine.Link) []Finding {
	return append(j.target(shownText{what: "text", text: text, named: named, sender: j.sender}, target), j.findings(turnedText(text))...)
}

// LabelTarget is TextTarget for a text beside the text of a link or in place of it, such
// as the description of a picture. It returns at most one finding, of CodeTextTargetMismatch.
// The severity is at most SeverityLow unless the label names a protected domain, because
// newsletters name other domains there.
func (j *Judge) LabelTarget(label string, named []engine.Link, target engine.Link) []Finding {
	return j.target(shownText{what: "label", text: label, named: named, aside: true, sender: j.sender}, target)
}

// target returns the findings about a text that is shown for a target.
func (j *Judge) target(s shownText, target engine.Link) []Finding {
	if len(s.named) == 0 {
		return nil
	}
	opened := openedBy(target)
	isOther := func(named engine.Link) bool { return named.ASCIIHost() != target.ASCIIHost() }
	if len(opened) == 0 && !slices.ContainsFunc(s.named, isOther) {
		return nil
	}
	j = j.ready()
	domain := hostname.Registrable(target.ASCIIHost())
	if domain == "" || j.allowed.hasTarget(target) {
		return nil
	}
	if s.aside && target.Kind != engine.KindEmail {
		s.named = slices.DeleteFunc(slices.Clone(s.named), func(named engine.Link) bool { return named.Kind == engine.KindEmail })
	}
	if len(opened) == 0 {
		s.named = byOtherOwners(s.named, domain, target)
		return j.findings(textMismatch(s, target, domain, j.protected))
	}
	return j.findings(wrappedMismatch(s, target, opened, j.protected))
}

// wrappedMismatch is textMismatch for a target that opens other links. A text that shows the whole
// target may name the wrapper, too.
func wrappedMismatch(s shownText, target engine.Link, opened []engine.Link, set *protectedSet) Finding {
	s.named = slices.DeleteFunc(slices.Clone(s.named), func(named engine.Link) bool { return named.ASCIIHost() == "" || shows(named, target) })
	var worst Finding
	for _, inner := range opened {
		domain, of := hostname.Registrable(inner.ASCIIHost()), s
		if passedTo(inner) == nil { // otherwise the wrapper opens a further link
			of.named = slices.DeleteFunc(byOtherOwners(s.named, domain, inner), func(named engine.Link) bool { return runsInto(named, domain) && !speaksForOwner(named, set) })
		}
		if f := textMismatch(of, inner, domain, set); f.Severity > worst.Severity {
			worst = f
		}
	}
	domain := hostname.Registrable(target.ASCIIHost())
	if others := byOtherOwners(s.named, domain, target); worst.Severity == SeverityNone && len(others) > 0 {
		return passedOn.finding(others[0].Components().Host, s.what, hostname.Registrable(others[0].ASCIIHost()), domain)
	}
	return worst
}

// runsInto reports whether a link in a text ends with a domain that no dot precedes. Such a text is
// that of two links in a row: "www.example.orgexample.com".
func runsInto(named engine.Link, domain string) bool {
	before, ok := strings.CutSuffix(strings.TrimSuffix(named.ASCIIHost(), "."), domain)
	return ok && strings.Contains(before, ".") && !strings.HasSuffix(before, ".") && named.Kind != engine.KindEmail
}

// shows reports whether a link in a text is the target, perhaps without some parameters. A link
// without a path must have the first parameter.
func shows(named, target engine.Link) bool {
	shown, c := named.Components(), target.Components()
	if named.ASCIIHost() != target.ASCIIHost() || strings.TrimPrefix(shown.Path, "/") != strings.TrimPrefix(c.Path, "/") {
		return false
	}
	return len(c.Path) > 1 || shown.Query != "" && strings.HasPrefix(percent.Decode(c.Query), percent.Decode(shown.Query))
}

// byOtherOwners returns the links in a text that may name another owner than that of the
// target, which is in the domain opened.
func byOtherOwners(named []engine.Link, opened string, target engine.Link) []engine.Link {
	return slices.DeleteFunc(slices.Clone(named), func(named engine.Link) bool {
		return sameOwner(hostname.Registrable(named.ASCIIHost()), opened, target)
	})
}

// TextScheme is TextTarget for a target without a domain, such as a script behind a text that
// reads as a URL. scheme is that of the target, without the colon: "javascript". TextScheme
// returns at most one finding, of CodeTextTargetMismatch. It ignores addresses in the text,
// because pages use scripts to hide them from robots.
func (j *Judge) TextScheme(text string, named []engine.Link, scheme string) []Finding {
	s := shownText{what: "text", text: text}
	for _, link := range named {
		if link.Kind != engine.KindEmail {
			s.named = append(s.named, link)
		}
	}
	return j.findings(textMismatch(s, engine.Link{}, "a "+printable(scheme)+": URL", j.ready().protected))
}

// StyledText returns the finding about a link whose text styles move, cut off, add to or
// reorder, so that a reader may see another text than the one that TextTarget judges. Its code
// is CodeStyledText. The result is nil only if Options.Severities turns that code off.
func (j *Judge) StyledText(target engine.Link) []Finding {
	host := target.ASCIIHost()
	if host == "" {
		host = printable(target.Text)
	}
	return j.findings(drawnText.finding(target.Text, host))
}

// turnedText reports a bidi override in a text.
func turnedText(text string) Finding {
	if ascii.Is(text) {
		return Finding{}
	}
	first, found := len(text), rune(0)
	for _, r := range "\u202d\u202e" { // faster than IndexAny, which compares each character
		if i := strings.IndexRune(text[:first], r); i >= 0 {
			first, found = i, r
		}
	}
	if found == 0 {
		return Finding{}
	}
	return overrideInText.finding(text, found)
}

// RefusedAuthority judges the authority of a URL, such as "example.net＃.example.com", that browsers
// refuse because of a character in its host. It returns one finding. The code is
// CodeSyntaxLookalike if the character looks like URL syntax or maps to it, because some programs
// then open another host than the reader sees. Otherwise it is CodeInvalidIDNA. The result is nil if
// Options.Severities turns the code off.
func (j *Judge) RefusedAuthority(authority string) []Finding {
	for _, r := range hostname.FullStops(authority) {
		if r < utf8.RuneSelf {
			continue
		}
		if like := syntaxLike(r); like != "" {
			return j.findings(likeSyntax.finding(authority, r, printable(like)))
		}
	}
	return j.findings(refusedByBrowsers.finding(authority))
}

// findings returns the finding of one rule with its configured severity, or nil if that is
// SeverityNone.
func (j *Judge) findings(f Finding) []Finding {
	out := collector{severities: j.severities}
	out.note(f)
	return out.findings
}

// VisibleText returns the text without the characters that a reader does not see: those with
// the property Default_Ignorable_Code_Point (UAX #44). Joiners stay between two characters beyond
// ASCII, where languages need them. A byte that is not UTF-8 becomes U+FFFD.
func VisibleText(text string) string {
	mayChange := func(r rune) bool { return ucd.IsDefaultIgnorable(r) || r == utf8.RuneError }
	if ascii.Is(text) || !strings.ContainsFunc(text, mayChange) {
		return text
	}
	var b strings.Builder
	before := rune(-1)
	for i, r := range text {
		if ucd.IsDefaultIgnorable(r) {
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if !isJoiner(r) || before < utf8.RuneSelf || after < utf8.RuneSelf || after == utf8.RuneError || ucd.IsDefaultIgnorable(after) {
				continue
			}
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}
