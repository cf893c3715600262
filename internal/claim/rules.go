package claim

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// facts are the facts about a claim for which the rules ask.
type facts struct {
	own       bool // the name is the operator's
	brand     bool // the name alone shows who is meant
	sure      bool // the name shows it by how it is written: nothing else is in the sender's name, or a word of a service is beside it
	disguised bool // the name is written in letters that only look like its own
	whole     bool // no word beside the name may name somebody else
	served    bool // a word of a service is beside the name
	spoken    bool // a word beside the name is also in the address
	first     bool // the sender's name begins with it, and has few other words
	again     bool // the subject, a heading or a picture also has the name

	owner     bool        // the owner sent the message
	exchange  bool        // each Microsoft Exchange sends its reports so
	via       bool        // the sender's name also says the service, or the list, by which the message came
	writer    bool        // the address is at a service that writes for its customers
	program   bool        // the address is that of a program that users run themselves: wordpress@
	sameName  bool        // the domain of the address is the name and another suffix
	namesake  bool        // the domain of the address contains the name
	onlyOwner bool        // each link leads to the owner, and none to pages that the public made there
	inMail    func() bool // a domain of the owner is in the message; asked only in texts

	reply   bool
	ownUser bool // the sender is at a domain of the operator: people send phishing on, and warn of it
	linked  bool
	odd     bool        // a link to free hosting, a shortener, an IP address; or a form asks for a password
	spokes  func() bool // the sender has another name, which its address supports; asked only in texts
	crowd   bool        // the texts name several brands
	large   bool        // the name is in the subject, a title, a heading or a picture
}

// A rule decides about a claim if it is the first whose condition is true. It finds something, or
// with None excuses the claim.
type rule struct {
	name  string
	when  func(f *facts) bool
	finds Kind
}

// senderRules are the rules, and the excuses, for names of senders that need the rest of the
// message. The other half are nameRules in policy/display_name.go, which see only a name and its
// address.
var senderRules = [...]rule{
	{"owner", func(f *facts) bool { return f.owner }, None},
	{"Exchange", func(f *facts) bool { return f.exchange }, None},
	{"writer", func(f *facts) bool { return f.writer }, ServedSender},
	{"via", func(f *facts) bool { return f.via }, ServedSender},
	{"word", func(f *facts) bool { return !f.own && !f.brand && !f.sure }, None},
	{"another name", func(f *facts) bool { return f.spoken && !f.disguised && !f.whole }, ServedSender},
	{"program", func(f *facts) bool { return f.program && !f.served }, ServedSender},
	{"same name", func(f *facts) bool { return f.sameName && !f.own && !f.disguised }, None},
	{"own namesake", func(f *facts) bool { return f.own && f.namesake }, OwnNamesake},
	{"own", func(f *facts) bool { return f.own }, OwnSender},
	{"open", func(f *facts) bool { return f.odd && (f.whole || f.again || f.served) }, OpenSender},
	{"links to the owner alone", func(f *facts) bool { return f.namesake && f.onlyOwner }, ServedSender},
	{"namesake", func(f *facts) bool { return f.namesake }, Namesake},
	{"called", func(f *facts) bool { return f.whole || f.served || f.again || f.disguised || f.first }, CalledSender},
	{"beside others", func(f *facts) bool { return true }, ServedSender},
}

// textRules are the rules for names in the subject, the title, headings, the first pictures and the
// first line.
var textRules = [...]rule{
	{"no link", func(f *facts) bool { return !f.linked }, None},
	{"crowd", func(f *facts) bool { return f.crowd }, None},
	{"owner", func(f *facts) bool { return f.inMail() }, None},
	{"reply", func(f *facts) bool { return f.reply || f.ownUser }, NamedText},
	{"speaks for itself", func(f *facts) bool { return f.writer || f.spokes() }, NamedText},
	{"second sign", func(f *facts) bool { return f.odd && f.large }, MarkedText},
	{"text", func(f *facts) bool { return f.large }, NamedText},
}

// decide returns the kind of the first rule whose condition is true, or None.
func decide(rules []rule, f *facts) Kind {
	for i := range rules {
		if rules[i].when(f) {
			return rules[i].finds
		}
	}
	return None
}

// senders judges the names of the senders.
func (r *reader) senders() {
	for i := range r.named {
		c := &r.named[i]
		if c.place > PlaceOther || r.judge.AllowsSender(c.text, c.sender.Host) {
			continue
		}
		f := r.senderFacts(c)
		r.note(r.finding(decide(senderRules[:], &f), c))
	}
}

// finding returns a finding about a claim.
func (r *reader) finding(k Kind, c *claimed) Finding {
	f := Finding{Kind: k, Label: c.text, Name: c.Text, Domain: c.Domain, Place: c.place, Links: r.outside}
	if c.sender != nil {
		f.Sender, f.Forged = hostname.Registrable(c.sender.Host), r.isForged(c.sender)
	}
	return f
}

