package mime

// A cause says who or what makes a reason apply.
type cause uint8

const (
	causeSender cause = iota // a sender can cut the reading short with it
	causeHonest              // honest mail has it, and an attacker gains little by it
	causeBytes               // honest mail has such bytes, and what programs show for them is known
	causeSlip                // honest programs write such mail, and all that programs show is judged
	causeEdit                // it stops an edit, never the reading
)

// causes classifies every reason. A reason that is missing counts as chosen by the
// sender: the zero value is the safe one.
var causes = map[Reason]cause{
	// Limits: the sender decides how much work a message is.
	reasonHeaderTooLarge: causeSender,
	reasonTooDeep:        causeSender,
	ReasonTooManyParts:   causeSender,

	// Ambiguous structure: another program reads another message.
	reasonMalformedHeader:      causeSender,
	reasonEarlyHeaderEnd:       causeSender,
	reasonMboxFrom:             causeSender,
	reasonDuplicateContentType: causeSender,
	reasonDuplicateEncoding:    causeSender,
	reasonDuplicateDisposition: causeSender,
	reasonMalformedMultipart:   causeSender,
	reasonDuplicateParameter:   causeSender,
	reasonExtendedParameter:    causeSender,
	reasonDuplicateBoundary:    causeSender,
	reasonMissingBoundary:      causeSender,
	reasonInvalidBoundary:      causeSender,
	reasonReusedBoundary:       causeSender,
	reasonAmbiguousDelimiter:   causeSender,
	reasonDelimiterAfterClose:  causeSender,
	reasonCRLineEnd:            causeSender,
	reasonNUL:                  causeSender, // C programs read up to it

	// A transfer encoding that no program knows.
	reasonUnknownEncoding: causeSender,

	// Slips: programs show the same, or each of the texts that are judged.
	reasonBlankHeaderLine:        causeSlip,
	reasonSpaceBeforeColon:       causeSlip,
	reasonRepeatedField:          causeSlip,
	reasonMIMEVersion:            causeSlip,
	reasonMalformedContentType:   causeSlip,
	reasonAlikeDelimiter:         causeSlip,
	reasonMissingDelimiter:       causeSlip,
	reasonMissingCloseDelimiter:  causeSlip,
	reasonEncodedMultipart:       causeSlip,
	reasonMisspeltEncoding:       causeSlip,
	reasonInvalidBase64:          causeSlip,
	reasonInvalidQuotedPrintable: causeSlip,
	reasonBareCR:                 causeSlip,
	reasonC0Control:              causeSlip,

	// Reasons that honest mail of other or older programs has.
	reasonUnknownCharset:  causeHonest,
	reasonUTF7:            causeHonest, // read as ASCII, as programs do
	reasonUTF16WithoutBOM: causeHonest,
	reasonUndecodable:     causeBytes,
	reasonUndeclared8Bit:  causeBytes,
	reasonC1Control:       causeBytes,
	reasonNotText:         causeHonest,

	// Refused plans.
	reasonInvalidPlan:    causeEdit,
	reasonInvalidHeader:  causeEdit,
	reasonCut:            causeEdit,
	reasonBinaryEncoding: causeEdit,
	reasonRelated:        causeEdit,
	reasonNoBody:         causeEdit,
	reasonInvalidHTML:    causeEdit,
	reasonLineTooLong:    causeEdit,
	reasonNoBoundary:     causeEdit,
	reasonVerify:         causeEdit,
}

// SenderChooses reports whether a sender can cause this reason on purpose, to keep a
// message from being read. It is true for an unknown reason.
func (r Reason) SenderChooses() bool { return causes[r] == causeSender }

// Slip reports whether linkmilter judges all that programs show of a message or a text in spite of
// this reason, so that it counts as read.
func (r Reason) Slip() bool { return causes[r] == causeSlip }

// Guessed reports whether [Message.Text] refuses a text for this reason, but [Message.Texts] returns
// every text that programs are likely to show.
func (r Reason) Guessed() bool { return causes[r] == causeBytes }
