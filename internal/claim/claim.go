package claim

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// A Place says where a message makes a claim.
type Place uint8

// The places, the strongest first.
const (
	PlaceSender  Place = iota // the name of From
	PlaceOther                // the name of Sender or Reply-To
	PlaceSubject              // the subject
	PlaceTitle                // the title of the page
	PlaceHeading              // a heading of the page
	PlacePicture              // the alternative text of one of the first pictures
	PlaceLine                 // the first line
)

// String returns the place as words for people: "the name of the sender", "the subject".
func (p Place) String() string {
	return [...]string{"the name of the sender", "the name of Sender or Reply-To", "the subject", "the title", "a heading", "a picture", "the first line"}[p]
}

// A Sender is an address of From, Sender or Reply-To, with its name.
type Sender struct {
	From    bool   // it is in From, not in Sender or Reply-To
	Reply   bool   // it is in Reply-To
	Guess   bool   // only some programs read the name so
	Name    string // decoded
	Address string
	Host    string // of the address, A-labels in lower case; "" if it has none
}

// A Text is a text that readers notice first: the subject, the title, a heading, a picture's text
// or the first line.
type Text struct {
	Place Place
	Text  string
}

// A Link has the facts about a link in the body that rules need.
type Link struct {
	Host string // A-labels in lower case
	Auth bool   // it confirms an account of a program at its host: "/__/auth/action"
}

// A Mail has what a message says about its sender, and what supports that.
type Mail struct {
	Senders  []Sender
	RawFrom  string // the value of From, decoded
	Garbled  bool   // From has bytes of an unknown charset
	BadFrom  bool   // From is not a valid list of addresses (RFC 5322 §3.4)
	Subject  string
	Texts    []Text
	Links    []Link
	Envelope string   // the domain of the envelope sender
	Passed   bool     // a trusted server says that SPF passed for it
	Signed   []string // domains of signatures that trusted servers say are valid
	List     string   // the domain of List-Id
	Reply    bool     // the message answers another
	Password bool     // the page asks for a password
	Forged   bool     // a trusted server says that DMARC failed for the domain of From
}

// Bounds of what is kept of a message, since headers and pages may have any number of senders,
// texts and links.
const (
	MaxSenders = 6
	MaxTexts   = 12
	MaxLinks   = 64
	MaxText    = 300 // bytes of a text
	MaxName    = 512 // bytes of a sender's name; programs show fewer
)

// maxLine is the largest length in bytes of the first line.
const maxLine = 120

// AddSender adds a sender, unless there is one with the same name and address.
func (m *Mail) AddSender(s Sender) {
	s.Name = s.Name[:min(len(s.Name), MaxName)]
	if len(m.Senders) < MaxSenders && !slices.Contains(m.Senders, s) {
		m.Senders = append(m.Senders, s)
	}
}

