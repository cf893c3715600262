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

// Display decides how a judged link is shown.
type display struct {
	NeverLink []pattern.Glob // texts that are never made a link
	// Agreed says that all tables have one Unicode version. Otherwise no link is
	// edited whose host is not ASCII.
	Agreed bool
	Defang func(text string) string // defang, but for tests of its failure
}

// Show fills in how a judged link is shown, and whether as a link.
func (d *display) Show(found *report.Found, flagged rule.Flagged) {
	link := found.Link
	suspect := link.Kind == engine.KindSuspect
	if !suspect {
		found.Href = link.Href()
	}
	found.Flagged = IsFlagged(link, found.Verdict)
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
	found.Display = Readable(found, form)
	found.Linked = !suspect && found.Href != "" && (!found.Flagged || flagged == rule.FlaggedLink && d.Agreed && meant(link))
	if found.Flagged && flagged == rule.FlaggedDefang {
		found.Display = d.Defang(found.Display)
	}
}

// neverLinked reports whether the operator wants a text not to be linked.
func (d *display) neverLinked(text string) bool {
	return slices.ContainsFunc(d.NeverLink, func(g pattern.Glob) bool { return g.Matches(text) })
}

// IsFlagged reports whether readers should not take a link at face value: its host
// failed policy, or it has a finding of medium or above. A host that only a display
// rule hides is not flagged.
func IsFlagged(link engine.Link, v policy.Verdict) bool {
	return v.Worst() >= policy.SeverityMedium || link.Kind != engine.KindSuspect && !v.DisplayUnicode && !isHidden(v)
}

// isHidden reports whether a display rule of browsers hides the host.
func isHidden(v policy.Verdict) bool { return v.HiddenBy.String() != "" }

// Readable returns the readable form of a link.
func Readable(found *report.Found, form engine.HostForm) string {
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

// Defang returns the text of a link in a form in which neither linkmilter nor any other program
// finds a link or a nested URL. People can still read it:
// "hxxps[:]//example[.]com/?u=http[:]//example[.]org". The letters of the schemes that open
// something in a browser are changed at the start only, where readers look.
//
// Links begin with a scheme and a colon, hold a dot between labels or an at sign, in ASCII or one
// Of the forms that UTS #46 maps to it. All of these that are left are alone between brackets. No
// label, scheme or local part can be beside a bracket.
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

// defanged brackets what makes links.
var defanged = strings.NewReplacer(
	".", "[.]", "\u3002", "[.]", "\uff0e", "[.]", "\uff61", "[.]", // UTS #46 §2.3
	"@", "[@]", "\uff20", "[@]", "\ufe6b", "[@]",
	":", "[:]", "\uff1a", "[:]", "\ufe55", "[:]", "\ufe13", "[:]",
)

// meant reports whether the sender meant a link as one. A bare host may be a file
// (report.zip, main.rs:42), code (this.id) or two sentences run together (attached.Thanks).
// The filter judges such a link, but neither links nor rewrites it. A bare host is meant with
// "www.", a path or a query, or in lower case with a last label that is not a common
// file suffix. A link with a scheme is meant, and so is an address.
func meant(link engine.Link) bool {
	host, bare := bareHost(link)
	return !bare || !hasUpper(host) && !fileSuffixes.Has(lastLabel(host)) && !runTogether(host) && !isNumber(host) && !isMember(host) && !isAbbreviation(host)
}

// bareHost returns the host of a link that is nothing but a host without "www.", and reports
// whether the link is one.
func bareHost(link engine.Link) (host string, bare bool) {
	c := link.Components()
	bare = link.Kind == engine.KindURL && c.Scheme == "" && c.Path == "" && c.Query == "" && !ascii.HasPrefixFold(c.Host, "www.")
	return c.Host, bare
}

// UnlinkUnmeant makes no link of a bare host that is a piece of a program in its text:
// "user.name()", "$user.name", "key=value.to".
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

// isNumber reports whether a host is a number or version with a word behind it: "12.99.to",
// "v1.2.co", "5.is". Sites have names of one number, such as 163.com.
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
	const shortest = 3 // of the number of a site below a top-level domain of two letters
	return numbers > 1 || numbers == 1 && len(rest) == 2 && len(host) < shortest+len(".xx")
}

// isAbbreviation reports whether a host is an abbreviation with a word behind it, "d.h.es" or
// "etc.it", or the last word of a sentence with the first one of another: "there.is".
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
	return !strings.Contains(suffix, ".") // of a country: "bp.co.uk"
}

// isMember reports whether a host is an object of a program and a member of it, or of a member: "this.id",
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

// hasUpper reports whether a text holds an upper-case letter. Scripts without case have
// none.
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

// runTogether reports whether an ideographic full stop is between two characters beyond
// ASCII, where it ends a sentence.
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

// The lists of words that say what a bare host is. Each file says what it has.
var (
	fileSuffixes  = wordlist.MustRead(listFiles, "lists/file_suffixes.txt")
	objects       = wordlist.MustRead(listFiles, "lists/program_objects.txt")
	members       = wordlist.MustRead(listFiles, "lists/program_members.txt")
	sentenceWords = wordlist.MustRead(listFiles, "lists/sentence_words.txt")
)
