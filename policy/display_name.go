package policy

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// DisplayName judges whether the display name of an address says another sender than the address
// has. name is the name as mail programs show it: without quotation marks around it, and with its
// encoded words decoded and joined (RFC 2047 §6.2). named are the links and suspects in the name,
// found as for [Judge.TextTarget]. The address is a link of engine.KindEmail; the zero Link stands
// for a sender without an address.
//
// If named has links, the result has at most one finding, of CodeDisplayName: the worst about a link
// to another owner than that of the address. If that is below SeverityMedium, a finding about the
// words of the name replaces it.
//
// If named is empty, the words are judged: there is a finding of CodeDisplayName if they are the name
// of a protected domain of another owner. Further findings are about the characters of the name, of
// CodeEmailProfile (UTS #39 §3.3) and CodeBidiControl. To get these for a name with links, too, call
// DisplayName again without named.
func (j *Judge) DisplayName(name string, named []engine.Link, address engine.Link) []Finding {
	j = j.ready()
	if j.allowed.has(address) || j.AllowsSender(name, strings.TrimSuffix(address.ASCIIHost(), ".")) {
		return nil
	}
	out := collector{severities: j.severities}
	if len(named) == 0 {
		out.note(j.protected.claimInWords(name, address).finding())
		judgeNameProfile(&out, name)
		return out.findings
	}
	var worst Finding
	for _, link := range named {
		if f := j.protected.claimInLink(name, link, address).finding(); f.Severity > worst.Severity {
			worst = f
		}
	}
	if worst.Severity < SeverityMedium {
		worst = cmp.Or(
			j.protected.claimInWords(name, address).finding(),
			j.protected.claimInWords(withoutAddresses(name, named), address).finding(),
			worst,
		)
	}
	out.note(worst)
	return out.findings
}

// withoutAddresses returns a display name without the addresses in it.
func withoutAddresses(name string, named []engine.Link) string {
	for _, link := range named {
		if link.Kind == engine.KindEmail {
			name = strings.Replace(name, link.Text, "", 1)
		}
	}
	return name
}

// A claim is what a display name says about its sender, by a link in it or by its words. It has the
// facts that nameRules ask for.
type claim struct {
	label  string // the part of the name that makes the claim
	domain string // whose owner the sender is said to be, A-labels
	at     string // the registrable domain of the address; "" if it has none
	said   nameFacts
	from   addressFacts
}

// nameFacts are the facts about what a name says. A fact about links is false for a claim by words,
// and the reverse.
type nameFacts struct {
	url       bool // a link as typed: "www.paypal.com"
	address   bool // a link to a mailbox: "service@paypal.com"
	host      bool // another link, which may be a name: "example.org"
	whole     bool // nothing else is in the name; lists write "anna@example.com via List"
	file      bool // the link ends like the name of a file: "invoice.zip"
	protected bool // the link is to a protected domain, or to one that looks like it
	person    bool // the address belongs to a person, not to a service: "anna@gmail.com"
	sameName  bool // the domain and that of the address differ only in the suffix: example.de, example.com

	brand     bool // the words are the name of a protected domain: "PayPal Support"
	own       bool // that domain is the operator's
	distinct  bool // the name is the operator's, or it is not an ordinary word such as "Chase"
	disguised bool // letters look like others, or have gaps between them: "App1e", "A p p l e"
	lured     bool // a word beside the name is one that phishing adds: "DHL Express"
	short     bool // the name has less than minWord letters, too few to count alone: "DHL"
	long      bool // the name has minBrandTyped letters or more, enough to count alone: "PayPal"
}

