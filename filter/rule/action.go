package rule

import (
	"fmt"

	"github.com/linkmilter/linkmilter/policy"
)

// An Action is what becomes of a message. A greater action is stricter. The zero
// value lets a message pass.
type Action uint8

// The actions.
const (
	ActionNone       Action = iota // pass the message on
	ActionTag                      // pass it on with header fields that list the findings
	ActionQuarantine               // have the MTA hold it, with these fields
	ActionTempFail                 // refuse it for now
	ActionDiscard                  // accept it and drop it
	// ActionReject refuses the message for good. It is stricter than ActionDiscard:
	// no recipient gets the message either way, but here its sender learns of it.
	ActionReject
)

var actionNames = []string{"none", "tag", "quarantine", "tempfail", "discard", "reject"}

// String returns the name that configurations use.
func (a Action) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return fmt.Sprintf("unknown %d", uint8(a))
}

// On chooses the action by the findings of a message. The action for a severity also holds for higher
// severities, unless they have a stricter one.
type On struct {
	Info       Action `toml:"info" help:"the worst finding is info or above"`
	Low        Action `toml:"low" help:"the worst finding is low or above"`
	Medium     Action `toml:"medium" help:"the worst finding is medium or above"`
	High       Action `toml:"high" help:"the worst finding is high"`
	Unreadable Action `toml:"unreadable" help:"linkmilter could read nothing of the message"`
	Partial    Action `toml:"partial" help:"linkmilter could not read all of the message"`
}

// Severity returns the action for a message whose worst finding has severity s.
func (on On) Severity(s policy.Severity) Action {
	steps := [...]Action{ActionNone, on.Info, on.Low, on.Medium, on.High}
	action := ActionNone
	for _, step := range steps[:min(int(s)+1, len(steps))] {
		action = max(action, step)
	}
	return action
}

// stricter returns the stricter of two actions for each case.
func (on On) stricter(other On) On {
	return On{
		Info: max(on.Info, other.Info), Low: max(on.Low, other.Low),
		Medium: max(on.Medium, other.Medium), High: max(on.High, other.High),
		Unreadable: max(on.Unreadable, other.Unreadable), Partial: max(on.Partial, other.Partial),
	}
}

// HTML says when linkmilter adds an HTML alternative to a plain text that has
// none. The zero value leaves texts alone.
type HTML uint8

// When linkmilter adds an alternative.
const (
	HTMLNever HTML = iota // linkmilter only reads and judges texts
	// HTMLNeeded: if a link reads better than it was typed, or has non-ASCII characters, at which some
	// programs cut links.
	HTMLNeeded
	HTMLAlways
)

// Plain says when linkmilter rewrites links in plain texts to their readable form. The
// zero value leaves texts as they were typed.
type Plain uint8

// When linkmilter rewrites links in plain texts.
const (
	PlainKeep Plain = iota
	// PlainNeeded: if an HTML alternative would raise spam scores.
	PlainNeeded
	PlainReadable // always
)

// Edit says which messages linkmilter edits if the rule asks for an edit. A greater value edits fewer
// messages.
type Edit uint8

// Which messages linkmilter edits.
const (
	_ Edit = iota // whatever the rule asks for
	// EditFlagged: messages with a flagged link. In their HTML parts nothing opens such a link any
	// more, unless Flagged is FlaggedLink.
	EditFlagged
	EditNever
)

// Flagged says how linkmilter shows a flagged link: a link with a finding of medium or above, or whose
// host failed policy. The host is always shown in ASCII.
type Flagged uint8

// What linkmilter does with flagged links.
const (
	FlaggedUnlink Flagged = iota // the link is text that opens nothing
	FlaggedLink                  // the link opens
	FlaggedDefang                // the text is not a link for any program: hxxps[:]//example[.]com
)

// stricter returns the choice that keeps readers safer from flagged links.
func (f Flagged) stricter(other Flagged) Flagged {
	strictness := [...]int{FlaggedLink: 0, FlaggedUnlink: 1, FlaggedDefang: 2}
	if strictness[other] > strictness[f] {
		return other
	}
	return f
}
