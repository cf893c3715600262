package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/recent"
)

// Options configure a Judge. The zero value has the defaults.
type Options struct {
	// Severities replace the severity of all findings of a code, those of Codes.
	// SeverityNone turns the code off.
	Severities map[Code]Severity
	// Protected has domains that other hosts must not look like, in addition to
	// the built-in list: the domains of the operator. U-labels or A-labels.
	Protected []string
	// Names has names of the operator, in addition to those in the domains of Protected:
	// "Nordlichtwerke", "NLW". [Judge.Names] finds them.
	Names []string
	// Brands has domains that phishing imitates, in addition to the built-in list. Unlike
	// with Protected, the same name below another suffix is honest. U-labels or A-labels.
	Brands []string
	// Block has hosts whose links get a finding of CodeBlocked. A line `example.com` is that host
	// alone. A line `.example.com` is all hosts below it, without itself; write both lines for both.
	// A line with a date, such as `example.com 2027-01-31`, counts to the end of that day in UTC.
	Block []string
	// Allow has hosts, in lines as those of Block, whose links get no findings. Links of other hosts
	// that pass on to them get none for that, either. Allow wins over Block. A line
	// `"Jira (Northgate)" from atlassian.net` is a sender: [Judge.DisplayName] finds nothing about
	// this name if the address is in that domain or below it.
	Allow []string
	// Lists looks links up in lists that others publish; nil means no lists.
	Lists Lists
	// Correspondents are those to whom the operator's users write; nil means that they are not known.
	Correspondents Correspondents
	// WithoutBrands turns off the built-in list of domains that phishing imitates.
	WithoutBrands bool
	// TLDs has the top-level domains that exist; nil means tld.Builtin().
	TLDs *tld.Set
}

// A Judge judges links. The zero value judges like the result of New(Options{}). A Judge is
// immutable and safe for concurrent use.
type Judge struct {
	severities map[Code]Severity
	protected  *protectedSet
	blocked    *hostList
	allowed    *hostList
	lists      Lists
	contacts   *contacts           // nil: not known
	listed     map[string][]Listed // see WithListed
	tlds       *tld.Set
	claimed    claimNames

	withoutBrands bool
	sender        sender
	unlike        *recent.Table[struct{}] // hosts in ASCII that look like no other host, since messages repeat the same hosts
}

// maxUnlike is the number of hosts in Judge.unlike.
const maxUnlike = 1 << 10

// New returns a Judge with the options. It returns an error for an unknown code or severity, and
// for a domain of Protected or Brands, or a line of Block or Allow, that is not valid. The
// error has the code, domain or line.
func New(o Options) (*Judge, error) {
	known := maps.Collect(Codes())
	for c, s := range o.Severities {
		if _, ok := known[c]; !ok {
			return nil, fmt.Errorf("unknown finding code %q", string(c))
		}
		if s > SeverityHigh {
			return nil, fmt.Errorf("%s: unknown %s", c, s)
		}
	}
	tlds := o.TLDs
	if tlds == nil {
		tlds = tld.Builtin()
	}
	set, err := newProtectedSet(&o, tlds)
	if err != nil {
		return nil, err
	}
	j := &Judge{severities: maps.Clone(o.Severities), protected: set, lists: o.Lists, contacts: newContacts(o.Correspondents), tlds: tlds, unlike: recent.NewTable[struct{}](maxUnlike)}
	for _, name := range o.Names {
		if utf8.RuneCountInString(brandKey(name)) < minOwnName {
			return nil, fmt.Errorf("name %q: fewer than two letters (want a name such as Nordlichtwerke)", name)
		}
	}
	j.claimed, j.withoutBrands = newClaimNames(&o, set), o.WithoutBrands
	if j.blocked, err = newHostList(o.Block); err != nil {
		return nil, fmt.Errorf("block: %w", err)
	}
	if j.allowed, err = newHostList(o.Allow); err != nil {
		return nil, fmt.Errorf("allow: %w", err)
	}
	return j, nil
}

