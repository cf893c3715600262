package filter

import (
	"slices"
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// allFindings returns what deceives about link together with the text beside it, and about a link that
// other programs make of both. before is the link before it.
func (r besideReader) allFindings(link, before engine.Link) []policy.Finding {
	return slices.Concat(r.findings(link, before), r.asWebUser(link), r.behindWord(link))
}

// asWebUser reads an address as the URL that programs make of one that begins with "www.": its
// local-part is then a user name. Without more than the address, only the name of a protected domain
// counts, since people have such addresses at providers of mailboxes.
func (r besideReader) asWebUser(link engine.Link) []policy.Finding {
	if link.Kind != engine.KindEmail || !ascii.HasPrefixFold(link.Text, "www.") {
		return nil
	}
	local, domain, _ := strings.Cut(link.Text, "@")
	if hostname.Registrable(strings.ToLower(local)) == hostname.Registrable(link.ASCIIHost()) {
		return nil // the owner of both is the same
	}
	rest := r.text[link.End:min(link.End+maxBeside, len(r.text))]
	if i := strings.IndexFunc(rest, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("\"<>", c) }); i >= 0 {
		rest = rest[:i]
	}
	if !goesOnAsURL(rest) {
		return onlyHigh(r.hostAsLocalPart(r.ctx, local, "@"+domain))
	}
	url, err := engine.ParseLink("http://" + link.Text + rest)
	if err != nil || url.Components().Userinfo == "" {
		return nil
	}
	return onlyHigh(r.verdict(url).Findings)
}

// goesOnAsURL reports whether the text behind a host is a path, a query, a fragment or a port.
func goesOnAsURL(rest string) bool {
	if len(rest) < 2 {
		return false
	}
	return rest[0] == '/' || (rest[0] == '?' || rest[0] == '#') && ascii.IsAlphanumeric(rest[1]) || rest[0] == ':' && ascii.IsDigit(rest[1])
}
