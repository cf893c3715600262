package filter

import (
	"embed"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/wordlist"
)

// The reasons of the guards.
const (
	reasonNullSender    report.Reason = "null-sender"    // the message is a bounce: its envelope sender is empty
	reasonBinaryMIME    report.Reason = "binarymime"     // the client sent the message with BODY=BINARYMIME (RFC 3030)
	reasonInMessage     report.Reason = "in-message"     // the text is inside a message/* part
	reasonSigned        report.Reason = "signed"         // a part of the message is signed
	reasonEncrypted     report.Reason = "encrypted"      // a part of the message is encrypted
	reasonPGPArmor      report.Reason = "pgp-armor"      // the text has PGP armour
	reasonHTMLSibling   report.Reason = "html-sibling"   // the message already has an HTML text
	reasonDKIM          report.Reason = "dkim-signed"    // the message has a DKIM-Signature
	reasonARC           report.Reason = "arc-sealed"     // the message has a field of ARC
	reasonReport        report.Reason = "report"         // the message is a report, such as a DSN, an MDN or one in ARF
	reasonAutoSubmitted report.Reason = "auto-submitted" // Auto-Submitted is present and is not no (RFC 3834)
	reasonList          report.Reason = "list"           // the message has a List-* field (RFC 2369, RFC 2919)
	reasonBulk          report.Reason = "bulk"           // Precedence is bulk, list or junk
	reasonToList        report.Reason = "to-list"        // the host of a recipient has only mailing lists
	reasonRobot         report.Reason = "robot"          // the address of a recipient is that of a program
	reasonCalendar      report.Reason = "calendar"       // the message has a text/calendar part, which programs process
	reasonTNEF          report.Reason = "tnef"           // the message has a TNEF part, and Outlook shows its content instead
	reasonPatch         report.Reason = "patch"          // the message has a patch, which programs apply
	reasonUuencoded     report.Reason = "uuencoded"      // the text has a uuencoded file, which programs extract from plain text only
	reasonAttachment    report.Reason = "attachment"     // the part is an attachment
	reasonNamed         report.Reason = "named"          // the part has a file name
	reasonNotFirst      report.Reason = "not-first"      // the part is not the first body part
)

// A guard is a reason not to edit a text: a row of the table guards. One of its two functions is
// set. reason.go has all other reasons.
//
// The sender can make most guards hold, for example by a header field, and must not keep a flagged
// link by that. So flagged links stay only in mail that an edit would break: signatures,
// attachments, messages that programs may read in another way.
type guard struct {
	reason  report.Reason
	lets    lets                            // in which texts flagged links may still be edited
	notHTML bool                            // the guard is not for HTML parts
	notText bool                            // a text with this guard need not be edited: it is not the message's own text, or HTML is shown in its place
	message func(*reading, *rule.Rule) bool // holds for every text of the message
	text    func(*text, *Limits) bool       // holds for one text
}

// lets says in which texts a guard still allows that flagged links are removed or defanged.
type lets uint8

const (
	letsNone     lets = iota
	letsHTML          // in HTML: no program applies it as a patch, extracts files from it or verifies it
	letsPrograms      // in all texts of a message from or for programs, if the rule says so
)

// allows reports whether the guard allows that the flagged links of a text are edited.
func (g *guard) allows(t *text, u *rule.Rule) bool {
	return g.lets == letsHTML && t.html || g.lets == letsPrograms && !u.KeepLists
}

