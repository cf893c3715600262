package policy

import (
	"slices"
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// A shownText is a text that a reader sees for a link, with the links in it.
type shownText struct {
	what   string // for a detail: "text" or "label"
	text   string
	named  []engine.Link // links and suspects in the text that are not of the target's owner
	sender sender
	aside  bool // it stands next to the text of the link, or in place of it
}

// textMismatch returns the worst finding about a text that names a domain in place of the target.
// opened describes the target in the detail.
func textMismatch(s shownText, target engine.Link, opened string, set *protectedSet) Finding {
	worst, shown := worstMismatch(s, target, set)
	if worst == nothing {
		return Finding{}
	}
	return worst.finding(shown.Components().Host, s.what, hostname.Registrable(shown.ASCIIHost()), opened)
}

// worstMismatch returns the link in a text that gives the worst variant against the target, and
// that variant.
func worstMismatch(s shownText, target engine.Link, set *protectedSet) (worst variant, shown engine.Link) {
	for _, link := range s.named {
		if link.ASCIIHost() == "" || isWordAt(link) {
			continue
		}
		v := mismatchOf(s, link, target, set)
		if s.aside && v.severity() > labelOnly.severity() && !speaksForOwner(link, set) {
			v = labelOnly
		}
		if v.severity() > worst.severity() {
			worst, shown = v, link
		}
	}
	return worst, shown
}

// isWordAt reports whether a link in a text is an address in a domain of a single label, which is
// no site: "mailto:info@example".
func isWordAt(l engine.Link) bool {
	return isMail(l, l.Components()) && isLabel(l.ASCIIHost())
}

// mismatchOf returns the variant for a text with a link named, whose domain is not that of the
// target.
func mismatchOf(s shownText, named, target engine.Link, set *protectedSet) variant {
	host := strings.TrimSuffix(named.ASCIIHost(), ".")
	brand := speaksForOwner(named, set)
	alone := isAlone(named, s.text)
	var v variant
	switch {
	case isRepository(s.text, named, target), isModule(named, target), isArchived(named, target):
		return nothing
	case looksTyped(named):
		v = urlMismatch(brand, target)
	case named.Kind == engine.KindEmail && target.Kind != engine.KindEmail:
		v = pageMismatch(hostname.Registrable(host), brand, alone, target)
	case named.Kind == engine.KindEmail:
		v = addressMismatch(brand, alone)
	case brand && isBelow(target.ASCIIHost(), clickCounters):
		v = nameAlone // newsletters name companies so
	case brand:
		v = brandMentioned
	case alone && !fileSuffixes.Has(hostname.LastLabel(host)):
		v = nameAlone
	}
	domain, opened := hostname.Registrable(host), hostname.Registrable(target.ASCIIHost())
	switch {
	case v.severity() > clickCounter.severity() && s.sender.owns(domain, target):
		return clickCounter
	case v.severity() < textSameName.severity() || !haveSameName(domain, opened):
		return v
	case domain != opened && target.Kind != engine.KindEmail && isKnownName(domain, opened, set):
		return nameAlone
	case v.severity() == textSameName.severity():
		return v
	}
	return textSameName // the owner may have both domains, or another person the second one
}

// owns reports whether a domain, A-labels, is the sender's own and the sender surely chose the
// target: the sender is authenticated, or the target is a service that counts clicks.
func (s sender) owns(domain string, target engine.Link) bool {
	if s.domain == "" || domain != s.domain && !brands().sameOwner(domain, s.domain) {
		return false
	}
	return s.isAuthenticated || isBelow(target.ASCIIHost(), counters)
}

// isKnownName reports whether two domains with the same name but different suffixes surely have one
// owner: both are protected, or one is protected and the other popular. It is false where customers
// have names or links, as at paypal.me: there another person may imitate the owner.
func isKnownName(domain, opened string, set *protectedSet) bool {
	switch hostname.LastLabel(opened) {
	case "gg", "me":
		return false
	}
	isProtected := set.exact[opened] != nil
	return !impersonated.Marked(opened, markTenants) && (isProtected || set.exact[domain] != nil && popularSites().has(hostname.Unicode(opened)))
}

// isOfPerson reports whether an address is at a provider of mailboxes and does not name a service.
// Lists write such senders as "anna@gmail.com via List".
func isOfPerson(l engine.Link) bool {
	local, _, _ := strings.Cut(l.Text, "@")
	return isOfPublic(l) && !hasLure(strings.Map(wordOfLocalPart, strings.ToLower(local)))
}

// wordOfLocalPart maps characters that separate words of a local-part to a hyphen.
func wordOfLocalPart(r rune) rune {
	if strings.ContainsRune("._+", r) {
		return '-'
	}
	return r
}

// urlMismatch returns the variant for a URL in the text. brand is true if the URL names a protected
// domain.
func urlMismatch(brand bool, target engine.Link) variant {
	switch {
	case brand:
		return brandURL
	case isBelow(target.ASCIIHost(), clickCounters):
		return clickCounter
	}
	return otherURL
}

// addressMismatch returns the variant for an address in the text. brand is true if the address is
// in a protected domain, and alone if the text has nothing else.
func addressMismatch(brand, alone bool) variant {
	switch {
	case brand && alone:
		return brandAddress
	case brand:
		return brandMentioned
	case alone:
		return otherAddress
	}
	return addressMentioned // lists write senders so: "anna@example.com via List"
}

// pageMismatch returns the variant for an address in a domain as the text of a link to a page.
// Honest mail has such links, too, because services that count clicks also replace links to
// addresses.
func pageMismatch(domain string, brand, alone bool, target engine.Link) variant {
	switch {
	case !alone:
		return nothing
	case brand && !impersonated.Marked(domain, markMailboxes) && !isBelow(target.ASCIIHost(), clickCounters):
		return brandAddressPage
	}
	return addressPage
}

// speaksFor reports whether a link in a text names a protected domain, or one that looks like it.
// It is false for pages that the domain lets the public make.
func speaksFor(l engine.Link, set *protectedSet) bool {
	c := l.Components()
	if impersonated.Marked(hostname.Registrable(l.ASCIIHost()), markPages) && isPage(c.Path) {
		return false
	}
	h := newLinkHost(l, c.Host)
	if set.covers(h) {
		return true
	}
	return h.isName() && lookalike(h.withDomain(), set).Severity >= SeverityMedium
}

// isPage reports whether a path can be that of a page made by the public: it is not one where
// people log in.
func isPage(path string) bool {
	return strings.Trim(path, "/") != "" && !hasLure(strings.ToLower(strings.ReplaceAll(path, "/", "-")))
}

// speaksForOwner is speaksFor, but accepts all domains of an owner of protected domains.
func speaksForOwner(l engine.Link, set *protectedSet) bool {
	return speaksFor(l, set) || set.isOfProtectedOwner(l, l.Components())
}

// looksTyped reports whether a link in a text reads as a URL and not as a name:
// it has a scheme, "www." or a path.
func looksTyped(l engine.Link) bool {
	c := l.Components()
	if l.Kind == engine.KindEmail {
		return false
	}
	return c.Scheme != "" || c.Path != "" || c.Query != "" || len(c.Host) > len("www.") && ascii.HasPrefixFold(c.Host, "www.")
}

// isAlone reports whether a text has nothing but a link and decoration.
func isAlone(named engine.Link, text string) bool {
	return strings.TrimFunc(text, isDecoration) == strings.TrimFunc(named.Text, isDecoration)
}

// isDecoration reports whether r has no meaning beside a link, such as a space, quote, bracket,
// arrow or picture.
func isDecoration(r rune) bool {
	return r <= ' ' || r > unicode.MaxLatin1 && unicode.In(r, unicode.So, unicode.Variation_Selector) || strings.ContainsRune("\u00a0\"'<>()[]{}.,:;!?*|-/\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u2022\u2190\u2192\u21d2\u25b6\u25ba", r)
}

// isRepository reports whether what reads as a host in a text is the name of a repository that the
// target opens: "acme/www.acme.com" for https://github.com/acme/www.acme.com/pull/1.
func isRepository(text string, named, target engine.Link) bool {
	c := named.Components()
	if c.Scheme != "" || named.Kind == engine.KindEmail || !codeHosts[target.ASCIIHost()] {
		return false
	}
	slash := named.Start - 1
	if slash < 0 || named.Start > len(text) || text[slash] != '/' {
		return false
	}
	owner := slash
	for owner > 0 && (ascii.IsAlphanumeric(text[owner-1]) || strings.IndexByte("-_.", text[owner-1]) >= 0) {
		owner--
	}
	name := "/" + text[owner:slash] + "/" + c.Host + "/"
	return owner < slash && strings.Contains(strings.ToLower(target.Components().Path+"/"), strings.ToLower(name))
}

// moduleOwners are the GitHub accounts that have the source of Go modules, by the domain in the
// names of the modules.
var moduleOwners = map[string][]string{
	"etcd.io": {"etcd-io"}, "golang.org": {"golang"}, "gorm.io": {"go-gorm"}, "k8s.io": {"kubernetes", "kubernetes-sigs"},
	"opentelemetry.io": {"open-telemetry"}, "uber.org": {"uber-go"},
}

// isModule reports whether a text names a Go module and the target is the page of its source or
// documentation. Mail of Dependabot has the text "golang.org/x/net" for
// https://github.com/golang/net.
func isModule(named, target engine.Link) bool {
	c := named.Components()
	if c.Scheme != "" || named.Kind == engine.KindEmail || len(c.Path) < len("/x") || c.Userinfo != "" {
		return false
	}
	path := target.Components().Path
	switch target.ASCIIHost() {
	case "pkg.go.dev":
		module := "/" + c.Host + c.Path
		return strings.HasPrefix(path, module) || strings.HasPrefix(path, "/mod"+module)
	case "github.com":
		owner := firstOf(path)
		return slices.Contains(moduleOwners[hostname.Registrable(named.ASCIIHost())], owner) || named.ASCIIHost() == "gopkg.in" && gopkgOwner(c.Path) == owner
	}
	return false
}

// gopkgOwner returns the GitHub account of a module of gopkg.in: go-yaml for /yaml.v3, src-d for
// /src-d/go-git.v4.
func gopkgOwner(path string) string {
	first := firstOf(path)
	if name, _, hasVersion := strings.Cut(first, ".v"); hasVersion {
		return "go-" + name
	}
	return first
}

// firstOf returns the first segment of a path.
func firstOf(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}

// isArchived reports whether the target is a copy at the Internet Archive of a page in the domain
// that a text names: https://web.archive.org/web/20130120074804/http://example.com/.
func isArchived(named, target engine.Link) bool {
	c := target.Components()
	path, ok := strings.CutPrefix(c.Path, "/web/")
	stamp, page, _ := strings.Cut(path, "/")
	if !ok || stamp == "" || !ascii.IsDigit(stamp[0]) || target.ASCIIHost() != "web.archive.org" {
		return false
	}
	if path = strings.ToLower(path); strings.Contains(path, `\`) || strings.Contains(path, "/.") || strings.Contains(path, "%2e") {
		return false // browsers may leave out the page: "/../"
	}
	if !strings.Contains(page, "://") {
		page = "http://" + page
	}
	copied, err := engine.ParseLink(page)
	if err != nil || copied.Components().Userinfo != "" {
		return false
	}
	domain := hostname.Registrable(copied.ASCIIHost())
	return domain != "" && domain == hostname.Registrable(named.ASCIIHost())
}
