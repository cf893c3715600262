package filter

import "github.com/linkmilter/linkmilter/policy"

// An Action is what becomes of a message. Actions are ordered: the greater one
// is the stricter one. The zero value lets a message pass.
type Action uint8

// The actions.
const (
	ActionNone       Action = iota // pass it on
	ActionTag                      // pass it on with header fields that say what was found
	ActionQuarantine               // have the MTA hold it, with these fields
	ActionTempFail                 // refuse it for now
	ActionDiscard                  // take it and throw it away
	// ActionReject refuses it for good. It is above ActionDiscard, since nobody
	// gets the message either way, and here its sender learns of it.
	ActionReject
)

var actionNames = []string{"none", "tag", "quarantine", "tempfail", "discard", "reject"}

// String returns the name that configurations use.
func (a Action) String() string { return nameOf(actionNames, a) }

// ParseAction returns the action with the given name.
func ParseAction(name string) (Action, error) { return parseName[Action](actionNames, name) }

// MarshalText returns the name that configurations use.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the name that configurations use.
func (a *Action) UnmarshalText(text []byte) error { return readName(a, actionNames, text) }

// On says what becomes of a message by what was found in it. An action for a
// severity holds for the severities above it too, unless they have a stricter
// one.
type On struct {
	Info   Action // the worst finding is of this severity
	Low    Action
	Medium Action
	High   Action

	Unreadable Action // nothing of the message could be read (OutcomeUnread)
	Partial    Action // something of it could not be read (OutcomePartial)
}

// severity returns the action for a message whose worst finding is of s.
func (on On) severity(s policy.Severity) Action {
	steps := [...]Action{ActionNone, on.Info, on.Low, on.Medium, on.High}
	action := ActionNone
	for _, step := range steps[:min(int(s)+1, len(steps))] {
		action = max(action, step)
	}
	return action
}

// outcome returns the action for a message of which so much was read, and the
// finding that it is because of.
func (on On) outcome(o Outcome) (Action, policy.Code) {
	switch o {
	case OutcomeComplete:
		return ActionNone, ""
	case OutcomePartial:
		return on.Partial, CodePartial
	}
	return on.Unreadable, CodeUnreadable
}
