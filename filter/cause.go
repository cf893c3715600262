package filter

import "github.com/linkmilter/linkmilter/mime"

// A cause says who decides that a reason applies.
type cause uint8

const (
	causeChosen cause = iota // an attacker may cut the reading short with it
	causeHonest              // honest mail has it, and an attacker gains little by it
	causeEdit                // it stops an edit or a signature, never the reading
)

// causes classifies every reason of this package.
var causes = map[Reason]cause{
	// Limits, the deadline and defects: the sender decides how much work a message is.
	ReasonMessageTooLarge: causeChosen,
	ReasonTooManyLinks:    causeChosen,
	ReasonDeadline:        causeChosen,
	ReasonPanic:           causeChosen,
	ReasonHTMLTooLong:     causeChosen,
	ReasonLinkTooLong:     causeChosen,

	// Honest mail of other or older programs, and mail that only its reader can open.
	ReasonMessagePartial: causeHonest,
	ReasonExternalBody:   causeHonest,
	ReasonEncrypted:      causeHonest,
	ReasonTNEF:           causeHonest,

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
	reasonNotPlain:      causeEdit,

	// Signing.
	ReasonNotSevenBit: causeEdit,
	ReasonRewritten:   causeEdit,
	ReasonNotSigned:   causeEdit,
	ReasonRelayed:     causeEdit,
	ReasonNoKey:       causeEdit,
	ReasonFieldSigned: causeEdit,
}

// Chosen reports whether an attacker can choose that a message is not read for
// this reason. Then findings of CodePartial and CodeUnreadable are worse.
func Chosen(reason Reason) bool {
	if cause, own := causes[reason]; own {
		return cause == causeChosen
	}
	return mime.Reason(reason).SenderChooses()
}
