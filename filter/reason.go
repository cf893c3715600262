package filter

import (
	"errors"

	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// Reasons why a message or a part was not read, or not to its end. Package mime has further ones,
// in its own reason.go.
const (
	reasonMessageTooLarge report.Reason = "message-too-large" // the message has more bytes than Limits.Message, and the rest was not read
	reasonTooManyLinks    report.Reason = "too-many-links"    // the message has more links than Options.Engine.MaxLinks, or more than 16 MiB of them
	reasonDeadline        report.Reason = "deadline"          // the time was over, and the rest was not read
	reasonPanic           report.Reason = "panic"             // a defect of linkmilter stopped the reading
	reasonHTMLTooLong     report.Reason = "html-too-long"     // a tag or text of HTML is too long, and what follows was not read
	reasonHTMLTooComplex  report.Reason = "html-too-complex"  // programs may read HTML, RTF or formulas in another way, or a text in further charsets
	reasonLinkTooLong     report.Reason = "link-too-long"     // a link is longer than Options.Engine.MaxLinkLen, and only its host was judged
	reasonMessagePartial  report.Reason = "message-partial"   // the part is a fragment of a message (RFC 2046 §5.2.2)
	reasonExternalBody    report.Reason = "external-body"     // the part refers to a body stored elsewhere (RFC 2046 §5.2.3)
)

// Reasons why a message or a part was not edited although its rule asks for it. The reasons why a
// text must not be edited, whatever the rule asks for, are those of the guards in guard.go.
const (
	reasonTextTooLarge report.Reason = "text-too-large"    // the text is longer than Limits.Text
	reasonGrowth       report.Reason = "growth-too-large"  // the edit adds more than Limits.Growth
	reasonResult       report.Reason = "result-too-large"  // the edited message is larger than Limits.Result
	reasonNotDefanged  report.Reason = "not-defanged"      // a flagged link would stay a link in a text
	reasonFlaggedStays report.Reason = "flagged-stays"     // an element of HTML would still open a flagged link
	reasonUnproved     report.Reason = "html-unproved"     // programs would see another change in the HTML than the planned one
	reasonNothing      report.Reason = "nothing-to-change" // no link needs an edit
	reasonNotAsked     report.Reason = "not-asked"         // the rule asks for no edit
	reasonOptedOut     report.Reason = "opted-out"         // the sender asked linkmilter not to edit the message
	reasonCost         report.Reason = "edit-cost"         // the edit would raise the score of the message with spam filters, or add more than twice its text, which edit_cost = "never" of the rule forbids
	reasonHeaderEdits  report.Reason = "too-many-fields"   // the edit takes more than MaxHeaderEdits header edits
	reasonNoText       report.Reason = "no-text"           // the message has no plain text
	reasonNotPlain     report.Reason = "not-plain-text"    // the part is HTML, and the edit is for plain text
)

// Reasons why a message of a trusted sender was not signed. If there is a key, the message is not
// edited either.
const (
	reasonNotSevenBit report.Reason = "not-7bit"        // the message has long lines, NUL, mixed line ends or, with eight_bit = "leave", bytes above 127, which servers may change (RFC 6376 §5.3)
	reasonRewritten   report.Reason = "rewritten-later" // the MTA rewrites signed fields after this filter
	reasonNotSigned   report.Reason = "not-signed"      // the key or the header of the message is not fit for a signature
	reasonRelayed     report.Reason = "relayed"         // the client did not log in, the message came through another server, and the rule does not set sign_relayed
	reasonNoKey       report.Reason = "no-key"          // the domain in From has no key, or the message does not have exactly one From
)

// reasonFieldSigned says that a signature of the message covers linkmilter's fields or the opt-out
// field. In trusted mail linkmilter leaves these fields alone. In other mail it edits them, which
// breaks the signature.
const reasonFieldSigned report.Reason = "field-signed"

// LimitReasons returns the reasons that come from a limit, each with the key of that limit in the table
// limits of the configuration.
func LimitReasons() map[report.Reason]string {
	limits := map[report.Reason]string{
		reasonMessageTooLarge: "message",
		reasonDeadline:        "time",
		reasonTooManyLinks:    "links",
		reasonTextTooLarge:    "text",
		reasonGrowth:          "growth",
		reasonResult:          "result",
	}
	for reason, limit := range mime.LimitReasons() {
		limits[report.Reason(reason)] = limit
	}
	return limits
}

// reasonOf returns the reason of an error of this package or of package mime. Any other error is that
// of the context: the deadline.
func reasonOf(err error) report.Reason {
	var code mime.Reason
	switch {
	case errors.Is(err, errGrowth):
		return reasonGrowth
	case errors.As(err, &code):
		return report.Reason(code)
	}
	return reasonDeadline
}

// errGrowth says that an edit adds more than Limits.Growth.
var errGrowth = errors.New("the edit adds too many bytes")

// A cause says who decides that a reason applies.
type cause uint8

const (
	causeChosen cause = iota // a sender may cut the reading short with it
	causeHonest              // honest mail has it, and an attacker gains little by it
	causeEdit                // it stops an edit or a signature, never the reading
)

// causes classifies the reasons of this package. Those of the guards stop an edit, and
// are here only if they also stop the reading.
var causes = map[report.Reason]cause{
	// Limits, the deadline and defects: the sender decides how much work a message is.
	reasonMessageTooLarge: causeChosen,
	reasonTooManyLinks:    causeChosen,
	reasonDeadline:        causeChosen,
	reasonPanic:           causeChosen,
	reasonHTMLTooLong:     causeChosen,
	reasonHTMLTooComplex:  causeChosen,
	reasonLinkTooLong:     causeChosen,
	reasonMessagePartial:  causeChosen, // no honest program sends messages in parts today

	// Honest mail of other or older programs, and mail that only its reader can open.
	reasonExternalBody: causeHonest,
	reasonEncrypted:    causeHonest,
	reasonTNEF:         causeHonest,

	// The edit.
	reasonTextTooLarge: causeEdit,
	reasonGrowth:       causeEdit,
	reasonResult:       causeEdit,
	reasonNotDefanged:  causeEdit,
	reasonFlaggedStays: causeEdit,
	reasonUnproved:     causeEdit,
	reasonNothing:      causeEdit,
	reasonNotAsked:     causeEdit,
	reasonOptedOut:     causeEdit,
	reasonCost:         causeEdit,
	reasonHeaderEdits:  causeEdit,
	reasonNoText:       causeEdit,
	reasonNotPlain:     causeEdit,

	// Signing.
	reasonNotSevenBit: causeEdit,
	reasonRewritten:   causeEdit,
	reasonNotSigned:   causeEdit,
	reasonRelayed:     causeEdit,
	reasonNoKey:       causeEdit,
	reasonFieldSigned: causeEdit,
}

// isChosen reports whether a sender can cause this reason at will, so that a message is not read. Then
// findings of CodePartial and CodeUnreadable have a higher severity.
func isChosen(reason report.Reason) bool {
	if cause, own := causes[reason]; own {
		return cause == causeChosen
	}
	if isGuard(reason) {
		return false
	}
	return mime.Reason(reason).SenderChooses()
}
