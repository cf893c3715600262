package eventlog

import (
	"slices"
	"time"
)

// An Event is the line of a message in the log. Fields that the line lacks are zero.
type Event struct {
	Time       time.Time
	Node       string // the machine; "" if the log does not say
	QueueID    string
	MessageID  string
	Client     string // IP address
	Sender     string // address or domain, by log.addresses
	Recipients []string
	// RecipientCount is the number of recipients, also of those that are not listed.
	RecipientCount int
	Rule           string
	Outcome        string
	Worst          string // severity
	Edited         bool
	NotDone        string   // why the message was not edited
	Findings       []string // codes
	Hosts          []string // of flagged links, as A-labels
	LooksLike      []string // the names that they, texts of links or senders imitate
	URLs           []string // defanged
	Action         string
	ActionNotDone  string
	DryRun         bool
}

// WhatHappened says in a word what became of the message: the action, "delivered"
// without one, or "(tag)" for an action that was not taken.
func (e *Event) WhatHappened() string {
	switch {
	case e.Action == "":
		return "delivered"
	case e.DryRun, e.ActionNotDone != "":
		return "(" + e.Action + ")"
	}
	return e.Action
}

// Flagged reports whether a link of the message was flagged.
func (e *Event) Flagged() bool {
	return len(e.Hosts) > 0 || slices.Contains([]string{"medium", "high"}, e.Worst)
}
