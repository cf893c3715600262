package report

import "github.com/linkmilter/linkmilter/policy"

// An Unseen is a text of a message that programs read and that people do not see, or see in another
// order.
type Unseen struct {
	Part  string // as [Found.Part]
	Start int    // byte offsets into the same text as the offsets of a link
	End   int
	Kind  string // one of engine.UnseenKind, or UnseenHidden or UnseenPrompt
	Count int    // number of unseen characters
	// Says is what a program may read there, at most 4 KiB. The sender chose it; it may be empty.
	Says     string
	Severity policy.Severity // the default severity
}

// The kinds of unseen texts in addition to those of package engine.
const (
	UnseenHidden = "hidden" // text of HTML that no style shows
	UnseenPrompt = "prompt" // likewise, and it speaks to a program
)

// CodeUnseen is the code of the finding about texts that programs read and people do not see.
const CodeUnseen policy.Code = "unseen-text"
