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
	reasonMessageTooLarge Reason = "message-too-large" // more bytes than Limits.Message; the rest was not read
	reasonTooManyLinks    Reason = "too-many-links"    // more links than Options.Engine.MaxLinks, or than 16 MiB of them
	reasonDeadline        Reason = "deadline"          // the caller's time was over, what follows was not read
	reasonPanic           Reason = "panic"             // a defect of linkmilter
	reasonHTMLTooLong     Reason = "html-too-long"     // a tag or text of HTML is too long, what follows was not read
	reasonLinkTooLong     Reason = "link-too-long"     // a link is longer than Options.Engine.MaxLinkLen: only its host was judged
	reasonMessagePartial  Reason = "message-partial"   // a piece of a message (RFC 2046 §5.2.2)
	reasonExternalBody    Reason = "external-body"     // a message kept elsewhere (RFC 2046 §5.2.3)
)

// Reasons why a message or a part was not edited although its rule asks for it: the
// guards, in the order in which the filter tries them.
const (
	reasonNullSender    Reason = "null-sender"       // a bounce
	reasonBinaryMIME    Reason = "binarymime"        // sent with BODY=BINARYMIME (RFC 3030)
	reasonInMessage     Reason = "in-message"        // inside a message/* part
	reasonSigned        Reason = "signed"            // a part of the message is signed
	reasonEncrypted     Reason = "encrypted"         // a part of the message is encrypted
	reasonPGPArmor      Reason = "pgp-armor"         // the text has PGP armour
	reasonHTMLSibling   Reason = "html-sibling"      // there is an HTML text already
	reasonDKIM          Reason = "dkim-signed"       // DKIM-Signature is present
	reasonARC           Reason = "arc-sealed"        // a field of ARC is present
	reasonReport        Reason = "report"            // DSN, MDN, ARF and others of multipart/report
	reasonAutoSubmitted Reason = "auto-submitted"    // Auto-Submitted other than no (RFC 3834)
	reasonList          Reason = "list"              // a List-* field is present (RFC 2369, RFC 2919)
	reasonBulk          Reason = "bulk"              // Precedence bulk, list or junk
	reasonToList        Reason = "to-list"           // a recipient is on a host for mailing lists
	reasonCalendar      Reason = "calendar"          // text/calendar, which programs read on their own
	reasonTNEF          Reason = "tnef"              // Outlook shows what TNEF holds
	reasonPatch         Reason = "patch"             // a patch, which is applied and not read
	reasonUuencoded     Reason = "uuencoded"         // the text has a file, which programs take out of plain texts only
	reasonAttachment    Reason = "attachment"        // a file, not the text of the message
	reasonNamed         Reason = "named"             // a file, by its name
	reasonNotFirst      Reason = "not-first"         // not the first body part
	reasonTextTooLarge  Reason = "text-too-large"    // longer than Limits.Text
	reasonGrowth        Reason = "growth-too-large"  // the edit adds more than Limits.Growth
	reasonResult        Reason = "result-too-large"  // the edited message is larger than Limits.Result
	reasonNotDefanged   Reason = "not-defanged"      // a flagged link would stay a link in the edited text
	reasonNothing       Reason = "nothing-to-change" // no link needs an alternative
	reasonNotAsked      Reason = "not-asked"         // the rule asks for no edit
	reasonOptedOut      Reason = "opted-out"         // its sender asked to leave it alone
	reasonHeaderEdits   Reason = "too-many-fields"   // the edit takes more than MaxHeaderEdits header edits
	reasonNoText        Reason = "no-text"           // the message has no plain text
	reasonNotPlain      Reason = "not-plain-text"    // HTML stays as it came
)

// Reasons why a message of a trusted sender was not signed. Where it was edited and
// there is a key for it, the edit is not made either.
const (
	reasonNotSevenBit Reason = "not-7bit"        // bytes above 127, NUL or long lines: servers may rewrite it (RFC 6376 §5.3)
	reasonRewritten   Reason = "rewritten-later" // the MTA rewrites, behind this filter, what would be signed
	reasonNotSigned   Reason = "not-signed"      // the message has no signature because it, or the key, is not fit for one
	reasonRelayed     Reason = "relayed"         // it came through another server, from a client that did not log in, and its rule does not say that it is signed
	reasonNoKey       Reason = "no-key"          // the domain of its From has no key, or it has not one From
)

// reasonFieldSigned: a signature of the message covers fields of ours, or the
// opt-out. In trusted mail nothing is written or removed then; in mail of strangers
// it is, and breaks the signature.
const reasonFieldSigned Reason = "field-signed"

// LimitReasons returns the reasons that speak of a limit, each with the key of that
// limit in the table limits of the configuration.
func LimitReasons() map[Reason]string {
	return map[Reason]string{
		reasonMessageTooLarge:             "message",
		reasonDeadline:                    "time",
		reasonTooManyLinks:                "links",
		reasonTextTooLarge:                "text",
		reasonGrowth:                      "growth",
		reasonResult:                      "result",
		Reason(mime.ReasonHeaderTooLarge): "header",
		Reason(mime.ReasonTooDeep):        "depth",
		Reason(mime.ReasonTooManyParts):   "parts",
	}
}

// reasonOf returns the code of an error of this package or of package mime. Only an
// error of the context has none.
func reasonOf(err error) Reason {
	var code mime.Reason
	switch {
	case errors.Is(err, errGrowth):
		return reasonGrowth
	case errors.As(err, &code):
		return Reason(code)
	}
	return reasonDeadline
}

// errGrowth says that an edit adds more than Limits.Growth.
var errGrowth = errors.New("the edit adds too many bytes")