// builtinJudge is what New(Options{}) returns.
var builtinJudge = sync.OnceValue(func() *Judge {
	j, err := New(Options{})
	if err != nil {
		panic(err) // no option can be wrong
	}
	return j
})

// A sender is the domain in the From field of a message.
type sender struct {
	domain          string // registrable domain in A-labels; "" if there is none
	isAuthenticated bool
}

// WithSender returns a Judge for the texts of a message from a domain, A-labels. A text that names this domain is
// the sender's own: it deceives nobody about who sent the message. So findings of [Judge.TextTarget] about it are at
// most SeverityLow if trusted servers authenticated the domain, or the link is of a service that counts clicks.
func (j *Judge) WithSender(domain string, isAuthenticated bool) *Judge {
	with := *j.ready()
	with.sender = sender{hostname.Registrable(domain), isAuthenticated}
	return &with
}

// ready returns j, or the result of New(Options{}) if j is the zero value.
func (j *Judge) ready() *Judge {
	if j.protected == nil {
		return builtinJudge()
	}
	return j
}

// Link judges a link, an address or a suspect, from engine.ParseLink or an engine.Scanner. It
// judges the host, each other part that can mislead a reader, and the URLs within the link that
// it passes on to. A link that Options.Allow has gets a Verdict without findings whose
// DisplayUnicode is true. Link allocates nothing for a link in ASCII without findings.
func (j *Judge) Link(l engine.Link) Verdict {
	j = j.ready()
	out := collector{severities: j.severities, listed: j.find(l)}
	if j.allows(l, out.listed) {
		return Verdict{DisplayUnicode: true}
	}
	c := l.Components()
	h := newLinkHost(l, c.Host)
	j.judgeHost(&out, l, c, h)
	if plain, ok := withoutSign(&l, &c); ok && !j.isLikeOther(plain) {
		out.dropSigns()
	}
	if h.isName() {
		out.noteHost(misleadingOrder(h, c.Path, j.tlds))
	}
	if l.Kind == engine.KindEmail {
		judgeLocalPart(&out, c, j.protected)
	}
	out.inParts = len(out.findings)
	for _, part := range [...]string{c.Path, c.Query, c.Fragment} {
		judgePart(&out, part, j.protected)
	}
	for _, d := range c.Directives {
		judgePart(&out, d, j.protected)
	}
	j.judgeNested(&out, l, h, c)
	v := Verdict{Findings: out.findings}
	v.DisplayUnicode = h.ascii != "" && out.worstHost < SeverityMedium
	if v.DisplayUnicode && h.isName() {
		v.HiddenBy = displayRule(h.name(), out.likesPopular, j.severities)
		if v.DisplayUnicode = v.HiddenBy == displayed; v.HiddenBy == hiddenPopular {
			v.HiddenLike = hostname.Canonical(out.popularSite)
		}
	}
	return v
}

// judgeHost judges the authority of a link: its form, whether lists have it, and its name. c are
// the components of the link, and h is its host.
func (j *Judge) judgeHost(out *collector, l engine.Link, c engine.Components, h linkHost) {
	if isScheme(c) {
		return
	}
	judgeAuthority(out, l, c, h, j.tlds)
	j.judgeListed(out, l, strings.TrimSuffix(h.ascii, "."))
	if h.isName() {
		j.judgeName(out, h)
	}
}

// isLikeOther reports whether a bare host looks like the host of another owner.
func (j *Judge) isLikeOther(host string) bool {
	link, err := engine.ParseLink("http://" + host)
	if err != nil {
		return false
	}
	out := collector{severities: j.severities}
	c := link.Components()
	j.judgeHost(&out, link, c, newLinkHost(link, c.Host))
	return slices.ContainsFunc(out.findings, func(f Finding) bool { return f.Code == CodeLookalike && f.Severity >= SeverityMedium })
}

