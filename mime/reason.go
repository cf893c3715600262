package mime

// A Reason is a stable code in kebab case. It says why a message is ambiguous, a text
// unreadable or an edit refused. Logs and metrics contain it, so its spelling must not
// change. The errors of this package wrap a Reason, except for those of a context.
type Reason string

// Error returns the code.
func (r Reason) Error() string { return string(r) }

// Reasons in Message.Problems: the message is malformed, or programs differ in how
// they read it.
const (
	// reasonMalformedHeader: a line of a header is neither a field nor its continuation.
	// linkmilter ends the header before it.
	reasonMalformedHeader Reason = "malformed-header"
	// reasonBlankHeaderLine: a line of a header has only white space; some readers end the header
	// there. No later field says how to read the body.
	reasonBlankHeaderLine Reason = "blank-header-line"
	// reasonSpaceBeforeColon: a field has white space between its name and the colon; some readers end
	// the header there. Neither this field nor a later one says how to read the body.
	reasonSpaceBeforeColon Reason = "space-before-colon"
	// reasonEarlyHeaderEnd: some readers end the header at a blank line or at a space before a colon,
	// and this field or a later one says how to read the body.
	reasonEarlyHeaderEnd Reason = "early-header-end"
	// reasonMboxFrom: the message begins with the From_ line of an mbox file, or the
	// edited message would begin with one.
	reasonMboxFrom Reason = "mbox-from-line"
	// reasonHeaderTooLarge: the headers have more bytes than Limits.HeaderBytes.
	reasonHeaderTooLarge Reason = "header-too-large"
	// reasonDuplicateContentType: a header has more than one Content-Type.
	reasonDuplicateContentType Reason = "duplicate-content-type"
	// reasonDuplicateEncoding: a header has two fields Content-Transfer-Encoding that differ.
	reasonDuplicateEncoding Reason = "duplicate-transfer-encoding"
	// reasonDuplicateDisposition: a header has more than one Content-Disposition.
	reasonDuplicateDisposition Reason = "duplicate-content-disposition"
	// reasonRepeatedField: a header has a field or parameter that says how to read the body
	// twice, with the same meaning.
	reasonRepeatedField Reason = "repeated-field"
	// reasonMIMEVersion: MIME-Version appears twice or is not 1.0.
	reasonMIMEVersion Reason = "mime-version"
	// reasonMalformedContentType: Content-Type of a part that is no multipart violates the grammar of
	// RFC 2045 §5.1. Or its charset, or another parameter that readers need, has a backslash, which
	// some readers keep.
	reasonMalformedContentType Reason = "malformed-content-type"
	// reasonMalformedMultipart: the Content-Type of a multipart has the fault that is
	// malformed-content-type in other parts.
	reasonMalformedMultipart Reason = "malformed-multipart"
	// reasonDuplicateParameter: a parameter of Content-Type appears twice, with two values.
	reasonDuplicateParameter Reason = "duplicate-parameter"
	// reasonExtendedParameter: a parameter that readers need has the extended syntax of RFC 2231, which
	// many readers do not know.
	reasonExtendedParameter Reason = "extended-parameter"
	// reasonDuplicateBoundary: the boundary parameter appears twice, with two values.
	reasonDuplicateBoundary Reason = "duplicate-boundary"
	// reasonMissingBoundary: a multipart has no boundary parameter.
	reasonMissingBoundary Reason = "missing-boundary"
	// reasonInvalidBoundary: a boundary is longer than 70 bytes, ends in white space, or has
	// bytes that readers treat differently (RFC 2046 §5.1.1). Or it has backslashes or a
	// comment, which some readers take for a part of it.
	reasonInvalidBoundary Reason = "invalid-boundary"
	// reasonReusedBoundary: a multipart has the boundary of a multipart around it.
	reasonReusedBoundary Reason = "reused-boundary"
	// reasonAmbiguousDelimiter: a line begins with a delimiter and has more text. RFC 2046 §5.1.1
	// compares beginnings, most programs whole lines. Or two delimiters share a line end, and some
	// programs see no part between them.
	reasonAmbiguousDelimiter Reason = "ambiguous-delimiter"
	// reasonAlikeDelimiter: one boundary is the beginning of another, or a close delimiter has more
	// text in its line. Programs differ in which multipart ends there, but not in its parts.
	reasonAlikeDelimiter Reason = "alike-delimiter"
	// reasonCRLineEnd: a field or a delimiter follows a carriage return without a line feed, and some
	// programs see it there.
	reasonCRLineEnd Reason = "cr-line-end"
	// reasonMissingDelimiter: a multipart has no parts.
	reasonMissingDelimiter Reason = "missing-delimiter"
	// reasonMissingCloseDelimiter: a multipart does not end in its close
	// delimiter.
	reasonMissingCloseDelimiter Reason = "missing-close-delimiter"
	// reasonDelimiterAfterClose: a delimiter follows the close delimiter.
	reasonDelimiterAfterClose Reason = "delimiter-after-close"
	// reasonEncodedMultipart: a multipart claims a transfer encoding other than
	// 7bit, 8bit and binary (RFC 2045 §6.4).
	reasonEncodedMultipart Reason = "encoded-multipart"
	// reasonTooDeep: multiparts are nested deeper than Limits.Depth.
	reasonTooDeep Reason = "too-deep"
	// ReasonTooManyParts: the message has more parts than Limits.Parts.
	ReasonTooManyParts Reason = "too-many-parts"
)