// senderFacts returns the facts about a name of a sender.
func (r *reader) senderFacts(c *claimed) facts {
	s := c.sender
	again := slices.ContainsFunc(r.named, func(o claimed) bool { return o.place > PlaceOther && o.IsSameOwner(c.Name) })
	alone := c.Whole && !c.Served && c.Exact
	f := facts{
		own: c.Own, brand: !c.Word, disguised: c.Disguised, whole: c.Whole, served: c.Served, again: again,
		first:     c.First && !c.Word && len(c.Others) <= maxOthers,
		sure:      alone || c.Disguised || c.Whole && (c.Served || again) && !r.isWord(c),
		spoken:    !c.Whole && speaksForItself(s, c.Others),
		owner:     r.owned(c.Name, s),
		exchange:  strings.HasPrefix(strings.ToLower(s.Address), "microsoftexchange329e71ec88ae4615bbc36ab6ce41109e@"),
		writer:    policy.WritesForOthers(s.Host),
		onlyOwner: r.linked && !slices.ContainsFunc(r.mail.Links, func(l Link) bool { return !r.owns(c.Name, l.Host) || policy.IsFreeHost(l.Host) }),
		odd:       r.odd || r.mail.Password,
	}
	f.via = r.isVia(c)
	local, _, _ := strings.Cut(strings.ToLower(s.Address), "@")
	word := policy.PlainWord(strings.ReplaceAll(c.Text, " ", ""))
	f.program = local == word && word == "wordpress"
	label, _, _ := strings.Cut(hostname.Registrable(s.Host), ".")
	flat := strings.ReplaceAll(label, "-", "")
	f.sameName = flat == word && strings.Contains(s.Host, ".") && !r.isForged(s)
	f.namesake = r.judge.NameIn(s.Host, c.Name)
	whole := policy.PlainWord(s.Name)
	if c.Parted && len(whole) > len(word) && (strings.Contains(flat, whole) || strings.Contains(local, whole)) {
		f.spoken, f.whole = true, false // "CircleCI <builds@circleci.com>"
	}
	if c.Word && f.namesake && !c.Served {
		// "Target Marketing <news@target-marketing.example>" has the name of its domain.
		f.sameName = f.sameName || flat == policy.PlainWord(strings.ReplaceAll(s.Name, " ", ""))
	}
	return f
}

// maxOthers is how many words after a brand may only say what it writes about: "Amazon Gutschein".
const maxOthers = 2

// isWord reports whether the texts use a name as an ordinary word: "Your visa for India".
func (r *reader) isWord(c *claimed) bool {
	if !c.Word {
		return false
	}
	small := false
	for _, o := range r.named {
		if o.place > PlaceOther && o.IsSameOwner(c.Name) {
			if o.Exact {
				return false
			}
			small = true
		}
	}
	return small
}

// isVia reports whether a sender's name also says the service of its address, as in "Anna (via
// Google Docs)", or whether a list writes in place of its members.
func (r *reader) isVia(c *claimed) bool {
	s := c.sender
	for i := range r.named {
		o := &r.named[i]
		if o.sender == s && o.place == c.place && o.text == c.text && !o.IsSameOwner(c.Name) && r.owns(o.Name, s.Host) {
			return true
		}
	}
	if r.mail.List == "" {
		return false
	}
	name := " " + strings.ToLower(s.Name) + " "
	return strings.Contains(name, " via ") && hostname.Registrable(r.mail.List) == hostname.Registrable(s.Host)
}

// texts judges the names in the subject and the page.
func (r *reader) texts() {
	for i := range r.named {
		c := &r.named[i]
		if c.place <= PlaceOther || c.Word || c.Own || c.Disguised || r.isClaimed(c.Name) {
			continue // such a word alone shows nothing, and most mail to the operator's users has the operator's name
		}
		f := facts{
			own: c.Own, brand: !c.Word && !c.Disguised, disguised: c.Disguised, reply: r.mail.Reply, linked: r.linked,
			inMail: func() bool { return r.inMail(c.Name) }, odd: r.odd || r.mail.Password, spokes: r.speaks, crowd: r.crowd(c), large: c.place < PlaceLine,
			writer:  r.from != nil && policy.WritesForOthers(r.from.Host),
			ownUser: r.from != nil && !r.isForged(r.from) && r.host(r.from.Host).IsOwn(),
		}
		r.note(r.finding(decide(textRules[:], &f), c))
		if f.crowd || i > maxTextNames && f.inMail() {
			break
		}
	}
}

// maxTextNames is the number of names after which the search ends at the first name whose owner is
// in the message.
const maxTextNames = 8

// isClaimed reports whether a sender's name has the name, too.
func (r *reader) isClaimed(n policy.Name) bool {
	return slices.ContainsFunc(r.named, func(o claimed) bool { return o.place <= PlaceOther && o.IsSameOwner(n) })
}

// crowd reports whether the texts name several brands, as news mail does.
func (r *reader) crowd(c *claimed) bool {
	return slices.ContainsFunc(r.named, func(o claimed) bool {
		return o.place > PlaceOther && !o.Word && !o.IsSameOwner(c.Name)
	})
}