// addressFacts are the facts about the address, with regard to what the name says.
type addressFacts struct {
	writer     bool // it is at a service that writes for its customers, and names them as the sender
	nowhere    bool // the field has no address, or one without a domain: "MAILER-DAEMON"
	exchange   bool // each Microsoft Exchange sends its reports from it, as "Microsoft Outlook"
	owner      bool // it is in a domain of the owner of the name: "x@mail.paypal.com"
	namesake   bool // its domain contains the name, which the rules for hosts judge: "x@dhl-news.example"
	service    bool // its owner is also in the name: "PayPal via DocuSign"
	sameWords  bool // its domain has other words of the name: "Quick Books <x@quickbooks-club.example>"
	popular    bool // its domain is a popular site, whose own name may look like a disguised one: "1cloud"
	counter    bool // it is at a service that counts clicks, whose customers send for others
	program    bool // a program that users run themselves sends from it: "WordPress <wordpress@example.net>"
	subscriber bool // it is a customer's mailbox, though the name says a service: "Gmail Team"
}

// A nameRule decides about the claims of display names that meet its condition.
type nameRule struct {
	name  string
	when  func(c *claim) bool
	finds variant // the variant in the table of findings; nothing if the rule excuses the name

	// Examples of senders, where kestrelbank.com and nova.example are the operator's. A rule that
	// finds something finds it for the dishonest one only; a rule that excuses names excuses the
	// honest one only.
	honest, dishonest string
}

