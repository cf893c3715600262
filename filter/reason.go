package filter

import (
	"errors"

	"github.com/linkmilter/linkmilter/mime"
)

// A Reason is a stable code in kebab case that says why linkmilter did not read or do
// something. The codes of [mime.Reason] join those below: for parts that it cannot
// read and messages that programs may read in more than one way.
type Reason string

// Reasons why a message or a part was not read, or not to its end.
const (
	ReasonMessageTooLarge Reason = "message-too-large" // more bytes than Limits.Message; the rest was not read
	ReasonTooManyLinks    Reason = "too-many-links"    // more links than Options.Engine.MaxLinks, or than 16 MiB of them
	ReasonDeadline        Reason = "deadline"          // the caller's time was over, what follows was not read
	ReasonPanic           Reason = "panic"             // a defect of linkmilter
	ReasonHTMLTooLong     Reason = "html-too-long"     // a tag or text of HTML is too long, what follows was not read
	ReasonLinkTooLong     Reason = "link-too-long"     // a link is longer than Options.Engine.MaxLinkLen: only its host was judged
	ReasonMessagePartial  Reason = "message-partial"   // a piece of a message (RFC 2046 §5.2.2)
	ReasonExternalBody    Reason = "external-body"     // a message kept elsewhere (RFC 2046 §5.2.3)
)

// Reasons why a message or a part was not edited although its rule asks for it: the
// guards, in the order in which the filter tries them.
const (
	ReasonNullSender    Reason = "null-sender"       // a bounce
	ReasonBinaryMIME    Reason = "binarymime"        // sent with BODY=BINARYMIME (RFC 3030)
	ReasonInMessage     Reason = "in-message"        // inside a message/* part
	ReasonSigned        Reason = "signed"            // a part of the message is signed
	ReasonEncrypted     Reason = "encrypted"         // a part of the message is encrypted
	ReasonPGPArmor      Reason = "pgp-armor"         // the text has PGP armour
	ReasonHTMLSibling   Reason = "html-sibling"      // there is an HTML text already
	ReasonDKIM          Reason = "dkim-signed"       // DKIM-Signature is present
	ReasonARC           Reason = "arc-sealed"        // a field of ARC is present
	ReasonReport        Reason = "report"            // DSN, MDN, ARF and others of multipart/report
	ReasonAutoSubmitted Reason = "auto-submitted"    // Auto-Submitted other than no (RFC 3834)
	ReasonList          Reason = "list"              // a List-* field is present (RFC 2369, RFC 2919)
	ReasonBulk          Reason = "bulk"              // Precedence bulk, list or junk
	ReasonToList        Reason = "to-list"           // a recipient is on a host for mailing lists
	ReasonCalendar      Reason = "calendar"          // text/calendar, which programs read on their own
	ReasonTNEF          Reason = "tnef"              // Outlook shows what TNEF holds
	ReasonPatch         Reason = "patch"             // a patch, which is applied and not read
	ReasonUuencoded     Reason = "uuencoded"         // the text has a file, which programs take out of plain texts only
	ReasonAttachment    Reason = "attachment"        // a file, not the text of the message
	ReasonNamed         Reason = "named"             // a file, by its name
	ReasonNotFirst      Reason = "not-first"         // not the first body part
	ReasonTextTooLarge  Reason = "text-too-large"    // longer than Limits.Text
	ReasonGrowth        Reason = "growth-too-large"  // the edit adds more than Limits.Growth
	ReasonResult        Reason = "result-too-large"  // the edited message is larger than Limits.Result
	ReasonNotDefanged   Reason = "not-defanged"      // a flagged link would stay a link in the edited text
	ReasonNothing       Reason = "nothing-to-change" // no link needs an alternative
	ReasonNotAsked      Reason = "not-asked"         // the rule asks for no edit
	ReasonOptedOut      Reason = "opted-out"         // its sender asked to leave it alone
	ReasonHeaderEdits   Reason = "too-many-fields"   // the edit takes more than MaxHeaderEdits header edits
	ReasonNoText        Reason = "no-text"           // the message has no plain text
	reasonNotPlain      Reason = "not-plain-text"    // HTML stays as it came
)

// Reasons why a message of a trusted sender was not signed. Where it was edited and
// there is a key for it, the edit is not made either.
const (
	ReasonNotSevenBit Reason = "not-7bit"        // bytes above 127, NUL or long lines: servers may rewrite it (RFC 6376 §5.3)
	ReasonRewritten   Reason = "rewritten-later" // the MTA rewrites, behind this filter, what would be signed
	ReasonNotSigned   Reason = "not-signed"      // the message has no signature because it, or the key, is not fit for one
	ReasonRelayed     Reason = "relayed"         // it came through another server, from a client that did not log in, and its rule does not say that it is signed
	ReasonNoKey       Reason = "no-key"          // the domain of its From has no key, or it has not one From
)

// ReasonFieldSigned: a signature of the message covers fields of ours, or the
// opt-out. In trusted mail nothing is written or removed then; in mail of strangers
// it is, and breaks the signature.
const ReasonFieldSigned Reason = "field-signed"

// reasonOf returns the code of an error of package mime. Only an error of the context has
// none.
func reasonOf(err error) Reason {
	var given stopped
	var code mime.Reason
	switch {
	case errors.As(err, &given):
		return Reason(given)
	case errors.As(err, &code):
		return Reason(code)
	}
	return ReasonDeadline
}

// stopped is the error of work that was given up.
type stopped Reason

func (s stopped) Error() string { return string(s) }