// hosts judges hosts of the sender and of links at free hosting, whose labels may contain names.
func (r *reader) hosts() {
	if r.free != "" {
		r.note(Finding{Kind: FreeLink, Label: r.free})
	}
	hosts := make([]string, 0, 8)
	if r.from != nil && policy.IsFreeHost(r.from.Host) {
		hosts = append(hosts, r.from.Host)
	}
	hosts = append(hosts, r.atFree[:min(len(r.atFree), cap(hosts)-len(hosts))]...)
	for _, host := range hosts {
		for label := range strings.SplitSeq(host, ".") {
			words := strings.ReplaceAll(label, "-", " ")
			for _, n := range r.judge.Names(words, true) {
				claims := slices.ContainsFunc(r.named, func(o claimed) bool { return o.IsSameOwner(n) })
				if !n.Word && !r.owns(n, host) && (n.Served || slices.ContainsFunc(strings.Fields(words), policy.IsServiceWord) || n.Own && n.Whole || claims && !r.owned(n, r.from)) {
					r.note(Finding{Kind: HostLabel, Label: host, Name: n.Text, Domain: n.Domain, Place: PlaceLine})
				}
			}
		}
	}
}

// words judges words that mix alphabets.
func (r *reader) words() {
	for i := range r.mail.Senders {
		if word := policy.MixedWord(r.mail.Senders[i].Name); word != "" && !r.mail.Garbled && (!r.mail.Senders[i].Guess || mostlyASCII(word)) {
			r.note(Finding{Kind: MixedName, Label: word})
		}
	}
	if word := policy.MixedWord(r.mail.Subject); word != "" {
		r.note(Finding{Kind: MixedSubject, Label: word})
	}
}

// mostlyASCII reports whether most letters of a word are ASCII. Words decoded with a wrong charset
// are not.
func mostlyASCII(word string) bool {
	n := 0
	for _, r := range word {
		if r < utf8.RuneSelf {
			n++
		} else {
			n--
		}
	}
	return n > 1
}

// address judges the address of From.
func (r *reader) address() {
	s := r.from
	if s == nil || r.mail.Garbled || r.judge.AllowsSender(s.Name, s.Host) {
		return
	}
	at := strings.LastIndexByte(s.Address, '@')
	domain := strings.TrimSuffix(strings.TrimSpace(s.Address[at+1:]), ".")
	switch {
	case r.mail.BadFrom:
		r.note(Finding{Kind: NoAddress, Label: cmp.Or(s.Address, r.mail.RawFrom)})
	case at < 0 || domain == "":
	case !strings.HasPrefix(domain, "[") && !hostname.IsIP(s.Host) && !isLocal(domain) && (!strings.Contains(domain, ".") || s.Host != "" && !r.judge.HasTopLevel(s.Host)):
		r.note(Finding{Kind: NoTopLevel, Label: s.Address, Sender: domain})
	}
	if policy.IsWebHost(s.Host) && r.linked && !slices.ContainsFunc(r.mail.Links, func(l Link) bool {
		return l.Auth || hostname.Registrable(l.Host) == hostname.Registrable(s.Host)
	}) {
		r.note(Finding{Kind: FreeSender, Label: s.Address, Sender: s.Host, Links: r.outside})
	}
}

// correspondents notes a sender to whom no user wrote, and answers that do not go to a correspondent whose
// name the message has. Lists and services write for others, to whom answers go.
func (r *reader) correspondents() {
	s := r.from
	if s == nil || s.Host == "" || r.judge.Correspondents() == nil || r.judge.AllowsSender(s.Name, s.Host) {
		return
	}
	if r.judge.IsFirstContact(s.Address, s.Host) {
		r.note(Finding{Kind: FirstContact, Label: s.Address, Sender: s.Host})
	}
	domain := hostname.Registrable(s.Host)
	if r.mail.List != "" || policy.WritesForOthers(s.Host) || policy.IsWellKnown(domain) {
		return
	}
	for i := range r.mail.Senders {
		reply := &r.mail.Senders[i]
		if !reply.Reply || reply.Guess || reply.Host == "" || r.judge.AllowsSender(reply.Name, reply.Host) {
			continue
		}
		switch r.judge.ReplyElsewhere(domain, reply.Address, reply.Host) {
		case policy.ReplyToLookalike:
			r.note(Finding{Kind: ReplyLike, Label: reply.Address, Sender: reply.Host, Domain: domain})
		case policy.ReplyToMailbox:
			r.note(Finding{Kind: ReplyFree, Label: reply.Address, Sender: reply.Host, Domain: domain})
		}
	}
}

// isLocal reports whether a name is that of a machine of one's own: programs write from root@localhost and
// cron@build.lan. The last are of RFC 2606.
func isLocal(domain string) bool {
	switch strings.ToLower(hostname.LastLabel(domain)) {
	case "localhost", "localdomain", "local", "lan", "home", "internal", "intranet", "corp", "private", "intern", "lokal", "openstacklocal", "novalocal", "example", "invalid", "test":
		return true
	}
	return false
}
