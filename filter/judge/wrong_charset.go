package judge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// ofCharacters are the codes of findings about characters that do not belong in a host or an address.
// Honest mail in a wrong charset has such findings where a letter or a quotation mark touches a host.
var ofCharacters = map[policy.Code]bool{
	policy.CodeInvalidIDNA: true, policy.CodeInvisibleCharacter: true, policy.CodeMixedScript: true,
	policy.CodeRestrictedCharacter: true, policy.CodeSyntaxLookalike: true,
	policy.CodeBidiOrder: true, policy.CodeEmailProfile: true, policy.CodeMixedDigits: true, policy.CodeWholeScript: true,
}

// ForgiveCharset removes the findings about characters of a link that a wrong charset explains. Another
// reading of the text has the link as written. guess says that this is not the likeliest reading.
// content is the text as written, if it may be Chinese, Japanese or Korean. If the link has another
// finding of medium or above, all findings stay.
func (j *Judge) ForgiveCharset(found *report.Found, guess bool, content []byte) {
	if guess && content != nil && found.Verdict.Worst() >= policy.SeverityMedium {
		forgiveText(found, content)
	}
	if found.Verdict.Worst() < policy.SeverityMedium || !isMisread(found.Link) && !(guess && isGlued(found)) || j.maySpoof(found.Link) {
		return
	}
	others := policy.Verdict{Findings: Where(found.Verdict.Findings, func(f policy.Finding) bool { return !ofCharacters[f.Code] })}
	if others.Worst() >= policy.SeverityMedium {
		return
	}
	found.Verdict.Findings = others.Findings
	j.Show(found)
}

// forgiveText removes findings that say that a host looks like another, if it is that one beside
// characters of the text: "ºmicrosoft.com", or "www.example.com£¨microsoft.com£©", which nothing opens.
// Another reading has a link to that host alone. A character before it may end in a byte of ASCII.
func forgiveText(found *report.Found, content []byte) {
	c := found.Link.Components()
	host := strings.ToLower(c.Host)
	found.Verdict.Findings = Where(found.Verdict.Findings, func(f policy.Finding) bool {
		genuine := report.Imitated(f)
		before, behind, ok := strings.Cut(host, genuine)
		switch {
		case !ok || genuine == "" || before == "" && behind == "":
			return true
		case behind != "":
			return behind[0] < utf8.RuneSelf || before != "" && !strings.HasSuffix(before, ".") || found.Link.ASCIIHost() != ""
		}
		return c.Scheme != "" || before[len(before)-1] < utf8.RuneSelf && !charset.IsTrail(content, host[len(before)-1:])
	})
}

// isGlued reports whether the non-ASCII characters of a link may be text around it. Chinese and
// Japanese write no space there, and a wrong charset may turn such text into letters that continue the
// link. It is true for a host that browsers cannot open, an ASCII host, a link without a scheme, and
// for letters after a whole host, as in "http://a.com和b.com".
func isGlued(found *report.Found) bool {
	has := func(codes ...policy.Code) bool {
		return slices.ContainsFunc(found.Verdict.Findings, func(f policy.Finding) bool { return slices.Contains(codes, f.Code) })
	}
	c := found.Link.Components()
	plain := ascii.Prefix(c.Host)
	switch {
	case has(policy.CodeUnknownTLD, policy.CodeInvalidTLD, policy.CodeInvalidIDNA), plain == len(c.Host):
		return true
	case found.Link.Kind == engine.KindEmail:
		return false
	case c.Scheme == "":
		return true
	}
	written := c.Host[:plain]
	return strings.Contains(written, ".") && textview.IsTopLevel(hostname.LastLabel(written)) && !has(policy.CodeSyntaxLookalike)
}

// maySpoof reports whether a host looks like another if its replacement characters are read as letters.
// A program with another default charset may show such letters.
func (j *Judge) maySpoof(link engine.Link) bool {
	host := link.Components().Host
	pieces := strings.FieldsFunc(host, func(r rune) bool { return r == utf8.RuneError })
	with := strings.Join(pieces, "x")
	if with == host {
		return false
	}
	other, err := engine.ParseLink("http://" + with)
	return err == nil && slices.ContainsFunc(j.Verdict(other).Findings, func(f policy.Finding) bool { return f.Code == policy.CodeLookalike })
}

// isMisread reports whether a host looks like text that was decoded with a wrong charset. It has
// replacement characters, or was read as windows-1252 in place of UTF-8 ("www.example.comâ€™s") or
// another charset ("îò÷åò.zip"), or has an empty label. Browsers refuse hosts of the first and the
// last kind.
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
