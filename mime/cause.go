package mime

// A cause says where a reason comes from.
type cause uint8

const (
	causeSender cause = iota // a sender can cut the reading short with it
	causeHonest              // honest mail has it, and an attacker gains little by it
	causeBytes               // honest mail has such bytes, and what programs show for them is known
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
	reasonMalformedHeader:       causeSender,
	reasonBlankHeaderLine:       causeSender,
	reasonSpaceBeforeColon:      causeSender,
	reasonMboxFrom:              causeSender,
	reasonDuplicateContentType:  causeSender,
	reasonDuplicateEncoding:     causeSender,
	reasonDuplicateDisposition:  causeSender,
	reasonMIMEVersion:           causeSender,
	reasonMalformedContentType:  causeSender,
	reasonDuplicateParameter:    causeSender,
	reasonExtendedParameter:     causeSender,
	reasonDuplicateBoundary:     causeSender,
	reasonMissingBoundary:       causeSender,
	reasonInvalidBoundary:       causeSender,
	reasonReusedBoundary:        causeSender,
	reasonAmbiguousDelimiter:    causeSender,
	reasonMissingDelimiter:      causeSender,
	reasonMissingCloseDelimiter: causeSender,
	reasonDelimiterAfterClose:   causeSender,
	reasonEncodedMultipart:      causeSender,
	reasonBareCR:                causeSender,
	reasonNUL:                   causeSender, // C programs read up to it

	// A wrong transfer encoding.
	reasonUnknownEncoding:        causeSender,
	reasonInvalidBase64:          causeSender,
	reasonInvalidQuotedPrintable: causeSender,

	// Honest mail of other or older programs.
	reasonUnknownCharset:  causeHonest,
	reasonUTF7:            causeHonest, // read as ASCII, as programs do
	reasonUTF16WithoutBOM: causeHonest,
	reasonUndecodable:     causeBytes,
	reasonUndeclared8Bit:  causeBytes,
	reasonC1Control:       causeBytes,
	reasonC0Control:       causeHonest,
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

// Guessed reports whether [Message.Texts] gives every text that programs are likely to show
// where [Message.Text] refuses for this reason.
func (r Reason) Guessed() bool { return causes[r] == causeBytes }
