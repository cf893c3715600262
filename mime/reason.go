package mime

import (
	"errors"
	"fmt"
)

// A Reason is a stable code in kebab case. It says why a message is ambiguous, a text
// unreadable or an edit refused. Logs and metrics contain it, so its spelling must not
// change.
type Reason string

// Reasons of a [Problem]: the message is malformed, or programs differ in how
// they read it.
const (
	// ReasonMalformedHeader: a line of a header is neither a field nor the
	// continuation of one; the header is taken to end before it.
	ReasonMalformedHeader Reason = "malformed-header"
	// ReasonBlankHeaderLine: a header holds a line of nothing but white space,
	// which ends the header for some readers.
	ReasonBlankHeaderLine Reason = "blank-header-line"
	// ReasonSpaceBeforeColon: white space is between the name and the colon
	// of a field, where the header ends for some readers.
	ReasonSpaceBeforeColon Reason = "space-before-colon"
	// ReasonMboxFrom: the message begins with the From_ line of an mbox file. In a
	// [PlanError]: the edited message would begin with one.
	ReasonMboxFrom Reason = "mbox-from-line"
	// ReasonHeaderTooLarge: the headers hold more bytes than Limits.HeaderBytes.
	ReasonHeaderTooLarge Reason = "header-too-large"
	// ReasonDuplicateContentType: a header has more than one Content-Type.
	ReasonDuplicateContentType Reason = "duplicate-content-type"
	// ReasonDuplicateEncoding: more than one Content-Transfer-Encoding.
	ReasonDuplicateEncoding Reason = "duplicate-transfer-encoding"
	// ReasonDuplicateDisposition: more than one Content-Disposition.
	ReasonDuplicateDisposition Reason = "duplicate-content-disposition"
	// ReasonMIMEVersion: MIME-Version appears twice or is not 1.0.
	ReasonMIMEVersion Reason = "mime-version"
	// ReasonMalformedContentType: Content-Type violates the grammar of RFC 2045
	// §5.1, so that its parameters are a lenient reading, or quotes letters of a
	// parameter that decides how the part is read, which some read with the backslash.
	ReasonMalformedContentType Reason = "malformed-content-type"
	// ReasonDuplicateParameter: a parameter of Content-Type appears twice.
	ReasonDuplicateParameter Reason = "duplicate-parameter"
	// ReasonExtendedParameter: a parameter that decides how the message is read
	// is written in the extended syntax of RFC 2231, which many do not read.
	ReasonExtendedParameter Reason = "extended-parameter"
	// ReasonDuplicateBoundary: the boundary parameter appears twice.
	ReasonDuplicateBoundary Reason = "duplicate-boundary"
	// ReasonMissingBoundary: a multipart has no boundary parameter.
	ReasonMissingBoundary Reason = "missing-boundary"
	// ReasonInvalidBoundary: a boundary is longer than 70 bytes, ends in white
	// space, holds bytes on which readers differ (RFC 2046 §5.1.1), or is written
	// with backslashes or a comment, which some take for a part of it.
	ReasonInvalidBoundary Reason = "invalid-boundary"
	// ReasonReusedBoundary: a multipart has the boundary of one around it.
	ReasonReusedBoundary Reason = "reused-boundary"
	// ReasonAmbiguousDelimiter: a line begins with a delimiter and goes on; RFC
	// 2046 §5.1.1 compares beginnings, most programs compare lines. A boundary
	// that is the beginning of another one shows in this way. Or a delimiter follows
	// another one without a line end of its own, and some see no part between them.
	ReasonAmbiguousDelimiter Reason = "ambiguous-delimiter"
	// ReasonMissingDelimiter: a multipart holds no part.
	ReasonMissingDelimiter Reason = "missing-delimiter"
	// ReasonMissingCloseDelimiter: a multipart does not end in its close
	// delimiter.
	ReasonMissingCloseDelimiter Reason = "missing-close-delimiter"
	// ReasonDelimiterAfterClose: a delimiter follows the close delimiter.
	ReasonDelimiterAfterClose Reason = "delimiter-after-close"
	// ReasonEncodedMultipart: a multipart claims a transfer encoding other than
	// 7bit, 8bit and binary (RFC 2045 §6.4).
	ReasonEncodedMultipart Reason = "encoded-multipart"
	// ReasonTooDeep: multiparts are nested deeper than Limits.Depth.
	ReasonTooDeep Reason = "too-deep"
	// ReasonTooManyParts: the message has more parts than Limits.Parts.
	ReasonTooManyParts Reason = "too-many-parts"
)

