package judge

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/policy"
)

// ShownFor compares the text, readings and labels of an element with the target that it opens. It
// returns the worst finding about one that names another domain.
func (j *Judge) ShownFor(ctx context.Context, item *page.Item, target engine.Link) []policy.Finding {
	if j.Allows(target) {
		return nil
	}
	worst := j.TextTarget(ctx, textview.WithOneDot(item.Text), target)
	for _, text := range item.Readings {
		named := j.Named(ctx, text, func(text string, named []engine.Link) []policy.Finding {
			named = slices.DeleteFunc(named, func(link engine.Link) bool { return joinsTarget(link, target) })
			return j.namedText(text, named, target)
		})
		worst = Worse(worst, slices.DeleteFunc(named, func(f policy.Finding) bool { return f.Severity < policy.SeverityMedium }))
	}
	for _, label := range item.Labels {
		worst = Worse(worst, j.Named(ctx, textview.WithOneDot(label), func(text string, named []engine.Link) []policy.Finding {
			return Worse(j.Policy.LabelTarget(text, named, target), j.deceiving(named, target, true))
		}))
	}
	return append(worst, j.Policy.TextTarget(item.Text, nil, target)...) // about direction overrides, which readings lack
}

// joinsTarget reports whether a reading glued a word to the target's host, as "www.example.comShop" of
// "www.example.com" and "Shop". Such a reading names no other host.
func joinsTarget(named, target engine.Link) bool {
	if named.Reason == engine.ReasonUnknownTLD {
		return true
	}
	const shortest = 3 // bytes of such a word
	word, ok := strings.CutPrefix(strings.TrimPrefix(named.ASCIIHost(), "www."), hostname.Registrable(target.ASCIIHost()))
	return ok && len(word) >= shortest && word[0] != '.'
}

// Worse returns the list whose first finding is more severe; a if both are equal.
func Worse(a, b []policy.Finding) []policy.Finding {
	if len(b) > 0 && (len(a) == 0 || b[0].Severity > a[0].Severity) {
		return b
	}
	return a
}

// TextTarget compares a text with the target that it is shown for.
func (j *Judge) TextTarget(ctx context.Context, text string, target engine.Link) []policy.Finding {
	if !mayNameHost(text) || j.Allows(target) {
		return nil
	}
	return j.Named(ctx, text, func(text string, named []engine.Link) []policy.Finding {
		return j.namedText(text, named, target)
	})
}

// namedText judges the links that a text names, both alone and against the target.
func (j *Judge) namedText(text string, named []engine.Link, target engine.Link) []policy.Finding {
	return Worse(j.Policy.TextTarget(text, named, target), j.deceiving(named, target, false))
}

// deceiving judges the links that a text names by themselves. They count only if the target is another
// host or the text has a user name: in "https://example.com@example.net/" a reader may take example.com
// for the site. owned leaves out links whose owner is not the target's.
func (j *Judge) deceiving(named []engine.Link, target engine.Link, owned bool) (worst []policy.Finding) {
	for _, link := range named {
		if link.Kind == engine.KindEmail || link.ASCIIHost() == "" || link.ASCIIHost() == target.ASCIIHost() && link.Reason != engine.ReasonUserinfo {
			continue
		}
		if owned && hostname.Registrable(link.ASCIIHost()) != hostname.Registrable(target.ASCIIHost()) {
			continue
		}
		for _, finding := range j.Verdict(link).Findings {
			if finding.Severity >= policy.SeverityMedium {
				worst = Worse(worst, []policy.Finding{finding})
			}
		}
	}
	return worst
}

// mayNameHost reports whether a reader may take a text for a link: it may hold a link, or begins with
// "www" and may have other signs in place of dots.
func mayNameHost(text string) bool {
	return MayHoldLink(text) || ascii.HasPrefixFold(strings.TrimSpace(text), textview.HostStart)
}

// maxNamed is how many links of a text are judged at a time.
const maxNamed = 64

// Named returns the worst finding about the links that a text names, in each of its readings. It stops
// when ctx ends.
func (j *Judge) Named(ctx context.Context, text string, judge func(text string, named []engine.Link) []policy.Finding) []policy.Finding {
	if !mayNameHost(text) {
		return nil
	}
	var worst []policy.Finding
	var room [textview.MaxReadings]string
	for _, text := range textview.Readings(room[:0], policy.VisibleText(text)) {
		var named []engine.Link
		for link, err := range j.Finder.Scan(ctx, text) {
			if err != nil {
				return worst
			}
			if named = append(named, link); len(named) == maxNamed {
				worst = Worse(worst, judge(text, named))
				named = named[:0]
			}
			if len(worst) > 0 && worst[0].Severity == policy.SeverityHigh {
				return worst
			}
		}
		if len(named) > 0 {
			worst = Worse(worst, judge(text, named))
		}
	}
	return worst
}

// contentSchemes are schemes of URLs that hold their own content, or open files. A text that reads as a
// web address misleads for such a URL.
var contentSchemes = map[string]bool{"data": true, "file": true, "javascript": true, "vbscript": true}

// TextScheme judges the text of an element that opens no link. If the scheme belongs to an application,
// only a text counts that is one whole URL in a protected domain, and whose owner is not the
// application's.
func (j *Judge) TextScheme(ctx context.Context, item *page.Item, url string) []policy.Finding {
	name, _ := scheme.Name(url)
	if name == "" {
		return nil
	}
	return j.Named(ctx, item.Text, func(text string, named []engine.Link) []policy.Finding {
		if !contentSchemes[name] {
			named = slices.DeleteFunc(named, func(link engine.Link) bool {
				owner, _, _ := strings.Cut(hostname.Registrable(link.ASCIIHost()), ".")
				return !isWhole(text, link) || strings.Contains(owner, name) || strings.Contains(name, owner)
			})
		}
		findings := j.Policy.TextScheme(text, named, name)
		if !contentSchemes[name] && len(findings) > 0 && findings[0].Severity < policy.SeverityHigh {
			return nil
		}
		return findings
	})
}

