package judge

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/sender"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// maxBeside is how many bytes before a link are read together with it: about the length of a name.
const maxBeside = 256

// A Beside judges a link of a text together with the characters that touch it. A reader or another
// program may take these characters for a part of the address.
type Beside struct {
	*Judge
	ctx  context.Context
	text string
}

// InText returns the Beside for the links of a text.
func (j *Judge) InText(ctx context.Context, text string) Beside { return Beside{j, ctx, text} }

// Findings returns the findings that link has only together with the text that touches it. before is
// the previous link of the text.
func (r Beside) Findings(link, before engine.Link) []policy.Finding {
	link, before = withoutQuery(link), withoutQuery(before)
	last := byte(' ')
	if link.Start > 0 {
		last = r.text[link.Start-1]
	}
	var found []policy.Finding
	switch {
	case link.Kind == engine.KindEmail && (strings.Contains(link.Text, "//") || last == '/' || last == '\\' || last == ':'):
		return append(r.addressAfterSlashes(link), r.asWebUser(link)...)
	case last >= utf8.RuneSelf:
		found = append(r.afterHidden(link, before), r.afterSign(link)...)
	case last == '%':
		found = r.afterEscape(link)
	}
	switch link.Kind {
	case engine.KindSuspect:
		found = append(found, r.asUser(link)...)
	case engine.KindEmail:
		found = append(found, r.asWebUser(link)...)
	}
	return found
}

// afterHidden reads a link together with the name in front of it when invisible characters or marks
// are between them. Programs begin the link after these characters, but a reader does not see them.
func (r Beside) afterHidden(link, last engine.Link) []policy.Finding {
	hidden := false
	before := r.text[max(link.Start-maxBeside, 0):link.Start]
	name := before[len(strings.TrimRightFunc(before, func(c rune) bool {
		unseen := isUnseen(c)
		hidden = hidden || unseen
		return unseen || isOfName(c)
	})):]
	if !hidden || !hasLetter(name) || hostname.Registrable(last.ASCIIHost()) == hostname.Registrable(link.ASCIIHost()) {
		return nil
	}
	seen := strings.Map(func(c rune) rune {
		if isUnseen(c) {
			return -1
		}
		return c
	}, name)
	if seen == "" {
		return nil
	}
	return onlyHigh(r.TextTarget(r.ctx, "https://"+seen+link.Text, link))
}

// isOfName reports whether c is an ASCII letter, digit, hyphen or dot.
func isOfName(c rune) bool {
	return c < utf8.RuneSelf && (ascii.IsAlphanumeric(byte(c)) || c == '-' || c == '.')
}

// hasLetter reports whether a name has an ASCII letter.
func hasLetter(name string) bool { return strings.ContainsFunc(name, ascii.IsLetter[rune]) }

// isUnseen reports whether a reader does not see r within a word of ASCII letters, or overlooks it as a
// mark on one of them.
func isUnseen(r rune) bool {
	return sender.IsInvisible(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.M, r) || '\ufff9' <= r && r <= '\ufffc'
}

// afterSign reads a link together with the name and the sign in front of it, if the sign looks like
// "/", ":" or ".". Programs begin the link after the sign.
func (r Beside) afterSign(link engine.Link) []policy.Finding {
	sign, size := utf8.DecodeLastRuneInString(r.text[:link.Start])
	if unicode.In(sign, unicode.L, unicode.Nd, unicode.M) {
		return r.afterLetter(link)
	}
	like := textview.Syntax()[sign]
	before := r.text[max(link.Start-size-maxBeside, 0) : link.Start-size]
	name := before[len(strings.TrimRightFunc(before, isOfName)):]
	if like == "" || !hasLetter(name) { // "1：" is the number of the link in a list
		return nil
	}
	rest := bareLink(link)
	if link.Kind == engine.KindEmail { // "Web•info@example.com" is not a URL with a user name
		rest, _, _ = strings.Cut(rest, "@")
	}
	return deceptive(r.TextTarget(r.ctx, "https://"+name+like+rest, link))
}