// Reasons why a leaf has no readable text, in an [UnreadableError]. NUL and
// BareCR are reasons of a [Problem] too.
const (
	// ReasonNotText: the part is not text/*.
	ReasonNotText Reason = "not-text"
	// ReasonNotMessage: the part is not a message.
	ReasonNotMessage Reason = "not-message"
	// ReasonUnknownEncoding: the transfer encoding is unknown.
	ReasonUnknownEncoding Reason = "unknown-encoding"
	// ReasonInvalidBase64: the body is not valid base64 (RFC 2045 §6.8).
	ReasonInvalidBase64 Reason = "invalid-base64"
	// ReasonInvalidQuotedPrintable: the body violates RFC 2045 §6.7.
	ReasonInvalidQuotedPrintable Reason = "invalid-quoted-printable"
	// ReasonUnknownCharset: the charset is unknown or has no decoder.
	ReasonUnknownCharset Reason = "unknown-charset"
	// ReasonUTF7: the charset is UTF-7, which has several forms of a text and hides markup.
	ReasonUTF7 Reason = "utf-7"
	// ReasonUTF16WithoutBOM: UTF-16 without a byte order mark.
	ReasonUTF16WithoutBOM Reason = "utf-16-without-bom"
	// ReasonUndecodable: the decoder produced a U+FFFD that the source did not
	// encode.
	ReasonUndecodable Reason = "undecodable"
	// ReasonUndeclared8Bit: bytes above 127 with no charset, with US-ASCII or
	// under the encoding 7bit.
	ReasonUndeclared8Bit Reason = "undeclared-8bit"
	// ReasonC1Control: the text holds one of U+0080 to U+009F.
	ReasonC1Control Reason = "c1-control"
	// ReasonC0Control: the text holds DEL or a control other than TAB, LF, CR and FF.
	ReasonC0Control Reason = "c0-control"
	// ReasonNUL: a header or a text holds a NUL.
	ReasonNUL Reason = "nul"
	// ReasonBareCR: a carriage return without a line feed in a header, in a text
	// or before what may be a delimiter.
	ReasonBareCR Reason = "bare-cr"
)

// Reasons why an edit is refused, in a [PlanError].
const (
	// ReasonInvalidPlan: the plan contradicts itself or the message.
	ReasonInvalidPlan Reason = "invalid-plan"
	// ReasonInvalidHeader: a field cannot be written in ASCII lines of at most
	// 998 bytes.
	ReasonInvalidHeader Reason = "invalid-header"
	// ReasonCut: the message is only the first bytes of one.
	ReasonCut Reason = "cut"
	// ReasonNotPlainText: the leaf is not text/plain.
	ReasonNotPlainText Reason = "not-plain-text"
	// ReasonBinaryEncoding: the leaf has the encoding binary, so it has no lines between
	// which a delimiter could be.
	ReasonBinaryEncoding Reason = "binary-encoding"
	// ReasonRelated: the leaf is a direct part of a multipart/related (RFC 2387), and other
	// parts may refer to it. It is not the first part, or the parameters start or type say
	// more than that the root part is text/plain.
	ReasonRelated Reason = "related-part"
	// ReasonNoBody: the leaf has no body, not even an empty one.
	ReasonNoBody Reason = "no-body"
	// ReasonInvalidHTML: the HTML is not valid UTF-8.
	ReasonInvalidHTML Reason = "invalid-html"
	// ReasonLineTooLong: a line that is not encoded would be longer than 998 bytes
	// (RFC 5322 §2.1.1), and longer than it was.
	ReasonLineTooLong Reason = "line-too-long"
	// ReasonNoBoundary: every tried boundary is in the message already.
	ReasonNoBoundary Reason = "no-boundary"
	// ReasonVerify: the edited message differs from the plan.
	ReasonVerify Reason = "verify"
)

// A Problem is a malformed or ambiguous place in the structure of a message.
type Problem struct {
	Code   Reason
	offset int // of the first place it was seen, in bytes of Message.Raw
}

// An UnreadableError says why [Message.Text], [Message.GuessText] or [Message.Embedded]
// cannot read a part.
type UnreadableError struct {
	Reason Reason
	detail string // for people; may be empty, and may quote the message
}

func (e *UnreadableError) Error() string { return describe("unreadable part", e.Reason, e.detail) }

// A PlanError says why linkmilter refused an edit or an edited message.
type PlanError struct {
	Reason Reason
	detail string // for people; may be empty
}

func (e *PlanError) Error() string { return describe("edit refused", e.Reason, e.detail) }

// reasonOf returns the code of an [UnreadableError].
func reasonOf(err error) Reason {
	var u *UnreadableError
	if errors.As(err, &u) {
		return u.Reason
	}
	return ReasonUndecodable
}

func describe(what string, reason Reason, detail string) string {
	if detail == "" {
		return fmt.Sprintf("%s: %s", what, reason)
	}
	return fmt.Sprintf("%s: %s: %s", what, reason, detail)
}

func unreadable(reason Reason, format string, args ...any) error {
	return &UnreadableError{Reason: reason, detail: fmt.Sprintf(format, args...)}
}

func refused(reason Reason, format string, args ...any) error {
	return &PlanError{Reason: reason, detail: fmt.Sprintf(format, args...)}
}