// judgeListed judges whether lists have a link to a host, A-labels: that of the
// operator, those of others, and that of services that shorten URLs.
func (j *Judge) judgeListed(out *collector, l engine.Link, host string) {
	if j.blocked.has(l) {
		out.noteHost(blockedHost.finding(host))
	}
	for i := range out.listed {
		out.noteHost(out.listed[i].finding())
	}
	if l.Kind != engine.KindEmail && shorteners.Has(strings.TrimPrefix(host, "www.")) {
		out.noteHost(shortenedURL.finding(host))
	}
}

// judgeName judges the name of a host: each label by itself, and whether the host is like a
// protected domain.
func (j *Judge) judgeName(out *collector, h linkHost) {
	if name := h.name(); !ascii.Is(name) {
		top := hostname.LastLabel(name)
		for label := range labelsOf(name) {
			if !ascii.Is(label) {
				judgeLabel(out, label, top)
			}
		}
	}
	if !out.has(CodeSyntaxLookalike) {
		out.noteHost(domainLabel(h, j.protected))
	}
	f := j.likeness(out, h)
	if f.Severity < SeverityMedium {
		if like := j.likeCorrespondent(h); like.Severity >= f.Severity {
			f = like
		}
	}
	out.noteHost(f)
}

// likeness reports a host that is like a protected domain or a popular site.
func (j *Judge) likeness(out *collector, h linkHost) Finding {
	isPlain := h.typed == h.ascii && h.unicode == h.ascii
	if isPlain && j.unlike.Get(h.ascii) != nil {
		return Finding{}
	}
	f := j.likenessWithHyphens(out, h)
	if isPlain && f.Severity == SeverityNone && !out.likesPopular {
		j.unlike.Put(strings.Clone(h.ascii), struct{}{})
	}
	return f
}

// likenessWithHyphens is likeness for the host with hyphens in place of underscores.
func (j *Judge) likenessWithHyphens(out *collector, h linkHost) Finding {
	if strings.IndexByte(h.unicode, '_') < 0 {
		return j.likenessOf(out, h)
	}
	hyphens := func(s string) string { return strings.ReplaceAll(s, "_", "-") }
	f := j.likenessOf(out, linkHost{typed: hyphens(h.typed), ascii: hyphens(h.ascii), unicode: hyphens(h.unicode)})
	if i := strings.Index(hyphens(h.unicode), f.Label); i >= 0 {
		f.Label = h.unicode[i : i+len(f.Label)]
	}
	return f
}

// likenessOf is likeness for a host without underscores. Popular sites and hosts of content
// delivery networks are excused. It records in out whether the host looks like a popular site, even
// if the host may be honest.
func (j *Judge) likenessOf(out *collector, h linkHost) Finding {
	if j.protected.covers(h) {
		return Finding{}
	}
	h = h.withDomain()
	like := likeness{host: h, worst: lookalike(h, j.protected)}
	if like.worst.Severity < SeverityMedium {
		domain, site := likePopularSite(h)
		if j.protected.withoutBrands && ascii.Is(domain) {
			site = ""
		}
		out.popularSite = site
		out.likesPopular = hidesDomain(domain, site)
		like.note(popularLookalike(domain, site))
		if site == "" {
			like.note(typedPopularLookalike(h))
		}
		like.note(nearbyName(h, j.protected))
	}
	if like.worst.Severity < SeverityMedium {
		if !j.protected.withoutBrands {
			like.note(likeBrand(h))
			like.note(likeSiteInForms(h))
			like.note(likeBrandName(h, j.protected))
			like.note(brandNameBefore(h, j.protected))
		}
		like.note(nameBefore(h, j.protected))
		like.note(schemeInLabel(h))
	}
	if like.worst.Severity < SeverityMedium {
		like.note(j.protected.ownNameIn(h))
	}
	if like.worst.Severity != SeverityNone && isKnownSite(h) {
		return Finding{}
	}
	return like.worst
}