// AddText adds a text, cut after MaxText bytes.
func (m *Mail) AddText(p Place, text string) {
	if text = strings.TrimSpace(text); text == "" || len(m.Texts) >= MaxTexts {
		return
	}
	if len(text) > MaxText {
		end := MaxText
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	m.Texts = append(m.Texts, Text{p, strings.Clone(text)})
}

// AddLink adds a link, unless there is one to its host.
func (m *Mail) AddLink(l Link) {
	if l.Host != "" && len(m.Links) < MaxLinks && !slices.Contains(m.Links, l) {
		m.Links = append(m.Links, l)
	}
}

// A Finding is what a rule finds about a message.
type Finding struct {
	Kind   Kind
	Label  string // the name as the message has it, or the host
	Name   string // the name of the brand, as it is listed
	Domain string // first domain of the brand's owner
	Place  Place
	Sender string // the domain of the sender's address
	Links  string // the domain of a link that does not support the claim; "" if there is none
	Forged bool   // the message is not from Sender
}

// A Kind is a situation that is reported.
type Kind uint8

// The kinds of findings. Package filter has their codes, severities and sentences.
const (
	None         Kind = iota
	OpenSender        // the sender is called like a brand, and there is a link to free hosting or a form for a password
	CalledSender      // the sender is called like a brand
	OwnSender         // the sender is called like the operator
	OwnNamesake       // the sender's domain contains a name of the operator
	Namesake          // the sender's domain contains the name of the brand that it is called
	MarkedText        // a text names a brand, and there is a second sign
	HostLabel         // a host at free hosting contains the name of a brand
	ServedSender      // a brand is named as the sender by a service that writes for others, or beside another name
	NamedText         // a text names a brand
	NoTopLevel        // the sender's domain has no top-level domain
	NoAddress         // From is not a valid address
	FreeSender        // the address is at a service where anyone can have a name
	ReplyLike         // answers to a correspondent go to a look-alike of its domain
	ReplyFree         // answers to a correspondent go to a provider of mailboxes
	MixedName         // a word of the sender's name mixes alphabets
	MixedSubject      // a word of the subject mixes alphabets
	FirstContact      // none of the operator's users wrote to the sender
	FreeLink          // a link to free hosting
	kinds
)

// Judge returns the findings of the rules about a message, one of each kind.
func Judge(j *policy.Judge, m *Mail) []Finding {
	r := reader{judge: j, mail: m}
	r.read()
	r.senders()
	r.texts()
	r.hosts()
	r.words()
	r.address()
	r.correspondents()
	return r.found
}

// A reader reads a message once.
type reader struct {
	judge *policy.Judge
	mail  *Mail
	found []Finding

	from    *Sender // the first sender of From, or nil
	named   []claimed
	free    string
	atFree  []string // the hosts of links to free hosting
	odd     bool     // a link leads to free hosting, a shortener or an IP address
	linked  bool
	outside string // the domain of a link that supports nothing

	known   []knownHost
	speaker speaker
}

// A knownHost is a host of the message that was looked up.
type knownHost struct {
	name string
	policy.Host
}

// host looks a host up, once.
func (r *reader) host(name string) policy.Host {
	for i := range r.known {
		if r.known[i].name == name {
			return r.known[i].Host
		}
	}
	h := r.judge.Host(name)
	r.known = append(r.known, knownHost{name, h})
	return h
}

// owns reports whether the owner of a name has a host.
func (r *reader) owns(n policy.Name, host string) bool {
	return host != "" && r.judge.Owns(n, r.host(host))
}

// A speaker says whether the sender speaks for itself, once that is known.
type speaker uint8

const (
	speakerUnknown speaker = iota
	speakerNamed
	speakerNone
)

// claimed is a name with the place where a message has it.
type claimed struct {
	policy.Name
	place  Place
	sender *Sender
	text   string
}

// note adds a finding unless there is one of its kind.
func (r *reader) note(f Finding) {
	if f.Kind != None && !slices.ContainsFunc(r.found, func(g Finding) bool { return g.Kind == f.Kind }) {
		r.found = append(r.found, f)
	}
}

// read finds names and the facts about links.
func (r *reader) read() {
	m := r.mail
	for i := range m.Senders {
		s := &m.Senders[i]
		if s.From && r.from == nil {
			r.from = s
		}
		place := PlaceOther
		if s.From {
			place = PlaceSender
		}
		if r.isPart(s) {
			continue
		}
		for _, n := range r.judge.Names(s.Name, true) {
			if s.Guess && (n.Word || n.Disguised || len(n.Text) < minGuessed) {
				continue // the letters are those of a wrong charset
			}
			r.named = append(r.named, claimed{n, place, s, s.Name})
		}
	}
	senders := len(r.named)
	for _, n := range r.judge.Names(m.Subject[:min(len(m.Subject), MaxText)], false) {
		r.named = append(r.named, claimed{n, PlaceSubject, r.from, m.Subject})
	}
	for i, t := range m.Texts {
		if slices.ContainsFunc(m.Texts[:i], func(o Text) bool { return strings.HasSuffix(o.Text, t.Text) }) || t.Text == m.Subject {
			continue // the title is often the subject
		}
		text := t.Text
		if t.Place == PlaceLine && senders == 0 {
			continue // it only repeats the sender's name
		}
		if t.Place == PlaceLine {
			text = text[:min(len(text), maxLine)]
		}
		for _, n := range r.judge.Names(text, false) {
			r.named = append(r.named, claimed{n, t.Place, r.from, t.Text})
		}
	}
	sender := ""
	if r.from != nil {
		sender = hostname.Registrable(r.from.Host)
	}
	for _, l := range m.Links {
		r.linked = true
		domain := hostname.Registrable(l.Host)
		free, own := policy.IsFreeHost(l.Host), sender != "" && domain == sender
		if free {
			r.atFree = append(r.atFree, l.Host)
		}
		if free && r.free == "" && !own {
			r.free = l.Host
		}
		if !own && (free || policy.IsShortener(l.Host) || hostname.IsIP(l.Host)) {
			r.odd = true
		}
		if r.outside == "" && !own {
			r.outside = domain
		}
	}
}

// isPart reports whether the name of a sender is a part of the name of another sender with the same
// address. Programs show the longer name, or only a comment in it.
func (r *reader) isPart(s *Sender) bool {
	return slices.ContainsFunc(r.mail.Senders, func(o Sender) bool {
		return o.Address == s.Address && len(o.Name) > len(s.Name) && strings.Contains(o.Name, s.Name)
	})
}

// speaks reports whether the sender has a name of its own that its address supports.
func (r *reader) speaks() bool {
	if r.speaker == speakerUnknown && r.from != nil {
		s := *r.from
		s.Address = strings.Replace(s.Address, "@", "-", 1) + strings.ReplaceAll(s.Host, ".", "-") // a service names its host after the customer
		if r.speaker = speakerNone; speaksForItself(&s, nil) {
			r.speaker = speakerNamed
		}
	}
	return r.speaker == speakerNamed
}

// owned reports whether the owner of a name sent the message, judged by the domain of From, of a
// valid signature, or of an envelope sender that passed SPF. Links do not count, because anyone can
// write them.
func (r *reader) owned(n policy.Name, s *Sender) bool {
	for _, s := range [...]*Sender{s, r.from} {
		if s != nil && !r.isForged(s) && r.owns(n, s.Host) {
			return true
		}
	}
	if r.mail.Passed && r.owns(n, r.mail.Envelope) {
		return true
	}
	return slices.ContainsFunc(r.mail.Signed, func(domain string) bool { return r.owns(n, domain) })
}

// isForged reports whether an address is at the domain of From, which did not send the message. What lists
// send on fails, too.
func (r *reader) isForged(s *Sender) bool {
	return r.mail.Forged && r.from != nil && r.mail.List == "" && hostname.Registrable(s.Host) == hostname.Registrable(r.from.Host)
}

// inMail reports whether a domain of the owner is anywhere in the message, even as that of a link
// or a mailing list.
func (r *reader) inMail(n policy.Name) bool {
	if slices.ContainsFunc(r.mail.Links, func(l Link) bool { return r.owns(n, l.Host) }) {
		return true
	}
	return r.owned(n, nil) || r.owns(n, r.mail.Envelope) || r.owns(n, r.mail.List)
}

// speaksForItself reports whether the address of a sender contains one of others, the words of its
// name that may name somebody. Then the name says who the sender is.
func speaksForItself(s *Sender, others []string) bool {
	if others == nil {
		others = strings.FieldsFunc(s.Name, func(r rune) bool { return strings.ContainsRune(" \t,.-_|/()\"'&", r) })
	}
	local, _, _ := strings.Cut(strings.ToLower(s.Address), "@")
	label, _, _ := strings.Cut(hostname.Registrable(s.Host), ".")
	near := strings.Map(lettersOnly, local) + " " + strings.Map(lettersOnly, hostname.Unicode(label))
	for _, word := range others {
		if policy.IsBesideName(word) {
			continue
		}
		for _, spelled := range [...]string{policy.PlainWord(word), policy.PlainWord(umlauts.Replace(strings.ToLower(word)))} {
			if len(spelled) >= minOwnWord && !policy.IsBesideName(spelled) && strings.Contains(near, spelled) {
				return true
			}
		}
	}
	return false
}

// umlauts replaces German and Scandinavian letters by their usual spelling in domains.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "ø", "oe", "å", "aa", "æ", "ae")

// minGuessed is the length in bytes of the shortest name that counts in a guessed reading of a
// sender's name.
const minGuessed = 5

// minOwnWord is the length in bytes of the shortest word that names a sender.
const minOwnWord = 3

// lettersOnly keeps letters and digits.
func lettersOnly(r rune) rune {
	if strings.ContainsRune("-._+=", r) {
		return -1
	}
	return r
}
