package eventlog

import (
	"slices"
	"time"
)

// An Event is a line about a message in the log. Fields that the line does not have are zero.
type Event struct {
	Time       time.Time
	Node       string // the machine; "" if the log does not say
	QueueID    string
	MessageID  string
	Client     string // IP address
	Sender     string // address or domain, as log.addresses says
	Recipients []string
	// RecipientCount is the number of recipients, including those that the line does not list.
	RecipientCount int
	Rule           string
	Outcome        string
	Worst          string // severity of the worst finding
	Edited         bool
	NotDone        string   // why the message was not edited
	Findings       []string // codes of the findings
	Hosts          []string // hosts of flagged links, as A-labels
	LooksLike      []string // the names that hosts, texts of links or senders imitate
	URLs           []string // flagged URLs, defanged
	Action         string
	ActionNotDone  string
	DryRun         bool
}

// WhatHappened says in a word what became of the message: the action; "delivered" if there is none;
// or an action in parentheses, such as "(tag)", that was only reported and not taken.
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
