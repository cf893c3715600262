package filter

import (
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// A cause says who decides that a reason applies.
type cause uint8

const (
	causeChosen cause = iota // an attacker may cut the reading short with it
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
	reasonMessagePartial:  causeChosen, // no program writes it today

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

// isChosen reports whether an attacker can choose that a message is not read for
// this reason. Then findings of CodePartial and CodeUnreadable are worse.
func isChosen(reason report.Reason) bool {
	if cause, own := causes[reason]; own {
		return cause == causeChosen
	}
	if isGuard(reason) {
		return false
	}
	return mime.Reason(reason).SenderChooses()
}