// nameRules are the rules for a display name beside its address alone, and the excuses for such
// names. The first rule whose condition is true decides. A new rule is a row here, and perhaps a
// new fact. The other half are senderRules in internal/claim/rules.go: rules and excuses that need
// the rest of the message.
var nameRules = [...]nameRule{
	// Senders that may say so.
	{
		name: "exchange", finds: nothing,
		when:      func(c *claim) bool { return c.from.exchange },
		honest:    "Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com>",
		dishonest: "Microsoft Outlook <exchange@example.com>",
	},
	{
		name: "owner", finds: nothing,
		when:      func(c *claim) bool { return c.from.owner && !c.from.subscriber },
		honest:    "American Express <x@aexp.com>",
		dishonest: "Gmail Team <x42@gmail.com>",
	},
	{
		name: "namesake", finds: nothing,
		when:      func(c *claim) bool { return c.from.namesake },
		honest:    "DHL Express <x@dhl-news.example>",
		dishonest: "DHL Express <x@example.net>",
	},
	{
		name: "service", finds: nothing,
		when:      func(c *claim) bool { return c.from.service && !c.from.subscriber },
		honest:    "PayPal eBay <x@ebay.com>",
		dishonest: "PayPal eBay <x@example.net>",
	},
	{
		name: "writer", finds: nothing,
		when:      func(c *claim) bool { return c.from.writer && !c.said.disguised && c.said.brand },
		honest:    "Adobe Careers <adobe@myworkday.com>",
		dishonest: "Adobe Careers <x@example.net>",
	},
	{
		name: "same words", finds: nothing,
		when:      func(c *claim) bool { return c.from.sameWords && !c.said.disguised },
		honest:    "Quick Books <x@quickbooks-club.example>",
		dishonest: "Quick Books <x@example.net>",
	},
	{
		name: "popular site", finds: nothing,
		when:      func(c *claim) bool { return c.from.sameWords && c.from.popular },
		honest:    "1cloud <x@1cloud.ru>",
		dishonest: "1cloud <x@example.net>",
	},
	{
		name: "link without address", finds: nothing,
		when:      func(c *claim) bool { return c.from.nowhere && !c.said.protected && !c.said.brand },
		honest:    "anna@example.org <>",
		dishonest: "service@paypal.com <>",
	},

	// Claims by links in the name.
	{
		name: "URL with the same name", finds: senderSameName,
		when:      func(c *claim) bool { return c.said.url && c.said.protected && c.said.sameName },
		honest:    "www.paypal.com <service@mail.paypal.com>",
		dishonest: "www.kestrelbank.com <x@kestrelbank.net>",
	},
	{
		name: "address with the same name", finds: senderSameName,
		when:      func(c *claim) bool { return c.said.address && c.said.whole && c.said.protected && c.said.sameName },
		honest:    "service@paypal.com <service@mail.paypal.com>",
		dishonest: "service@kestrelbank.com <x@kestrelbank.net>",
	},
	{
		name: "protected URL", finds: protectedAsName,
		when:      func(c *claim) bool { return c.said.url && c.said.protected },
		honest:    "www.paypal.com <service@paypal.com>",
		dishonest: "www.paypal.com <x@example.net>",
	},
	{
		name: "protected address", finds: protectedAsName,
		when:      func(c *claim) bool { return c.said.address && c.said.whole && c.said.protected },
		honest:    "service@paypal.com <service@paypal.com>",
		dishonest: "service@paypal.com <x@example.net>",
	},
	{
		name: "URL at a click counter", finds: addressInName,
		when:      func(c *claim) bool { return c.said.url && c.from.counter },
		honest:    "www.example.org <x@example.org>",
		dishonest: "www.example.org <x@u1.ct.sendgrid.net>",
	},
	{
		name: "URL", finds: otherAsName,
		when:      func(c *claim) bool { return c.said.url },
		honest:    "www.example.org <x@example.org>",
		dishonest: "www.example.org <x@example.net>",
	},
	{
		name: "protected address among words", finds: protectedInName,
		when:      func(c *claim) bool { return c.said.address && c.said.protected && !c.said.whole && !c.said.person },
		honest:    "anna@gmail.com via List <list@example.net>",
		dishonest: "Ask Anna Smith: service@paypal.com <x@example.net>",
	},
	{
		name: "address", finds: otherAsName,
		when:      func(c *claim) bool { return c.said.address && c.said.whole },
		honest:    "anna@example.net <x@mail.example.net>",
		dishonest: "anna@example.org <x@example.net>",
	},
	{
		name: "address among words", finds: addressInName,
		when:      func(c *claim) bool { return c.said.address },
		honest:    "anna@example.net via List <list@example.net>",
		dishonest: "anna@example.org via List <list@example.net>",
	},
	{
		name: "protected host", finds: protectedInName,
		when:      func(c *claim) bool { return c.said.host && c.said.protected },
		honest:    "Anna at paypal.com <anna@paypal.com>",
		dishonest: "Anna at paypal.com <anna@example.net>",
	},
	{
		name: "host", finds: domainAsName,
		when:      func(c *claim) bool { return c.said.host && c.said.whole && !c.said.file },
		honest:    "invoice.zip <x@example.net>",
		dishonest: "example.org <x@example.net>",
	},

	// Claims by words of the name.
	{
		name: "disguised", finds: brandInName,
		when:      func(c *claim) bool { return c.said.disguised && c.said.distinct },
		honest:    "App1e <x@apple.com>",
		dishonest: "App1e <x@example.net>",
	},
	{
		name: "short", finds: nothing,
		when:      func(c *claim) bool { return c.said.short && !c.said.lured },
		honest:    "DHL <x@example.net>",
		dishonest: "DHL Express <x@example.net>",
	},
	{
		name: "program", finds: shortBrandInName,
		when:      func(c *claim) bool { return c.from.program && !c.said.lured },
		honest:    "WordPress <wordpress@wordpress.com>",
		dishonest: "WordPress <wordpress@example.net>",
	},
	{
		name: "own", finds: brandInName,
		when:      func(c *claim) bool { return c.said.own },
		honest:    "Nova Martinez <x@example.net>",
		dishonest: "Nova <x@example.net>",
	},
	{
		name: "brand with a lure", finds: brandInName,
		when:      func(c *claim) bool { return c.said.lured && c.said.distinct },
		honest:    "DHL Express <x@dhl.de>",
		dishonest: "DHL Express <x@example.net>",
	},
	{
		name: "long brand", finds: brandInName,
		when:      func(c *claim) bool { return c.said.long && c.said.distinct },
		honest:    "Anna Smith (PayPal) <anna@example.net>",
		dishonest: "PayPal <x@example.net>",
	},
	{
		name: "brand", finds: shortBrandInName,
		when:      func(c *claim) bool { return c.said.brand },
		honest:    "Apple Tree Support <x@example.net>",
		dishonest: "Apple <x@example.net>",
	},
}

