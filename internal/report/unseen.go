package report

import "github.com/linkmilter/linkmilter/policy"

// An Unseen is a text of a message that programs read and people do not, or in another order.
type Unseen struct {
	Part  string // as in [Found]
	Start int    // byte offsets into the same text as those of a link
	End   int
	Kind  string // one of engine.UnseenKind, or UnseenHidden or UnseenPrompt
	Count int    // unseen characters
	// Says is what a program may read there, at most 4 KiB. It may be anything, or empty.
	Says     string
	Severity policy.Severity // by default
}

// The kinds of unseen texts beside those of package engine.
const (
	UnseenHidden = "hidden" // text of HTML that no style shows
	UnseenPrompt = "prompt" // the same, and it speaks to a program
)

// CodeUnseen: programs read something of the message that people do not see.
const CodeUnseen policy.Code = "unseen-text"
