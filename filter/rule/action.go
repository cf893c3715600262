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

// On chooses the action by the findings of a message. An action for a severity
// also holds for the severities above it, unless these have a stricter one.
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

// stricter returns the stricter action for each finding.
func (on On) stricter(other On) On {
	return On{
		Info: max(on.Info, other.Info), Low: max(on.Low, other.Low),
		Medium: max(on.Medium, other.Medium), High: max(on.High, other.High),
		Unreadable: max(on.Unreadable, other.Unreadable), Partial: max(on.Partial, other.Partial),
	}
}
