package judge

import (
	"embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/wordlist"
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
