package judge

import (
	"embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/wordlist"
	"github.com/linkmilter/linkmilter/policy"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// display decides how a judged link is shown.
type display struct {
	NeverLink []pattern.Glob // texts that are never made a link
	// Agreed reports whether all Unicode tables in use have the same version. Otherwise no link with a
	// non-ASCII host is edited.
	Agreed bool
	Defang func(text string) string // Defang, unless a test makes it fail
	// Readable is the function Readable, unless a test makes it fail.
	Readable func(found *report.Found, form engine.HostForm) string
}

// Show sets how a judged link is shown, and whether as a link: a flagged one as one that stays a link.
func (j *Judge) Show(found *report.Found) {
	d, link := &j.Display, found.Link
	suspect := link.Kind == engine.KindSuspect
	if !suspect {
		found.Href = link.Href()
	}
	found.Flagged = j.IsFlagged(link, found.Verdict)
	form := engine.HostUnicode
	switch {
	case found.Flagged:
		form = engine.HostASCII
	case suspect, d.neverLinked(link.Text), !meant(link):
		found.Display = link.Text
		return
	case isHidden(found.Verdict):
		form = engine.HostASCII
	case !d.Agreed:
		// Older tables may turn an A-label into another U-label.
		form = engine.HostAsTyped
	}
	if !d.Agreed && !suspect && !ascii.Is(link.Components().Host) && !found.Flagged {
		found.Display = link.Text
		return
	}
	found.Display = d.Readable(found, form)
	found.Linked = !suspect && found.Href != "" && (!found.Flagged || d.Agreed && meant(link))
}

// ShowAs shows links as a rule wants flagged ones to be shown. Show has shown them.
func (j *Judge) ShowAs(links []report.Found, flagged rule.Flagged) {
	for i := range links {
		found := &links[i]
		if j.flagAll && !found.Flagged && found.Place != report.PlaceHeader && found.Place != report.PlaceEnvelope {
			j.Show(found)
		}
		if !found.Flagged || flagged == rule.FlaggedLink {
			continue
		}
		if found.Linked = false; flagged == rule.FlaggedDefang {
			found.Display = j.Display.Defang(found.Display)
		}
	}
}

// neverLinked reports whether the operator wants a text not to be linked.
func (d *display) neverLinked(text string) bool {
	return slices.ContainsFunc(d.NeverLink, func(g pattern.Glob) bool { return g.Matches(text) })
}

// IsFlagged reports whether readers should not trust a link as shown: its host failed policy, or it has
// a finding of medium or above. A host that fails only a display rule is not flagged.
func (j *Judge) IsFlagged(link engine.Link, v policy.Verdict) bool {
	return j.flagAll && !j.Allows(link) || v.Worst() >= policy.SeverityMedium || link.Kind != engine.KindSuspect && !v.DisplayUnicode && !isHidden(v)
}

// isHidden reports whether browsers show the host as A-labels because of a display rule.
func isHidden(v policy.Verdict) bool { return v.HiddenBy.String() != "" }

// Readable returns the readable form of a link. Words of mixed scripts in its path may stay escaped.
func Readable(found *report.Found, form engine.HostForm) string {
	shown := found.Link.Readable(form)
	mixed := func(finding policy.Finding) bool { return finding.Code == policy.CodeMixedScriptPath }
	if found.Link.Kind != engine.KindURL || !slices.ContainsFunc(found.Verdict.Findings, mixed) {
		return shown
	}
	host := afterHost(shown)
	typed := found.Link.Text
	return shown[:host] + withEscapedWords(typed[afterHost(typed):], shown[host:])
}

// afterHost returns the offset at which the path, query or fragment of a URL begins, or its length.
func afterHost(url string) int {
	start := 0
	if i := strings.Index(url, "://"); i >= 0 {
		start = i + len("://")
	}
	if i := strings.IndexAny(url[start:], "/?#"); i >= 0 {
		return start + i
	}
	return len(url)
}

// withEscapedWords returns shown, the readable form of the typed text after a host. A word stays
// escaped if it was typed in escapes, mixes scripts and reads as Latin: decoded, it would pass for
// another word (UASG 1.4 b). Typed characters stay.
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

// An escapedWord is a word of a URL in three forms: as typed, as shown, and decoded.
type escapedWord struct {
	out                 *strings.Builder
	typed, shown, chars strings.Builder
}

// add adds a letter, mark or digit to the word. Any other unit ends the word.
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

// end writes the word as typed or as shown, and begins the next one.
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

// Defang returns the text of a link in a form in which no program finds a link or a nested URL, but
// which people can still read: "hxxps[:]//example[.]com/?u=http[:]//example[.]org". Only the scheme at
// the start is spelled differently, where readers look.
//
// A link needs a colon after a scheme, a dot between labels, or an at sign, in ASCII or a form that UTS
// #46 maps to it. Defang puts each of these signs in brackets. No label, scheme or local-part can touch
// a bracket.
func Defang(text string) string {
	for _, scheme := range [...]struct{ live, dead string }{{"http", "hxxp"}, {"ftp", "fxp"}} {
		if ascii.HasPrefixFold(text, scheme.live) {
			rest := text[len(scheme.live):]
			if name, _, ok := strings.Cut(rest, ":"); ok && (name == "" || strings.EqualFold(name, "s")) {
				text = scheme.dead + rest
			}
		}
	}
	return defanged.Replace(text)
}

// defanged puts brackets around the signs that make links.
var defanged = strings.NewReplacer(
	".", "[.]", "\u3002", "[.]", "\uff0e", "[.]", "\uff61", "[.]", // UTS #46 §2.3
	"@", "[@]", "\uff20", "[@]", "\ufe6b", "[@]",
	":", "[:]", "\uff1a", "[:]", "\ufe55", "[:]", "\ufe13", "[:]",
)

// meant reports whether the sender meant a link as one. A bare host may be a file (report.zip,
// main.rs:42), code (this.id) or two sentences run together (attached.Thanks). The filter judges such a
// link, but neither links nor rewrites it. A bare host counts as meant if it has "www.", a path or a
// query. Otherwise it must be in lower case, without a common file suffix. A link with a scheme is
// meant, and so is an address.
func meant(link engine.Link) bool {
	host, bare := bareHost(link)
	return !bare || !hasUpper(host) && !fileSuffixes.Has(lastLabel(host)) && !runTogether(host) && !isNumber(host) && !isMember(host) && !isAbbreviation(host)
}

// bareHost returns the host of a link. bare reports whether the link is nothing but a host without
// "www.".
func bareHost(link engine.Link) (host string, bare bool) {
	c := link.Components()
	bare = link.Kind == engine.KindURL && c.Scheme == "" && c.Path == "" && c.Query == "" && !ascii.HasPrefixFold(c.Host, "www.")
	return c.Host, bare
}

// UnlinkUnmeant removes the link from a bare host that is program code in its text, such as
// "user.name()", "$user.name" or "key=value.to".
func UnlinkUnmeant(found *report.Found, text string) {
	if !found.Linked {
		return
	}
	start, end := found.Link.Start, found.Link.End
	before := start > 0 && strings.IndexByte(`$#%{=&\^~`, text[start-1]) >= 0
	after := end < len(text) && strings.IndexByte("(=[", text[end]) >= 0
	if !before && !after {
		return
	}
	if _, bare := bareHost(found.Link); !bare {
		return
	}
	found.Linked = false
	if !found.Flagged {
		found.Display = found.Link.Text
	}
}

// isNumber reports whether a host is a number or version followed by a word: "12.99.to", "v1.2.co",
// "5.is". A site may have one number as its name, such as 163.com.
func isNumber(host string) bool {
	numbers, rest := 0, host
	for {
		label, after, ok := strings.Cut(rest, ".")
		if !ok {
			break
		}
		if digits := strings.TrimPrefix(label, "v"); digits == "" || strings.Trim(digits, "0123456789") != "" {
			return false
		}
		numbers, rest = numbers+1, after
	}
	const shortest = 3 // digits of a site's number below a two-letter top-level domain
	return numbers > 1 || numbers == 1 && len(rest) == 2 && len(host) < shortest+len(".xx")
}

// isAbbreviation reports whether a host is an abbreviation followed by a word ("d.h.es", "etc.it"). It
// also reports the end of one sentence and the start of the next: "there.is".
func isAbbreviation(host string) bool {
	first, rest, _ := strings.Cut(host, ".")
	if !strings.Contains(rest, ".") {
		return sentenceWords.Marked(first, "short") || sentenceWords.Marked(first, "end") && sentenceWords.Marked(rest, "start")
	}
	for label := range strings.SplitSeq(host, ".") {
		if utf8.RuneCountInString(label) > 2 {
			return false
		}
	}
	suffix, _ := publicsuffix.PublicSuffix(host)
	return !strings.Contains(suffix, ".") // "bp.co.uk" is a site below a public suffix
}

// isMember reports whether a host is an object of a program followed by members: "this.id",
// "event.target.name".
func isMember(host string) bool {
	object, rest, _ := strings.Cut(host, ".")
	if !objects.Has(object) {
		return false
	}
	for member := range strings.SplitSeq(rest, ".") {
		if !members.Has(member) {
			return false
		}
	}
	return true
}

// hasUpper reports whether a text has an upper-case or title-case letter.
func hasUpper(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) })
}

// lastLabel returns the last label of a host, without a final dot.
func lastLabel(host string) string {
	host = strings.TrimRight(host, textview.HostDots)
	if i := strings.LastIndexAny(host, textview.HostDots); i >= 0 {
		_, size := utf8.DecodeRuneInString(host[i:])
		host = host[i+size:]
	}
	return host
}

// runTogether reports whether an ideographic full stop is between two non-ASCII characters, where it
// ends a sentence.
func runTogether(host string) bool {
	for i, r := range host {
		if !strings.ContainsRune(textview.IdeographicStops, r) {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(host[:i])
		after, size := utf8.DecodeRuneInString(host[i+utf8.RuneLen(r):])
		if size > 0 && before >= utf8.RuneSelf && after >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

//go:embed lists/*.txt
var listFiles embed.FS

// Word lists for telling bare hosts from other text. Each file says what it holds.
var (
	fileSuffixes  = wordlist.MustRead(listFiles, "lists/file_suffixes.txt")
	objects       = wordlist.MustRead(listFiles, "lists/program_objects.txt")
	members       = wordlist.MustRead(listFiles, "lists/program_members.txt")
	sentenceWords = wordlist.MustRead(listFiles, "lists/sentence_words.txt")
)