// noDomain is what a detail says of a sender without an address.
const noDomain = "no domain"

// finding returns what the rules find about the claim.
func (c *claim) finding() Finding {
	if rule := c.rule(nameRules[:]); rule != nil && rule.finds != nothing {
		return rule.finds.finding(c.label, c.domain, cmp.Or(c.at, noDomain))
	}
	return Finding{}
}

// rule returns the first of the rules whose condition is true for the claim, or nil. A nil claim
// has no rule.
func (c *claim) rule(rules []nameRule) *nameRule {
	if c == nil {
		return nil
	}
	for i := range rules {
		if rules[i].when(c) {
			return &rules[i]
		}
	}
	return nil
}

// claimInLink returns the claim that a link in a display name makes. It returns nil for a link that
// leads to no site.
func (p *protectedSet) claimInLink(name string, link, address engine.Link) *claim {
	if link.ASCIIHost() == "" || isWordAt(link) {
		return nil
	}
	domain, at := hostname.Registrable(link.ASCIIHost()), hostname.Registrable(address.ASCIIHost())
	typed, isAddress := looksTyped(link), link.Kind == engine.KindEmail
	return &claim{
		label: link.Components().Host, domain: domain, at: at,
		said: nameFacts{
			url:       typed,
			address:   isAddress,
			host:      !typed && !isAddress,
			whole:     isAlone(link, name),
			file:      fileSuffixes.Has(hostname.LastLabel(strings.TrimSuffix(link.ASCIIHost(), "."))),
			protected: speaksFor(link, p),
			person:    isAddress && isOfPerson(link),
			sameName:  haveSameName(domain, at),
		},
		from: addressFacts{
			nowhere: at == "",
			owner:   sameOwner(domain, at, address),
			counter: isBelow(address.ASCIIHost(), clickCounters),
		},
	}
}

// claimInWords returns the claim that a display name makes by the name of a protected domain,
// perhaps with words such as "support", or nil.
func (p *protectedSet) claimInWords(name string, address engine.Link) *claim {
	words, d := p.namedBy(name)
	hidden := p.disguisedIn(words)
	if d = cmp.Or(hidden, d, p.otherNameIn(words)); d == nil {
		return nil
	}
	at := hostname.Registrable(address.ASCIIHost())
	other := lengthOfOtherName(words, d)
	length := max(utf8.RuneCountInString(d.word), other)
	return &claim{
		label: name, domain: d.ascii, at: at,
		said: nameFacts{
			brand:     true,
			own:       d.own,
			distinct:  d.own || !ordinary[d.word],
			disguised: hidden != nil || isSpelledOut(name) || other == 0 && isDisguisedName(name, d.word),
			lured:     hasLureBeside(words),
			short:     length < minWord,
			long:      length >= minBrandTyped,
		},
		from: addressFacts{
			writer:     WritesForOthers(address.ASCIIHost()),
			nowhere:    at == "",
			exchange:   isExchange(address),
			owner:      p.isOwners(address, at, d),
			namesake:   isNamesake(address, at, d),
			service:    p.isService(address, at, words),
			sameWords:  hasSameWords(address, at, words),
			popular:    popularSites().has(hostname.Unicode(at)),
			program:    isProgram(address, d),
			subscriber: isSubscriber(address, words),
		},
	}
}

// isExchange reports whether an address is the one from which each Microsoft Exchange reports, with
// the name "Microsoft Outlook".
func isExchange(address engine.Link) bool {
	return ascii.EqualFold(localPart(address), "MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e")
}

// localPart returns what is before the "@" of an address.
func localPart(address engine.Link) string {
	local, _, _ := strings.Cut(address.Text, "@")
	return local
}