// guards are all reasons not to edit, in the order of trial: the most informative first.
var guards = []guard{
	{reason: reasonInMessage, notText: true, text: func(t *text, _ *Limits) bool { return t.attached }},
	{reason: reasonNullSender, lets: letsPrograms, message: func(r *reading, _ *rule.Rule) bool { return r.env.Sender == "" || r.env.Sender == "<>" }},
	{reason: reasonBinaryMIME, message: func(r *reading, _ *rule.Rule) bool { return strings.EqualFold(r.env.BodyType, "BINARYMIME") }},
	{reason: reasonSigned, message: always(hasSignature)},
	{reason: reasonEncrypted, message: always(encrypted)},
	{reason: reasonPGPArmor, lets: letsHTML, text: func(t *text, _ *Limits) bool { return t.hasLine("-----BEGIN PGP ") }}, // RFC 9580 §6.2
	{reason: reasonHTMLSibling, notText: true, notHTML: true, message: func(r *reading, u *rule.Rule) bool {
		return hasHTML(r) && !u.ReadableHTML && !(defangsHTML(u) && defangsPlain(u))
	}},
	{reason: reasonDKIM, message: func(r *reading, u *rule.Rule) bool {
		return !u.EditSigned && r.hasField("DKIM-Signature")
	}},
	{reason: reasonARC, message: func(r *reading, u *rule.Rule) bool { return !u.EditSigned && r.hasFieldPrefix("ARC-") }},
	{reason: reasonReport, lets: letsPrograms, message: always(isReport)},
	{reason: reasonAutoSubmitted, lets: letsPrograms, message: always(autoSubmitted)},
	{reason: reasonList, lets: letsPrograms, message: func(r *reading, _ *rule.Rule) bool { return r.hasFieldPrefix("List-") }},
	{reason: reasonBulk, lets: letsPrograms, message: always(bulk)},
	{reason: reasonToList, lets: letsPrograms, message: always(toList)},
	{reason: reasonRobot, lets: letsPrograms, message: always(toRobot)},
	{reason: reasonCalendar, lets: letsPrograms, message: func(r *reading, _ *rule.Rule) bool { return r.hasType("text/calendar") }},
	{reason: reasonTNEF, message: always(hasTNEF)},
	{reason: reasonPatch, lets: letsHTML, message: always(sendsPatches)},
	{reason: reasonPatch, lets: letsHTML, text: func(t *text, _ *Limits) bool { return t.patch() }},
	{reason: reasonUuencoded, lets: letsHTML, text: func(t *text, _ *Limits) bool { return t.uuencoded() }},
	{reason: reasonAttachment, notText: true, text: func(t *text, _ *Limits) bool { return t.leaf.IsAttachment() }},
	{reason: reasonNamed, lets: letsHTML, notText: true, text: func(t *text, _ *Limits) bool { return t.leaf.Filename != "" }},
	{reason: reasonNotFirst, lets: letsHTML, notText: true, text: func(t *text, _ *Limits) bool { return !t.first }},
	{reason: reasonTextTooLarge, text: func(t *text, l *Limits) bool { return len(t.content) > l.Text }},
}

// isGuard reports whether a guard has the reason.
func isGuard(reason report.Reason) bool {
	return slices.ContainsFunc(guards, func(g guard) bool { return g.reason == reason })
}

// isPersonal reports whether no program or list sent the message, and none gets it.
func isPersonal(r *reading) bool {
	isSender := func(g pattern.Glob) bool { return g.Matches(r.env.Sender) }
	holds := func(g guard) bool { return g.lets == letsPrograms && g.message(r, nil) }
	return !slices.ContainsFunc(guards, holds) && !slices.ContainsFunc(r.robots, isSender)
}

// always makes a guard of a message that holds under any rule.
func always(holds func(*reading) bool) func(*reading, *rule.Rule) bool {
	return func(r *reading, _ *rule.Rule) bool { return holds(r) }
}

// messageGuards returns the indexes of the guards that hold for the plain texts of the
// message, or for its HTML.
func messageGuards(r *reading, u *rule.Rule, html bool) (holding []int) {
	for i, g := range guards {
		if g.message != nil && !(html && g.notHTML) && g.message(r, u) {
			holding = append(holding, i)
		}
	}
	return holding
}

// failure returns the reason if a missing edit is a failure, otherwise "". It is not a failure if
// nothing has to change, if the rule does not insist on the edit, or if the part is not the
// message's text.
func failure(reason report.Reason) report.Reason {
	switch reason {
	case reasonNotAsked, reasonNothing, reasonNoText, reasonOptedOut, reasonCost, reasonRobot:
		return ""
	}
	if slices.ContainsFunc(guards, func(g guard) bool { return g.reason == reason && g.notText }) {
		return ""
	}
	return reason
}

// hasSignature reports whether a part of the message is signed. It does not matter which part: a reader
// cannot tell what a signature covers.
func hasSignature(r *reading) bool {
	return r.hasType("multipart/signed", "application/pgp-signature",
		"application/pkcs7-signature", "application/x-pkcs7-signature")
}

func encrypted(r *reading) bool {
	return r.hasType("multipart/encrypted", "application/pgp-encrypted",
		"application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp")
}

// isReport reports whether the message is one that programs read: a delivery
// status (RFC 3464), a disposition (RFC 8098), an abuse report (RFC 5965).
func isReport(r *reading) bool {
	for p := range r.message.Parts() {
		switch p.MediaType {
		case "multipart/report", "text/rfc822-headers",
			"message/delivery-status", "message/global-delivery-status",
			"message/disposition-notification", "message/global-disposition-notification",
			"message/feedback-report", "message/tracking-status":
			return true
		}
	}
	return false
}

// autoSubmitted reports whether the message was not sent by a person. The value
// may be followed by parameters or a comment (RFC 3834 §5).
func autoSubmitted(r *reading) bool {
	for _, value := range r.values("Auto-Submitted") {
		if i := strings.IndexAny(value, " \t;("); i >= 0 {
			value = value[:i]
		}
		if !strings.EqualFold(value, "no") {
			return true
		}
	}
	return false
}

// bulk reports whether the message calls itself mass mail (RFC 2076 §3.9).
func bulk(r *reading) bool {
	for _, value := range r.values("Precedence") {
		switch strings.ToLower(value) {
		case "bulk", "list", "junk":
			return true
		}
	}
	return false
}

