// Package rule selects the edits and actions for a message, by conditions on its
// envelope, its header and the results of authentication.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It sees the envelope and the header of a message: it knows neither links nor parts.
package rule

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/policy"
)

// A Rule says what linkmilter does with the messages that it matches. The zero
// value matches every message, reads it and does nothing.
//
// The tags define how a configuration file writes a field. toml is its key, help says what it does,
// check names a check of its value in internal/config, and choice lists the words for its values in
// order. default is the default if it is not the zero value.
type Rule struct {
	Name string `toml:"name" check:"rule-name" help:"for logs and header fields: ASCII letters, digits and hyphens"`
	When When   `toml:"when" help:"the conditions; a rule without conditions matches every message"`
	// Trusted messages may opt out, and fields with the operator's id are genuine in them. Mail of
	// authenticated clients is always trusted. A trusted rule needs a condition on Authenticated,
	// Client or Daemon.
	Trusted bool `toml:"trusted" help:"these messages come from your own users and machines"`
	// SignRelayed is not the default: a program that returns outside mail to the MTA, such as a virus
	// scanner, is a local client, too.
	SignRelayed bool `toml:"sign_relayed" help:"sign also what a client without a login relayed"`

	Edit         Edit    `toml:"edit" choice:"any flagged never" help:"which messages are edited: any, flagged (those with a flagged link; no element of their HTML then opens it), never"`
	HTML         HTML    `toml:"html" choice:"never needed always" help:"add an HTML alternative to plain texts: never, needed (if links become more readable or would be cut), always"`
	Plain        Plain   `toml:"plain" choice:"keep needed readable" help:"links in plain texts: keep, needed (rewrite them where an HTML alternative would raise spam scores), readable (rewrite them)"`
	NeutralOnly  bool    `toml:"edit_cost" choice:"any never" default:"never" help:"what an edit may cost with spam filters: any (edit in any case), never (leave a text alone whose edit would raise its score)"`
	ReadableHTML bool    `toml:"html_part" choice:"keep readable" help:"HTML parts: keep, or readable (over-escaped links become readable)"`
	Flagged      Flagged `toml:"flagged" choice:"unlink link defang" help:"how to show flagged links: unlink, link, defang (in plain texts only with plain = \"readable\")"`
	// FlaggedSender is not the default: a newsletter with a finding about its sender would lose all links.
	FlaggedSender bool `toml:"flagged_sender" choice:"keep unlink" help:"links of a message with a finding of medium or above about its sender: keep, unlink (each counts as flagged, unless its host is allowed)"`
	EditSigned    bool `toml:"signed" choice:"keep edit" help:"messages signed with DKIM or ARC: keep (not edited), edit (the signature breaks)"`
	// RemoveUnseen is not the default: words that were split may be links afterwards, for people and
	// for spam filters.
	RemoveUnseen bool `toml:"unseen" choice:"keep remove" help:"characters that programs read and people do not see: keep, remove (from plain texts and HTML, also in mail to robots and from lists)"`
	// KeepLists is not the default: every sender can write the header fields of a list.
	KeepLists bool `toml:"lists" choice:"flagged keep" help:"mail from or for lists and programs (bounces, reports, automatic mail, robots, calendars): flagged (only flagged links are edited), keep (not edited)"`

	// These lists add to those of the filter, for tenants of a mail host.
	Protected []string `toml:"protected" check:"protected" help:"domains that links in these messages must not look like, beside policy.protected"`
	Allow     []string `toml:"allow" check:"allow-line" help:"hosts that are never flagged in these messages, beside policy.allow"`
	Block     []string `toml:"block" check:"host-line" help:"hosts that are always flagged in these messages, beside policy.block"`

	IfNotEditable Action `toml:"if_not_editable" choice:"tag none quarantine reject" default:"tag" help:"action if an edit is not possible: tag, none, quarantine, reject"`
	On            On     `toml:"on" help:"action by the worst finding of a message, the strictest of those that hold: none, tag, quarantine, tempfail, discard, reject"`
	// SubjectTag changes a field that senders sign, and is therefore off by default.
	SubjectTag string `toml:"subject_tag" check:"subject-tag" help:"text to put before the subject of messages with an action, such as [suspicious link]; it breaks the sender's DKIM signature"`
	DryRun     bool   `toml:"dry_run" help:"only log what the rule would do"`
}

// Builtin returns the rules that apply without a configuration. Mail of the operator's users becomes
// readable without tags. Other mail is tagged if it has a finding of medium or above.
func Builtin() []Rule {
	return []Rule{
		{
			Name: "authenticated", When: When{Authenticated: new(true)}, Trusted: true,
			HTML: HTMLNeeded, Plain: PlainNeeded, NeutralOnly: true, ReadableHTML: true,
		},
		{
			Name: "local", When: When{Client: loopback()}, Trusted: true,
			HTML: HTMLNeeded, Plain: PlainNeeded, NeutralOnly: true, ReadableHTML: true,
		},
		others,
	}
}