// isOwners reports whether an address belongs to the owner of d. at is the registrable domain of
// the address. The address may be below d, in another domain of the owner, or below any domain of
// the operator if d is one. Where the public has addresses, only addresses in d itself and the
// postmaster's are the owner's.
func (p *protectedSet) isOwners(address engine.Link, at string, d *protectedDomain) bool {
	if at == "" {
		return false
	}
	for host, ok := strings.TrimSuffix(address.ASCIIHost(), "."), true; ok; _, host, ok = strings.Cut(host, ".") {
		if e := p.exact[host]; e != nil && (e == d || e.own && d.own) {
			return true
		}
	}
	return sendsFor(at, d.ascii) && (!isOfPublic(address) || isPostmaster(address))
}

// isPostmaster reports whether an address is one that the owner of its domain has (RFC 2142 §5).
func isPostmaster(address engine.Link) bool {
	local := localPart(address)
	return ascii.EqualFold(local, "postmaster") || ascii.EqualFold(local, "mailer-daemon")
}

// isNamesake reports whether the registrable domain of an address has the name of d in it. The name
// may go on into the suffix, as in "zalan.do". A provider of mailboxes is not a namesake.
func isNamesake(address engine.Link, at string, d *protectedDomain) bool {
	return at != "" && !isOfPublic(address) && containsName(strings.Replace(at, ".", "", 1), d.word)
}

// containsName reports whether a label has a name in it, hyphens aside.
func containsName(label, name string) bool {
	return strings.Contains(strings.ReplaceAll(label, "-", ""), strings.ReplaceAll(name, "-", ""))
}

// isService reports whether a word of the display name is the owner or a namesake of the address.
// Such services send for others, as in "PayPal via DocuSign". Providers of mailboxes do not.
func (p *protectedSet) isService(address engine.Link, at string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		d := p.writtenAs(word)
		return d != nil && !mailboxNames[d.word] && (p.isOwners(address, at, d) || isNamesake(address, at, d))
	})
}

// hasSameWords reports whether a domain contains a long name that adjacent words of the display
// name spell. One of the words must say a name. It is false for providers of mailboxes.
func hasSameWords(address engine.Link, at string, words []string) bool {
	if isOfPublic(address) {
		return false
	}
	label, _, _ := strings.Cut(at, ".")
	for first := range words {
		for end := first + 1; end <= len(words); end++ {
			s := strings.ToLower(strings.Join(words[first:end], ""))
			if len(s) >= minBrandTyped && containsName(label, s) && slices.ContainsFunc(words[first:end], saysName) {
				return true
			}
		}
	}
	return false
}

// saysName reports whether a word of a display name may say who the sender is. It is false for
// words that are often beside a name, lures, numbers and providers of mailboxes.
func saysName(word string) bool {
	lower := strings.ToLower(word)
	return !isOftenBeside(word) && !lures.Has(lower) && !mailboxNames[lower] && strings.Trim(word, "0123456789") != ""
}

// isProgram reports whether an address may be that of a program with the name of d, which sends
// mail from the servers of its users: "WordPress <wordpress@example.org>".
func isProgram(address engine.Link, d *protectedDomain) bool {
	return !d.own && impersonated.Marked(d.domain, markProgram) && ascii.EqualFold(localPart(address), d.word)
}

// isSubscriber reports whether an address at a provider of mailboxes is a customer's although words
// of its display name say a service: "Example Support". Addresses of the provider itself do not
// count.
func isSubscriber(address engine.Link, words []string) bool {
	if !isOfPublic(address) || len(words) < 2 {
		return false
	}
	saysService := func(word string) bool {
		lower := strings.ToLower(stripped(word))
		return addedWords.Has(lower) && !addedWords.Marked(lower, markOwn) || isUnspacedWords(word)
	}
	isOther := func(word string) bool { return !addedWords.Has(word) && !nameWords.Has(word) }
	local := strings.ToLower(localPart(address))
	return slices.ContainsFunc(words, saysService) && slices.ContainsFunc(strings.FieldsFunc(local, isBetweenWords), isOther)
}