// isWhole reports whether a text is just one link, and that has a scheme or "www.".
func isWhole(text string, link engine.Link) bool {
	typed := link.Components().Scheme != "" || ascii.HasPrefixFold(link.Text, "www.")
	return typed && len(strings.TrimSpace(text)) <= len(link.Text)+len("<>")
}

// RefusedHost judges the host of a URL that browsers refuse, although the URL's beginning, which is the
// link, has a valid host: "https://example.net\uff03.example.com/".
func (j *Judge) RefusedHost(url string, link engine.Link) []policy.Finding {
	if link.Start > 0 {
		return nil
	}
	_, rest, ok := strings.Cut(url, "//")
	if !ok {
		return nil
	}
	start := len(url) - len(rest)
	if i := strings.IndexAny(rest, `/\?#`); i >= 0 {
		rest = rest[:i]
	}
	if start+len(rest) <= link.End {
		return nil
	}
	return j.Policy.RefusedAuthority(rest)
}

// NamedFor compares a display name with its address, given as a link. It also judges a local-part that
// reads as an address.
func (j *Judge) NamedFor(ctx context.Context, name, address string, link engine.Link) []policy.Finding {
	if j.Allows(link) {
		return nil
	}
	if name == "" {
		return j.quotedAddress(ctx, address)
	}
	findings := j.Named(ctx, name, func(text string, named []engine.Link) []policy.Finding {
		return j.Policy.DisplayName(text, named, link)
	})
	if len(findings) == 0 {
		findings = j.quotedAddress(ctx, address)
	}
	for _, f := range j.Policy.DisplayName(name, nil, link) {
		if len(findings) == 0 || f.Code != findings[0].Code {
			findings = append(findings, f)
		}
	}
	return findings
}

// quotedAddress judges an address whose local-part holds another address or a host, such as
// "service@example.com"@example.net. Readers take the local-part for the address. Some programs decode
// encoded words in it.
func (j *Judge) quotedAddress(ctx context.Context, address string) (worst []policy.Finding) {
	i := strings.LastIndexByte(address, '@')
	if i < 0 {
		return nil
	}
	quoted := unquoted(address[:i])
	if isOfForwarder(quoted) {
		return nil
	}
	if isPlainLocalPart(quoted) {
		return j.hostAsLocalPart(ctx, quoted, address[i:])
	}
	for _, local := range charset.LooseWords(ctx, quoted) {
		if local == quoted && isPlainLocalPart(strings.ReplaceAll(local, "=?", "")) {
			continue
		}
		name := strings.Trim(local, `"`)
		if target, err := engine.ParseLink("x" + address[i:]); err == nil {
			worst = Worse(worst, j.TextTarget(ctx, name, target))
			if strings.Contains(name, " ") {
				worst = Worse(worst, j.Policy.DisplayName(name, nil, target))
			}
		}
	}
	return worst
}

// unquoted returns a quoted local-part without its quotes and without its backslashes.
func unquoted(local string) string {
	if inside := strings.Trim(local, `"`); inside != local {
		return strings.ReplaceAll(inside, `\`, "")
	}
	return local
}

// isPlainLocalPart reports whether programs show a local-part as it is, and it does not read as an
// address or URL.
func isPlainLocalPart(local string) bool {
	return ascii.Is(local) && !strings.ContainsAny(local, `@/ `) && !strings.Contains(local, "=?") && !ascii.HasPrefixFold(local, "www.")
}

// isOfForwarder reports whether a forwarder or a mailing list made a local-part from another
// address. Such a local-part hides nothing. It is made by SRS ("SRS0=a/Kd=FT=example.com=joe",
// "ann+SRS=VZ/mL=FT=example.com=joe") or as a variable envelope return path
// ("bounces+12/3-joe=example.com"). Base64 in them has slashes.
func isOfForwarder(local string) bool {
	if strings.ContainsAny(local, "@:?\\ ") {
		return false
	}
	before, _, slash := strings.Cut(local, "/")
	namesHost := slash && strings.Contains(before, ".") && hostname.IsHost(before)
	return srs.MatchString(local) || !namesHost && returnPath.MatchString(local)
}

// srs and returnPath match the local-parts of isOfForwarder.
var (
	srs        = regexp.MustCompile(`(?i)^(?:[^=/]*\+)?srs[01]?[=+-].+=.+=[^=/]+\.[^=/]+=[^=]+$`)
	returnPath = regexp.MustCompile(`(?i)^[a-z0-9_]+[+=/_-][^=]*=.*[a-z0-9-]\.[a-z]{2,}$`)
)

// hostAsLocalPart judges a local-part that reads as a host: "service.example.com@example.net". It
// counts only for protected domains, since names of people read as hosts, too.
func (j *Judge) hostAsLocalPart(ctx context.Context, local, domain string) []policy.Finding {
	if !strings.Contains(local, ".") || !hostname.IsHost(local) {
		return nil
	}
	target, err := engine.ParseLink("x" + domain)
	if err != nil {
		return nil
	}
	if findings := j.TextTarget(ctx, local, target); len(findings) > 0 && findings[0].Severity >= policy.SeverityMedium {
		return findings
	}
	return nil
}