// afterLetter reads a link together with the word in front of it, if that ends in a letter of another
// script. linkmilter begins the link after the letter, as text without spaces needs; other programs
// begin it with the word.
func (r Beside) afterLetter(link engine.Link) []policy.Finding {
	before := r.text[max(link.Start-maxBeside, 0):link.Start]
	word := before[len(strings.TrimRightFunc(before, isOfWord)):]
	label := word[strings.LastIndexByte(word, '.')+1:]
	readings := make([]string, 0, 2)
	if ascii.IsAlphanumeric(label[0]) {
		readings = append(readings, word)
	}
	// After a right-to-left letter or a mark, programs begin the host anew.
	if i := strings.LastIndexFunc(label, func(c rune) bool { return textview.ASCIILike(c) == 0 || unicode.Is(unicode.M, c) }); i >= 0 {
		_, size := utf8.DecodeRuneInString(label[i:])
		label = label[i+size:]
	}
	if label != "" && !slices.Contains(readings, label) {
		readings = append(readings, label)
	}
	var alike []policy.Finding
	for _, name := range readings {
		for _, whole := range r.Finder.In("http://" + name + bareLink(link)) {
			alike = append(alike, Where(deceptive(r.Verdict(whole).Findings), func(f policy.Finding) bool { return f.Code == policy.CodeLookalike })...)
		}
	}
	return alike
}

// isOfWord reports whether c may be in a host of any script.
func isOfWord(c rune) bool {
	return isOfName(c) || c >= utf8.RuneSelf && unicode.In(c, unicode.L, unicode.Nd, unicode.M)
}

// bareLink returns a link's text without its scheme.
func bareLink(link engine.Link) string {
	if _, rest, ok := strings.Cut(link.Text, "://"); ok {
		return rest
	}
	return link.Text
}

