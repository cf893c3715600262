package filter

import "github.com/linkmilter/linkmilter/mime"

// A cause says who decides that a reason applies.
type cause uint8

const (
	causeChosen cause = iota // an attacker may cut the reading short with it
	causeHonest              // honest mail has it, and an attacker gains little by it
	causeEdit                // it stops an edit or a signature, never the reading
)

// causes classifies every reason of this package and of package mime. A reason
// that is missing counts as chosen: the zero value is the safe one.
var causes = map[Reason]cause{
	// Limits, the deadline and defects: the sender decides how much work a message is.
	ReasonMessageTooLarge:             causeChosen,
	ReasonTooManyLinks:                causeChosen,
	ReasonDeadline:                    causeChosen,
	ReasonPanic:                       causeChosen,
	ReasonHTMLTooLong:                 causeChosen,
	ReasonLinkTooLong:                 causeChosen,
	Reason(mime.ReasonHeaderTooLarge): causeChosen,
	Reason(mime.ReasonTooDeep):        causeChosen,
	Reason(mime.ReasonTooManyParts):   causeChosen,

	// Ambiguous MIME: another program reads another message.
	Reason(mime.ReasonMalformedHeader):       causeChosen,
	Reason(mime.ReasonBlankHeaderLine):       causeChosen,
	Reason(mime.ReasonSpaceBeforeColon):      causeChosen,
	Reason(mime.ReasonMboxFrom):              causeChosen,
	Reason(mime.ReasonDuplicateContentType):  causeChosen,
	Reason(mime.ReasonDuplicateEncoding):     causeChosen,
	Reason(mime.ReasonDuplicateDisposition):  causeChosen,
	Reason(mime.ReasonMIMEVersion):           causeChosen,
	Reason(mime.ReasonMalformedContentType):  causeChosen,
	Reason(mime.ReasonDuplicateParameter):    causeChosen,
	Reason(mime.ReasonExtendedParameter):     causeChosen,
	Reason(mime.ReasonDuplicateBoundary):     causeChosen,
	Reason(mime.ReasonMissingBoundary):       causeChosen,
	Reason(mime.ReasonInvalidBoundary):       causeChosen,
	Reason(mime.ReasonReusedBoundary):        causeChosen,
	Reason(mime.ReasonAmbiguousDelimiter):    causeChosen,
	Reason(mime.ReasonMissingDelimiter):      causeChosen,
	Reason(mime.ReasonMissingCloseDelimiter): causeChosen,
	Reason(mime.ReasonDelimiterAfterClose):   causeChosen,
	Reason(mime.ReasonEncodedMultipart):      causeChosen,
	Reason(mime.ReasonBareCR):                causeChosen,
	Reason(mime.ReasonNUL):                   causeChosen, // C programs read up to it

	// A wrong transfer encoding.
	Reason(mime.ReasonUnknownEncoding):        causeChosen,
	Reason(mime.ReasonInvalidBase64):          causeChosen,
	Reason(mime.ReasonInvalidQuotedPrintable): causeChosen,

	// Honest mail of other or older programs, and mail that only its reader can open.
	ReasonMessagePartial:               causeHonest,
	ReasonExternalBody:                 causeHonest,
	ReasonEncrypted:                    causeHonest,
	ReasonTNEF:                         causeHonest,
	Reason(mime.ReasonUnknownCharset):  causeHonest,
	Reason(mime.ReasonUTF7):            causeHonest, // read as ASCII, as programs do
	Reason(mime.ReasonUTF16WithoutBOM): causeHonest,
	Reason(mime.ReasonUndecodable):     causeHonest,
	Reason(mime.ReasonUndeclared8Bit):  causeHonest,
	Reason(mime.ReasonC1Control):       causeHonest,
	Reason(mime.ReasonC0Control):       causeHonest,
	Reason(mime.ReasonNotText):         causeHonest,
	Reason(mime.ReasonNotMessage):      causeHonest,

	// The guards.
	ReasonNullSender:    causeEdit,
	ReasonBinaryMIME:    causeEdit,
	ReasonInMessage:     causeEdit,
	ReasonSigned:        causeEdit,
	ReasonPGPArmor:      causeEdit,
	ReasonHTMLSibling:   causeEdit,
	ReasonDKIM:          causeEdit,
	ReasonARC:           causeEdit,
	ReasonReport:        causeEdit,
	ReasonAutoSubmitted: causeEdit,
	ReasonList:          causeEdit,
	ReasonBulk:          causeEdit,
	ReasonToList:        causeEdit,
	ReasonCalendar:      causeEdit,
	ReasonPatch:         causeEdit,
	ReasonUuencoded:     causeEdit,
	ReasonAttachment:    causeEdit,
	ReasonNamed:         causeEdit,
	ReasonNotFirst:      causeEdit,
	ReasonTextTooLarge:  causeEdit,
	ReasonGrowth:        causeEdit,
	ReasonResult:        causeEdit,
	ReasonNotDefanged:   causeEdit,
	ReasonNothing:       causeEdit,
	ReasonNotAsked:      causeEdit,
	ReasonOptedOut:      causeEdit,
	ReasonHeaderEdits:   causeEdit,
	ReasonNoText:        causeEdit,

	// Signing.
	ReasonNotSevenBit: causeEdit,
	ReasonRewritten:   causeEdit,
	ReasonNotSigned:   causeEdit,
	ReasonRelayed:     causeEdit,
	ReasonNoKey:       causeEdit,
	ReasonFieldSigned: causeEdit,

	// Plans that package mime refuses.
	Reason(mime.ReasonInvalidPlan):    causeEdit,
	Reason(mime.ReasonInvalidHeader):  causeEdit,
	Reason(mime.ReasonCut):            causeEdit,
	Reason(mime.ReasonNotPlainText):   causeEdit,
	Reason(mime.ReasonBinaryEncoding): causeEdit,
	Reason(mime.ReasonRelated):        causeEdit,
	Reason(mime.ReasonNoBody):         causeEdit,
	Reason(mime.ReasonInvalidHTML):    causeEdit,
	Reason(mime.ReasonLineTooLong):    causeEdit,
	Reason(mime.ReasonNoBoundary):     causeEdit,
	Reason(mime.ReasonVerify):         causeEdit,
}

// Chosen reports whether an attacker can choose that a message is not read for
// this reason. Then findings of CodePartial and CodeUnreadable are worse.
func Chosen(reason Reason) bool { return causes[reason] == causeChosen }