// Reasons why a leaf has no readable text. NUL and bare CR are problems of a header, too.
const (
	// reasonNotText: the part is not text/*.
	reasonNotText Reason = "not-text"
	// reasonMisspeltEncoding: the transfer encoding is misspelt ("8-bit"), and programs take it for one
	// of RFC 2045.
	reasonMisspeltEncoding Reason = "misspelt-encoding"
	// reasonUnknownEncoding: the transfer encoding is unknown.
	reasonUnknownEncoding Reason = "unknown-encoding"
	// reasonInvalidBase64: the body is not valid base64 (RFC 2045 §6.8).
	reasonInvalidBase64 Reason = "invalid-base64"
	// reasonInvalidQuotedPrintable: the body violates RFC 2045 §6.7.
	reasonInvalidQuotedPrintable Reason = "invalid-quoted-printable"
	// reasonUnknownCharset: the charset is unknown or has no decoder.
	reasonUnknownCharset Reason = "unknown-charset"
	// reasonUTF7: the charset is UTF-7, which can hide markup and writes one text in several
	// ways.
	reasonUTF7 Reason = "utf-7"
	// reasonUTF16WithoutBOM: the text is UTF-16 without a byte order mark.
	reasonUTF16WithoutBOM Reason = "utf-16-without-bom"
	// reasonUndecodable: only a lenient decoder reads the text in its charset.
	reasonUndecodable Reason = "undecodable"
	// reasonUndeclared8Bit: the text has bytes above 127, but the charset is missing or
	// US-ASCII, or the encoding is 7bit.
	reasonUndeclared8Bit Reason = "undeclared-8bit"
	// reasonC1Control: the text has one of U+0080 to U+009F.
	reasonC1Control Reason = "c1-control"
	// reasonC0Control: the text has DEL or a control other than TAB, LF, CR and FF.
	reasonC0Control Reason = "c0-control"
	// reasonNUL: a header or a text has a NUL.
	reasonNUL Reason = "nul"
	// reasonBareCR: a header, a text or the line before two hyphens has a carriage return
	// without a line feed.
	reasonBareCR Reason = "bare-cr"
)

// Reasons why an edit is refused.
const (
	// reasonInvalidPlan: the plan contradicts itself or the message.
	reasonInvalidPlan Reason = "invalid-plan"
	// reasonInvalidHeader: a field cannot be written in ASCII lines of at most
	// 998 bytes.
	reasonInvalidHeader Reason = "invalid-header"
	// reasonCut: linkmilter has only the first bytes of the message.
	reasonCut Reason = "cut"
	// reasonBinaryEncoding: the leaf has the encoding binary. Its body has no lines, and a
	// delimiter must be a line.
	reasonBinaryEncoding Reason = "binary-encoding"
	// reasonRelated: the leaf is a direct part of a multipart/related (RFC 2387), and other
	// parts may refer to it. It is not the first part, or the multipart has a parameter
	// start, or a parameter type other than text/plain.
	reasonRelated Reason = "related-part"
	// reasonNoBody: the leaf has no body, not even an empty one.
	reasonNoBody Reason = "no-body"
	// reasonInvalidHTML: the HTML is not valid UTF-8.
	reasonInvalidHTML Reason = "invalid-html"
	// reasonLineTooLong: the edit would lengthen an unencoded line beyond 998 bytes
	// (RFC 5322 §2.1.1).
	reasonLineTooLong Reason = "line-too-long"
	// reasonNoBoundary: the message contains every boundary that linkmilter tried.
	reasonNoBoundary Reason = "no-boundary"
	// reasonVerify: the edited message differs from the plan.
	reasonVerify Reason = "verify"
)

// LimitReasons returns the reasons that come from a field of [Limits], each with the key of that limit
// in the configuration.
func LimitReasons() map[Reason]string {
	return map[Reason]string{
		reasonHeaderTooLarge: "header",
		reasonTooDeep:        "depth",
		ReasonTooManyParts:   "parts",
	}
}