// A likeness collects the worst finding about the names in a host; of equally bad ones, the first.
// A name that is part of the name of a popular site does not count.
type likeness struct {
	host  linkHost
	worst Finding
}

// note takes a finding if it is worse than the worst so far.
func (like *likeness) note(f Finding) {
	if f.Severity > like.worst.Severity && !isNameOfKnownSite(f.Label, like.host) {
		like.worst = f
	}
}

// judgeNested judges the hosts of URLs inside a link, to which it passes readers on, the hosts that
// other programs link in it, and the hosts nested in these. Readers do not see these as hosts, so
// only findings of SeverityMedium and above count.
func (j *Judge) judgeNested(out *collector, l engine.Link, host linkHost, c engine.Components) {
	var urls innerURLs
	j.addByOthers(&urls, l, host, c)
	byOthers := len(urls.links)
	urls.collect(host.ascii, &c)
	for i := 0; i < len(urls.links); i++ {
		link := urls.links[i]
		listed := j.find(link)
		if j.allows(link, listed) {
			out.dropWords(link.UnicodeHost())
			continue
		}
		c := link.Components()
		h := newLinkHost(link, c.Host)
		inner := collector{severities: j.severities, listed: listed}
		j.judgeHost(&inner, link, c, h)
		opened := "the link passes on to "
		if i < byOthers {
			opened = "other programs open "
		}
		for _, f := range inner.findings {
			if f.Severity >= SeverityMedium || f.Code == CodeListed {
				f.Detail = within(opened+printable(cmp.Or(h.ascii, h.typed)), f.Detail)
				if !slices.Contains(out.findings, f) {
					out.findings = append(out.findings, f)
				}
			}
		}
		urls.collect(h.ascii, &c)
	}
}

// addByOthers adds the hosts inside a link that other programs make links of.
func (j *Judge) addByOthers(urls *innerURLs, l engine.Link, host linkHost, c engine.Components) {
	if !ascii.Is(c.Host) && !j.protected.covers(host) {
		urls.addBesideSigns(c.Host, c.Scheme == "")
		if l.Kind == engine.KindSuspect {
			urls.addName(asciiEnd(c.Host)) // programs that know only names in ASCII begin there
		}
	}
	switch l.Kind {
	case engine.KindEmail:
		urls.addBesideSlashes(c.Userinfo)
	case engine.KindSuspect:
		if !strings.Contains(host.ascii, ".") || len(c.Path) > 1 && isPathSlash(c.Path[1]) {
			urls.addBesideSlashes(c.Path)
		}
		if host.ascii == "" {
			urls.addBesideSlashes(c.Query)
			urls.addBesideSlashes(c.Fragment)
		}
	}
	urls.addBroken(&l, host.ascii, &c, j.tlds)
}

// A hostList is a list of hosts that the operator wrote: Options.Block or Options.Allow.
type hostList struct {
	hosts   pattern.Domains
	senders pattern.Pairs
}

// newHostList returns the list of lines such as `example.com 2027-01-31`.
func newHostList(lines []string) (*hostList, error) {
	l := &hostList{}
	for _, line := range lines {
		add := l.hosts.AddLine
		if pattern.IsPair(line) {
			add = l.senders.AddLine
		}
		if err := add(line); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// has reports whether the list has the host of a link.
func (l *hostList) has(link engine.Link) bool {
	if l.hosts.Empty() {
		return false
	}
	host := strings.TrimSuffix(link.ASCIIHost(), ".")
	return host != "" && l.hosts.Has(host)
}

// hasTarget reports whether the list has the host that a link opens. If the link is of a wrapper,
// that is the host of the URL inside it.
func (l *hostList) hasTarget(target engine.Link) bool {
	if l.hosts.Empty() {
		return false
	}
	opened := passedTo(target)
	return l.has(target) || len(opened) > 0 && !slices.ContainsFunc(opened, func(inner engine.Link) bool { return !l.has(inner) })
}