// toList reports whether a recipient is on a host that has nothing but mailing lists.
func toList(r *reading) bool { return r.hasRecipient(atListHost) }

// toRobot reports whether a recipient is a program that reads mail.
func toRobot(r *reading) bool {
	return r.hasRecipient(func(address string) bool {
		address = judge.BareAddress(address)
		return slices.ContainsFunc(r.robots, func(g pattern.Glob) bool { return g.Matches(address) })
	})
}

// hasRecipient reports whether the function is returns true for a recipient of the envelope or of
// To and Cc. The addresses may have a name and angle brackets.
func (r *reading) hasRecipient(is func(address string) bool) bool {
	if slices.ContainsFunc(r.env.Recipients, is) {
		return true
	}
	for _, name := range []string{"To", "Cc"} {
		for _, value := range r.values(name) {
			for address := range strings.SplitSeq(value, ",") {
				if is(address) {
					return true
				}
			}
		}
	}
	return false
}

// atListHost reports whether an address, with or without a name and angle brackets, is
// on a host for mailing lists.
func atListHost(address string) bool {
	host := address[strings.LastIndexByte(address, '@')+1:]
	if len(host) == len(address) {
		return false
	}
	if i := strings.IndexAny(host, "> \t();"); i >= 0 {
		host = host[:i]
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	first, domain, _ := strings.Cut(host, ".")
	if listLabels.Has(first) {
		return strings.Contains(domain, ".")
	}
	return listHosts.Has(host)
}

func hasTNEF(r *reading) bool {
	if r.hasType("application/ms-tnef", "application/vnd.ms-tnef") {
		return true
	}
	for p := range r.message.Parts() {
		if strings.EqualFold(p.Filename, "winmail.dat") {
			return true
		}
	}
	return false
}

// sendsPatches reports whether the message has a patch as a part, or git-send-email wrote it. The
// programs and lists that take patches refuse HTML.
func sendsPatches(r *reading) bool {
	for _, value := range r.values("X-Mailer") {
		if strings.HasPrefix(value, "git-send-email") {
			return true
		}
	}
	return r.hasType("text/x-patch", "text/x-diff")
}

// hasHTML reports whether the message has an HTML text, as an alternative or alone. Attached HTML files
// do not count.
func hasHTML(r *reading) bool {
	for p := range r.message.Parts() {
		if (p.MediaType == "text/html" || p.MediaType == "application/xhtml+xml") && !p.IsAttachment() {
			return true
		}
	}
	return false
}

// linesWith iterates over the lines that begin with prefix.
func (t *text) linesWith(prefix string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for pos := 0; ; {
			i := strings.Index(t.content[pos:], prefix)
			if i < 0 {
				return
			}
			pos += i
			if pos == 0 || t.content[pos-1] == '\n' {
				line, _, _ := strings.Cut(t.content[pos:], "\n")
				if !yield(line) {
					return
				}
			}
			pos += len(prefix)
		}
	}
}

// hasLine reports whether a line begins with prefix.
func (t *text) hasLine(prefix string) bool {
	for range t.linesWith(prefix) {
		return true
	}
	return false
}

// patch reports whether the text holds a patch, or quotes one.
func (t *text) patch() bool {
	inText := func(mark string) bool { return strings.Contains(t.content, mark) }
	if !slices.ContainsFunc([]string{"--git ", "@@ -", "+++ "}, inText) {
		return false
	}
	before := ""
	for line := range strings.Lines(t.content) {
		line = strings.TrimLeft(line, "> ")
		if strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "@@ -") ||
			strings.HasPrefix(line, "+++ ") && strings.HasPrefix(before, "--- ") {
			return true
		}
		before = line
	}
	return false
}

// uuencoded reports whether the text has a file in uuencode (POSIX) or yEnc. Programs that show the
// plain text show the file as an attachment; an HTML alternative would hide it.
func (t *text) uuencoded() bool {
	for line := range t.linesWith("begin") {
		if uuencodeHead.MatchString(line) {
			return true
		}
	}
	return t.hasLine("=ybegin ")
}

// uuencodeHead matches the line before a uuencoded file, with its permissions and name.
var uuencodeHead = regexp.MustCompile(`^begin(-base64)? [0-7]{3,4} \S`)

//go:embed lists/*.txt
var listFiles embed.FS

// The lists of words of the guards and edits. The head of each file says what it has.
var (
	listHosts    = wordlist.MustRead(listFiles, "lists/list_hosts.txt")
	listLabels   = wordlist.MustRead(listFiles, "lists/list_labels.txt")
	removedLinks = wordlist.MustRead(listFiles, "lists/removed_link.txt")
)

// robots returns the patterns for the addresses of programs.
func robots() (patterns []string) {
	for pattern := range wordlist.MustRead(listFiles, "lists/robots.txt").All() {
		patterns = append(patterns, pattern)
	}
	return patterns
}
