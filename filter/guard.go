package filter

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/mime"
)

// A guard is a reason not to edit a text. Exactly one of the functions is set.
type guard struct {
	reason  Reason
	message func(*work) bool        // holds for every text of the message
	text    func(*work, *text) bool // holds for one text
}

// guards are all reasons not to edit, in the order in which they are tried:
// what says most about a message comes first.
var guards = []guard{
	{reason: ReasonInMessage, text: func(_ *work, t *text) bool { return t.attached }},
	{reason: ReasonNullSender, message: func(w *work) bool { return w.env.Sender == "" || w.env.Sender == "<>" }},
	{reason: ReasonBinaryMIME, message: func(w *work) bool { return strings.EqualFold(w.env.BodyType, "BINARYMIME") }},
	{reason: ReasonSigned, message: (*work).signed},
	{reason: ReasonEncrypted, message: (*work).encrypted},
	{reason: ReasonPGPArmor, text: func(_ *work, t *text) bool { return t.armored() }},
	{reason: ReasonHTMLSibling, message: (*work).hasHTML},
	{reason: ReasonDKIM, message: func(w *work) bool { return w.rule.Signed == SignedKeep && w.hasField("DKIM-Signature") }},
	{reason: ReasonARC, message: func(w *work) bool { return w.rule.Signed == SignedKeep && w.hasPrefix("ARC-") }},
	{reason: ReasonReport, message: (*work).isReport},
	{reason: ReasonAutoSubmitted, message: (*work).autoSubmitted},
	{reason: ReasonList, message: func(w *work) bool { return w.hasPrefix("List-") }},
	{reason: ReasonBulk, message: (*work).bulk},
	{reason: ReasonToList, message: (*work).toList},
	{reason: ReasonCalendar, message: func(w *work) bool { return w.hasType("text/calendar") }},
	{reason: ReasonTNEF, message: (*work).hasTNEF},
	{reason: ReasonPatch, message: (*work).sendsPatches},
	{reason: ReasonPatch, text: func(_ *work, t *text) bool { return t.patch() }},
	{reason: ReasonUuencoded, text: func(_ *work, t *text) bool { return t.uuencoded() }},
	{reason: ReasonAttachment, text: func(_ *work, t *text) bool { return t.leaf.IsAttachment() }},
	{reason: ReasonNamed, text: func(_ *work, t *text) bool { return t.leaf.Filename != "" }},
	{reason: ReasonNotFirst, text: func(_ *work, t *text) bool { return !t.leaf.FirstBodyPart() }},
	{reason: ReasonTextTooLarge, text: func(w *work, t *text) bool { return len(t.content) > w.filter.limits.Text }},
}

// guard returns the reason not to edit a text, "" when there is none.
func (w *work) guard(t *text) Reason {
	// A message that can be read in more than one way is left to its readers.
	for _, p := range w.message.Problems {
		return Reason(p.Code)
	}
	first := w.guardOfMessage()
	for i := range guards {
		if g := &guards[i]; i == first || g.text != nil && g.text(w, t) {
			return g.reason
		}
	}
	return ""
}

// guardOfMessage returns the index of the first guard that holds for the whole
// message, or how many guards there are. It is found out once, so that many fields
// times many parts cost nothing.
func (w *work) guardOfMessage() int {
	if w.guarded == 0 {
		first := slices.IndexFunc(guards, func(g guard) bool { return g.message != nil && g.message(w) })
		if first < 0 {
			first = len(guards)
		}
		w.guarded = 1 + first
	}
	return w.guarded - 1
}

// parts iterates over all parts of the message, multiparts included, but not
// into attached messages.
func (w *work) parts() iter.Seq[*mime.Part] {
	return func(yield func(*mime.Part) bool) { walk(w.message.Root, yield) }
}

func walk(p *mime.Part, yield func(*mime.Part) bool) bool {
	if !yield(p) {
		return false
	}
	for _, child := range p.Children {
		if !walk(child, yield) {
			return false
		}
	}
	return true
}

// hasType reports whether a part of the message has one of the media types.
func (w *work) hasType(mediaTypes ...string) bool {
	for p := range w.parts() {
		if slices.Contains(mediaTypes, p.MediaType) {
			return true
		}
	}
	return false
}