func loopback() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// others is the rule for messages that match no other rule.
var others = Rule{Name: "others", NeutralOnly: true, IfNotEditable: ActionTag, On: On{Medium: ActionTag, High: ActionTag}}

const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// validate returns an error for values that do not exist, and for trust in every client.
func (r *Rule) validate() error {
	if r.HTML > HTMLAlways {
		return fmt.Errorf("html: unknown %d", r.HTML)
	}
	if r.Plain > PlainReadable {
		return fmt.Errorf("plain: unknown %d", r.Plain)
	}
	if r.Edit > EditNever {
		return fmt.Errorf("edit: unknown %d", r.Edit)
	}
	if r.Flagged > FlaggedDefang {
		return fmt.Errorf("flagged: unknown %d", r.Flagged)
	}
	if r.FlaggedSender && r.Flagged == FlaggedLink {
		return fmt.Errorf("flagged_sender: %q with flagged = %q, which leaves links open (want flagged = %q)", "unlink", "link", "unlink")
	}
	if key := r.readingKey(); key != "" && len(r.When.Findings) > 0 {
		return fmt.Errorf("%s: not in a rule with when.findings, which is chosen after the message is read (want it in the rule that decides without findings)", key)
	}
	for _, action := range []Action{r.IfNotEditable, r.On.Info, r.On.Low, r.On.Medium, r.On.High, r.On.Unreadable, r.On.Partial} {
		if action > ActionReject {
			return fmt.Errorf("action: %s", action)
		}
	}
	if err := validSubjectTag(r.SubjectTag); err != nil {
		return err
	}
	loggedIn := r.When.Authenticated != nil && *r.When.Authenticated
	if r.Trusted && !loggedIn && len(r.When.Client) == 0 && len(r.When.Daemon) == 0 {
		return fmt.Errorf("trusted: true in a rule for every client (want when.authenticated = true, when.client or when.daemon)")
	}
	return nil
}

// readingKey returns the first key that says how a message is read and judged, or "".
func (r *Rule) readingKey() string {
	for _, key := range [...]struct {
		name string
		set  bool
	}{
		{"trusted", r.Trusted},
		{"sign_relayed", r.SignRelayed},
		{"protected", len(r.Protected) > 0},
		{"allow", len(r.Allow) > 0},
		{"block", len(r.Block) > 0},
	} {
		if key.set {
			return key.name
		}
	}
	return ""
}

// readAs returns the rule for a message that was read and judged by another rule.
func (r Rule) readAs(before *Rule) Rule {
	r.Trusted, r.SignRelayed = before.Trusted, before.SignRelayed
	r.Protected, r.Allow, r.Block = before.Protected, before.Allow, before.Block
	return r
}

// maxSubjectTag bounds the text in front of a subject, in bytes.
const maxSubjectTag = 100

// validSubjectTag returns an error for a text that a mail program would not show in front of the
// subject.
func validSubjectTag(tag string) error {
	switch {
	case len(tag) > maxSubjectTag:
		return fmt.Errorf("subject_tag: %d bytes (want at most %d)", len(tag), maxSubjectTag)
	case !utf8.ValidString(tag), strings.ContainsFunc(tag, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("subject_tag: a character that does not print")
	case strings.TrimSpace(tag) != tag, strings.Contains(tag, "=?"):
		return fmt.Errorf("subject_tag: %q begins or ends with a space, or has an encoded word", tag)
	}
	return nil
}

// validName reports whether name is fit for logs and header fields.
func validName(name string) bool { return name != "" && strings.Trim(name, nameChars) == "" }

// message is what the conditions of rules see of a message: see [Set.For].
type message struct {
	*envelope.Envelope
	client     netip.Addr
	fields     func(name string) []string
	results    func() []mailauth.Result
	has        func(policy.Code) bool // whether it has a finding; nil before it is judged
	recipients []pattern.Address      // see addresses
}

func newMessage(e *envelope.Envelope, fields func(name string) []string, results func() []mailauth.Result, has func(policy.Code) bool) message {
	// A client with an IPv4-mapped IPv6 address is an IPv4 client.
	return message{Envelope: e, client: e.Client.Unmap().WithZone(""), fields: fields, results: results, has: has}
}

// addresses returns the parsed envelope recipients. It parses them only if a rule asks for them.
func (m *message) addresses() []pattern.Address {
	if m.recipients == nil {
		m.recipients = make([]pattern.Address, len(m.Recipients))
		for i, r := range m.Recipients {
			m.recipients[i] = pattern.ParseAddress(r)
		}
	}
	return m.recipients
}
