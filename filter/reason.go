package filter

import (
	"errors"

	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// Reasons why a message or a part was not read, or not to its end.
const (
	reasonMessageTooLarge report.Reason = "message-too-large" // more bytes than Limits.Message; the rest was not read
	reasonTooManyLinks    report.Reason = "too-many-links"    // more links than Options.Engine.MaxLinks, or than 16 MiB of them
	reasonDeadline        report.Reason = "deadline"          // the caller's time was over, what follows was not read
	reasonPanic           report.Reason = "panic"             // a defect of linkmilter
	reasonHTMLTooLong     report.Reason = "html-too-long"     // a tag or text of HTML is too long, what follows was not read
	reasonHTMLTooComplex  report.Reason = "html-too-complex"  // programs may read the HTML in another way, too
	reasonLinkTooLong     report.Reason = "link-too-long"     // a link is longer than Options.Engine.MaxLinkLen: only its host was judged
	reasonMessagePartial  report.Reason = "message-partial"   // a piece of a message (RFC 2046 §5.2.2)
	reasonExternalBody    report.Reason = "external-body"     // a message kept elsewhere (RFC 2046 §5.2.3)
)

// Reasons why a message or a part was not edited although its rule asks for it. The
// guards have more.
const (
	reasonTextTooLarge report.Reason = "text-too-large"    // longer than Limits.Text
	reasonGrowth       report.Reason = "growth-too-large"  // the edit adds more than Limits.Growth
	reasonResult       report.Reason = "result-too-large"  // the edited message is larger than Limits.Result
	reasonNotDefanged  report.Reason = "not-defanged"      // a flagged link would stay a link in the edited text
	reasonNothing      report.Reason = "nothing-to-change" // no link needs an alternative
	reasonNotAsked     report.Reason = "not-asked"         // the rule asks for no edit
	reasonOptedOut     report.Reason = "opted-out"         // its sender asked to leave it alone
	reasonHeaderEdits  report.Reason = "too-many-fields"   // the edit takes more than MaxHeaderEdits header edits
	reasonNoText       report.Reason = "no-text"           // the message has no plain text
	reasonNotPlain     report.Reason = "not-plain-text"    // HTML stays as it came
)

// Reasons why a message of a trusted sender was not signed. Where it was edited and
// there is a key for it, the edit is not made either.
const (
	reasonNotSevenBit report.Reason = "not-7bit"        // bytes above 127, NUL or long lines: servers may rewrite it (RFC 6376 §5.3)
	reasonRewritten   report.Reason = "rewritten-later" // the MTA rewrites, behind this filter, what would be signed
	reasonNotSigned   report.Reason = "not-signed"      // the message has no signature because it, or the key, is not fit for one
	reasonRelayed     report.Reason = "relayed"         // it came through another server, from a client that did not log in, and its rule does not say that it is signed
	reasonNoKey       report.Reason = "no-key"          // the domain of its From has no key, or it has not one From
)

// reasonFieldSigned: a signature of the message covers fields of ours, or the
// opt-out. In trusted mail nothing is written or removed then; in mail of strangers
// it is, and breaks the signature.
const reasonFieldSigned report.Reason = "field-signed"

// LimitReasons returns the reasons that speak of a limit, each with the key of that
// limit in the table limits of the configuration.
func LimitReasons() map[report.Reason]string {
	return map[report.Reason]string{
		reasonMessageTooLarge:                    "message",
		reasonDeadline:                           "time",
		reasonTooManyLinks:                       "links",
		reasonTextTooLarge:                       "text",
		reasonGrowth:                             "growth",
		reasonResult:                             "result",
		report.Reason(mime.ReasonHeaderTooLarge): "header",
		report.Reason(mime.ReasonTooDeep):        "depth",
		report.Reason(mime.ReasonTooManyParts):   "parts",
	}
}

// reasonOf returns the code of an error of this package or of package mime. Only an
// error of the context has none.
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
