package filter

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/claim"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// maxClaimed is how many bytes of a sender's name are read. Programs show fewer.
const maxClaimed = 2 << 10

// noteSender records an address of From, Sender or Reply-To, with its name.
func (c *collector) noteSender(part, name, address string) {
	from := part == headerPrefix+"From"
	if c.within > 0 || strings.ContainsRune(name, '\x1b') || !from && part != headerPrefix+"Sender" && part != headerPrefix+"Reply-To" {
		return
	}
	host := ""
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		host = hostname.Canonical(strings.ToLower(strings.Trim(address[at+1:], " .>")))
	}
	c.mail.AddSender(claim.Sender{From: from, Reply: part == headerPrefix+"Reply-To", Guess: c.again != nil, Name: name[:min(len(name), maxClaimed)], Address: address, Host: host})
}

// noteLarge records the texts of a page that readers notice first.
func (h *htmlReading) noteLarge(large *page.Large) {
	if h.within > 0 || h.again != nil {
		return
	}
	h.mail.AddText(claim.PlaceTitle, large.Title)
	h.mail.AddText(claim.PlaceHeading, large.Heading)
	h.mail.AddText(claim.PlacePicture, large.Pictures)
	h.mail.AddText(claim.PlaceLine, large.Line)
	h.mail.Password = h.mail.Password || large.Password
}

// readClaims judges who the message says it is from. It does not judge mail of the operator's own
// users.
func (c *collector) readClaims() error {
	if c.env.Authenticated {
		return nil
	}
	m := &c.mail
	if from := c.values("From"); len(from) == 1 {
		m.RawFrom = from[0][:min(len(from[0]), maxClaimed)]
		m.Garbled = strings.ContainsRune(m.RawFrom, '\x1b') || !utf8.ValidString(m.RawFrom)
		m.BadFrom = !m.Garbled && claim.IsBadFrom(m.RawFrom) // letters of another charset may have a comma among their bytes
	}
	if from := c.decoded("From"); len(from) == 1 && len(m.Senders) > 0 {
		// Programs show comments and quotes, too: "Anna (PayPal) via Google Docs".
		if name, _, ok := strings.Cut(from[0], "<"); ok && strings.Contains(name, "(") {
			whole := m.Senders[0]
			whole.Name = strings.Trim(name[:min(len(name), maxClaimed)], "\" \t")
			m.AddSender(whole)
		}
	}
	if subjects := c.decoded("Subject"); len(subjects) > 0 {
		m.Subject = subjects[0]
	}
	m.Reply = c.hasField("In-Reply-To") || c.hasField("References")
	if lists := c.values("List-Id"); len(lists) > 0 {
		_, id, _ := strings.Cut(lists[0], "<")
		id, _, _ = strings.Cut(id, ">")
		m.List = hostname.Canonical(strings.ToLower(strings.TrimSpace(id)))
	}
	if at := strings.LastIndexByte(c.env.Sender, '@'); at >= 0 {
		m.Envelope = hostname.Canonical(strings.ToLower(c.env.Sender[at+1:]))
	}
	m.Signed, m.Passed = mailauth.Passed(c.results, m.Envelope)
	m.Forged = len(c.results) > 0 && len(m.Senders) > 0 && mailauth.FailedFrom(c.results, hostname.Canonical(fromDomain(&c.reading)))
	if len(c.texts) > 0 && c.texts[0].first && !c.texts[0].attached {
		m.AddText(claim.PlaceLine, claim.FirstLine(c.texts[0].content))
	}
	for i := range c.links {
		l := &c.links[i]
		if l.Place == report.PlaceHeader || l.Place == report.PlaceEnvelope || l.Link.Kind == engine.KindEmail {
			continue
		}
		if l.Place != report.PlaceHTMLLink && l.Link.Text == l.Link.Components().Host && !ascii.HasPrefixFold(l.Link.Text, "www.") {
			continue // a heading "Booking.com" is the name, and leads nowhere
		}
		m.AddLink(claim.Link{Host: strings.TrimSuffix(l.Link.ASCIIHost(), "."), Auth: strings.Contains(l.Link.Text, "/__/auth/")})
	}
	c.claims = claim.Judge(c.judge.Policy, m)
	return c.spend(claim.MaxTexts * claim.MaxText)
}

// claimFinding returns the finding about the message for what the rules of claims find.
func (s severities) claimFinding(f *claim.Finding) policy.Finding {
	v := claimOpen + variant(f.Kind-claim.OpenSender)
	var finding policy.Finding
	switch v {
	case addressFree, freeHosting, firstContact:
		finding = s.finding(v, f.Host())
	case replyLike, replyFree:
		finding = s.finding(v, f.Host(), f.Domain)
	case addressNoTop, addressInvalid, wordsInName, wordsInSubject:
		finding = s.finding(v)
	default:
		finding = s.finding(v, f.NameInASCII(), f.Domain, f.Evidence())
	}
	const longest = 253
	finding.Label = strings.ToValidUTF8(f.Label[:min(len(f.Label), longest)], "")
	return finding
}
