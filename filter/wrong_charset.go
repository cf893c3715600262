package filter

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// ofCharacters are the codes of findings about characters that do not belong into a host.
// Honest mail in a wrong charset gets them where a quotation mark touches a host.
var ofCharacters = map[policy.Code]bool{
	policy.CodeInvalidIDNA: true, policy.CodeInvisibleCharacter: true, policy.CodeMixedScript: true,
	policy.CodeRestrictedCharacter: true, policy.CodeSyntaxLookalike: true,
}

// forgiveCharset removes the findings about the characters of a host that a wrong charset
// gives it. Another reading of the text has the host as it was written.
func (j *judge) forgiveCharset(found *report.Found, flagged rule.Flagged) {
	if found.Verdict.Worst() < policy.SeverityMedium || !isMisread(found.Link) || j.maySpoof(found.Link) {
		return
	}
	found.Verdict.Findings = where(found.Verdict.Findings, func(f policy.Finding) bool { return !ofCharacters[f.Code] })
	j.display.show(found, flagged)
}

// maySpoof reports whether a host looks like another with any letter in place of replacement
// characters: then the letter may be what a program of another language shows.
func (j *judge) maySpoof(link engine.Link) bool {
	host := link.Components().Host
	pieces := strings.FieldsFunc(host, func(r rune) bool { return r == utf8.RuneError })
	with := strings.Join(pieces, "x")
	if with == host {
		return false
	}
	other, err := engine.ParseLink("http://" + with)
	return err == nil && slices.ContainsFunc(j.verdict(other).Findings, func(f policy.Finding) bool { return f.Code == policy.CodeLookalike })
}

// isMisread reports whether a host has what a wrong charset makes of one: replacement
// characters, characters of windows-1252 in place of those in UTF-8 ("www.example.comâ€™s") or
// of other letters ("îò÷åò.zip"), or nothing before a dot. Browsers refuse the first and the
// last.
func isMisread(link engine.Link) bool {
	host := link.Components().Host
	if ascii.Is(host) {
		return strings.Contains("."+host, "..")
	}
	if strings.ContainsRune(host, utf8.RuneError) {
		return true
	}
	content, err := charmap.Windows1252.NewEncoder().String(host)
	if err != nil {
		return false
	}
	for label := range strings.SplitSeq(content, ".") {
		if !ascii.Is(label) && !utf8.ValidString(label) && strings.ContainsFunc(label, isOfName) {
			return false
		}
	}
	return true
}