// hasField reports whether the message's header has a field called name.
func (w *work) hasField(name string) bool { return w.message.Root.Count(name) > 0 }

// hasPrefix reports whether a field's name begins with prefix.
func (w *work) hasPrefix(prefix string) bool {
	for _, f := range w.message.Root.Fields {
		if len(f.Name) >= len(prefix) && strings.EqualFold(f.Name[:len(prefix)], prefix) {
			return true
		}
	}
	return false
}

// signed reports whether something in the message is signed. A signature over
// another part than the text is a reason too: some programs show what is signed
// as a whole, and a reader cannot tell what the signature covers.
func (w *work) signed() bool {
	return w.hasType("multipart/signed", "application/pgp-signature",
		"application/pkcs7-signature", "application/x-pkcs7-signature")
}

func (w *work) encrypted() bool {
	return w.hasType("multipart/encrypted", "application/pgp-encrypted",
		"application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp")
}

// isReport reports whether the message is one that programs read: a delivery
// status (RFC 3464), a disposition (RFC 8098), an abuse report (RFC 5965).
func (w *work) isReport() bool {
	for p := range w.parts() {
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
func (w *work) autoSubmitted() bool {
	for _, value := range w.message.Values(w.message.Root, "Auto-Submitted") {
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
func (w *work) bulk() bool {
	for _, value := range w.message.Values(w.message.Root, "Precedence") {
		switch strings.ToLower(value) {
		case "bulk", "list", "junk":
			return true
		}
	}
	return false
}

// toList reports whether a recipient, of the envelope or in To and Cc, is a mailing
// list. Only the host tells, where it is one that holds nothing but lists.
func (w *work) toList() bool {
	if slices.ContainsFunc(w.env.Recipients, atListHost) {
		return true
	}
	for _, name := range []string{"To", "Cc"} {
		for _, value := range w.message.Values(w.message.Root, name) {
			for address := range strings.SplitSeq(value, ",") {
				if atListHost(address) {
					return true
				}
			}
		}
	}
	return false
}

// atListHost reports whether an address, which may stand in angle brackets behind a
// name, is on a host for mailing lists.
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
	switch first {
	case "lists", "list", "listserv", "mailman", "mailinglist", "mailinglists":
		return strings.Contains(domain, ".")
	}
	return slices.Contains(listHosts, host)
}

// listHosts are well-known hosts for mailing lists whose names do not say so.
var listHosts = []string{"freelists.org", "googlegroups.com", "groups.io", "vger.kernel.org"}

func (w *work) hasTNEF() bool {
	if w.hasType("application/ms-tnef", "application/vnd.ms-tnef") {
		return true
	}
	for p := range w.parts() {
		if strings.EqualFold(p.Filename, "winmail.dat") {
			return true
		}
	}
	return false
}

// sendsPatches reports whether the message carries a patch as a part or was
// sent by the program for patches; those who read them refuse HTML.
func (w *work) sendsPatches() bool {
	for _, value := range w.message.Values(w.message.Root, "X-Mailer") {
		if strings.HasPrefix(value, "git-send-email") {
			return true
		}
	}
	return w.hasType("text/x-patch", "text/x-diff")
}

// hasHTML reports whether the message has an HTML text of its own, an
// alternative or not. An attached file is none.
func (w *work) hasHTML() bool {
	for p := range w.parts() {
		if p.MediaType == "text/html" && !p.IsAttachment() {
			return true
		}
	}
	return false
}

// linesWith iterates over the lines that begin with prefix, from there on. Looking
// for that is much faster than looking at each line.
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

// armored reports whether a line opens PGP armour (RFC 9580 §6.2).
func (t *text) armored() bool { return t.hasLine("-----BEGIN PGP ") }

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

// uuencoded reports whether a file stands in the text, in uuencode (POSIX) or
// yEnc. Programs show it as an attachment, but not where they show an HTML text.
func (t *text) uuencoded() bool {
	for line := range t.linesWith("begin") {
		if uuencodeHead.MatchString(line) {
			return true
		}
	}
	return t.hasLine("=ybegin ")
}

// uuencodeHead matches the line before uuencoded octets, which holds the file's
// permissions and name.
var uuencodeHead = regexp.MustCompile(`^begin(-base64)? [0-7]{3,4} \S`)