// asUser reads a web link as the user name of a longer URL: in "https://example.com@example.net"
// programs may end the link before the "@". The link may touch a word or slashes in front of it.
func (r Beside) asUser(link engine.Link) []policy.Finding {
	text, ok := r.urlFrom(link)
	if !ok {
		return nil
	}
	url, err := engine.ParseLink(text)
	if err != nil {
		return nil
	}
	switch c := url.Components(); {
	case c.Userinfo == "" && !strings.HasPrefix(c.Path, `\`):
		return nil
	case c.Userinfo != "" && endsInTool(r.text[:link.Start]): // git+https://user.name@example.com
		return r.hostAsLocalPart(r.ctx, c.Userinfo, "@"+c.Host)
	}
	return onlyHigh(r.Verdict(url).Findings)
}

// asWebUser reads an address that begins with "www." as programs do that make a URL of it: its local
// part is then a user name. If nothing follows the address, only the name of a protected domain counts,
// since people have such addresses at mailbox providers.
func (r Beside) asWebUser(link engine.Link) []policy.Finding {
	if link.Kind != engine.KindEmail || !ascii.HasPrefixFold(link.Text, "www.") {
		return nil
	}
	local, domain, _ := strings.Cut(link.Text, "@")
	if hostname.Registrable(strings.ToLower(local)) == hostname.Registrable(link.ASCIIHost()) {
		return nil // both have the same owner
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
	return onlyHigh(r.Verdict(url).Findings)
}

// goesOnAsURL reports whether the text after a host is a path, query, fragment or port.
func goesOnAsURL(rest string) bool {
	if len(rest) < 2 {
		return false
	}
	return rest[0] == '/' || (rest[0] == '?' || rest[0] == '#') && ascii.IsAlphanumeric(rest[1]) || rest[0] == ':' && ascii.IsDigit(rest[1])
}

// urlFrom returns the URL that begins with a link, up to its path, as programs read it that know only
// web schemes. ok is false unless it has a user name: an "@" before the next slash and before the end
// of the word.
func (r Beside) urlFrom(link engine.Link) (string, bool) {
	before, start := r.text[:link.Start], ""
	switch scheme := link.Components().Scheme; {
	case strings.EqualFold(scheme, "ftp"):
		if before != "" && ascii.IsAlphanumeric(before[len(before)-1]) { // "sftp://"
			return "", false
		}
	case ascii.HasPrefixFold(scheme, "http"):
	case strings.HasPrefix(link.Text, "//") && (ascii.HasSuffixFold(before, "http:") || ascii.HasSuffixFold(before, "https:")):
		start = "https:"
	case !strings.HasSuffix(before, "//") || strings.HasSuffix(before, "://"):
		return "", false
	default:
		start = "https://"
	}
	rest := r.text[link.End:]
	if strings.IndexByte(link.Text, '/') < 0 { // the next link's slash would end it, but may be far away
		rest = rest[:min(len(rest), maxBeside)]
	}
	if n := strings.IndexFunc(rest, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("/?#\"<>", c) }); n >= 0 {
		rest = rest[:n]
	}
	if !strings.Contains(rest, "@") {
		return "", false
	}
	return start + r.text[link.Start:link.End+len(rest)], true
}

// endsInTool reports whether a text ends in a version control system and a plus sign, as in
// "git+https". Such a URL may honestly have a user name.
func endsInTool(text string) bool {
	text, ok := strings.CutSuffix(text[max(len(text)-len("_git+"), 0):], "+")
	tool := text[len(strings.TrimRightFunc(text, isOfName)):]
	return ok && slices.Contains([]string{"git", "hg", "svn", "bzr"}, strings.ToLower(tool))
}

// afterEscape reads a link without the two hexadecimal digits at its start, if a "%" is in front of
// it. In a URL of another scheme, the host follows the escape of a slash or an at sign.
func (r Beside) afterEscape(link engine.Link) []policy.Finding {
	if len(link.Text) < len("2F.") {
		return nil
	}
	if _, ok := ascii.HexByte(link.Text[0], link.Text[1]); !ok {
		return nil
	}
	escaped, err := engine.ParseLink("http://" + link.Text[2:])
	if err != nil {
		return nil
	}
	return deceptive(r.Verdict(escaped).Findings)
}

// addressAfterSlashes reads an address after a scheme or slashes as a URL: its local-part is then a user
// name, and may name another host.
func (r Beside) addressAfterSlashes(link engine.Link) []policy.Finding {
	before := r.text[max(link.Start-len("https://////"), 0):link.Start]
	slashes := before[len(strings.TrimRight(before, `/\`)):]
	readings := [...]string{lastWord(before) + link.Text, slashes + link.Text, link.Text[max(strings.Index(link.Text, "//"), 0):]}
	var high []policy.Finding
	for _, text := range readings {
		for _, url := range r.Finder.In(textview.Plain(text)) {
			if url.Kind != engine.KindEmail && url.Components().Userinfo != "" {
				high = append(high, onlyHigh(r.Verdict(url).Findings)...)
			}
		}
		if len(high) > 0 {
			break
		}
	}
	return high
}

// lastWord returns the text after its last white space.
func lastWord(text string) string {
	i := strings.LastIndexFunc(text, unicode.IsSpace)
	if i < 0 {
		return text
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return text[i+size:]
}

// onlyHigh returns the findings of high severity. Lower findings are frequent where honest words run
// together.
func onlyHigh(findings []policy.Finding) []policy.Finding {
	return Where(findings, func(f policy.Finding) bool { return f.Severity >= policy.SeverityHigh })
}

// deceptive returns the findings of high severity, and those of medium severity about look-alike hosts.
func deceptive(findings []policy.Finding) []policy.Finding {
	return Where(findings, func(f policy.Finding) bool {
		return f.Severity >= policy.SeverityHigh || f.Severity >= policy.SeverityMedium && f.Code == policy.CodeLookalike
	})
}

// Where returns the findings for which keep is true.
func Where(findings []policy.Finding, keep func(policy.Finding) bool) (kept []policy.Finding) {
	for _, f := range findings {
		if keep(f) {
			kept = append(kept, f)
		}
	}
	return kept
}
