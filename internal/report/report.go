// Package report describes what linkmilter found in a message and did with it. The
// filter writes a [Report]; servers, metrics, the log and the commands read it.
//
// The package has values, their counts and their names. It makes no decisions: the rules,
// the limits and the reasons belong to package filter.
package report

import (
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/policy"
)

// A Report says what was found in a message and done with it. Only Header, Links and
// Unseen hold text of the message.
type Report struct {
	Header  Header
	Rule    string   // name of the rule that decided
	Outcome Outcome  // how much was read
	Reasons []Reason // why not all of it was read; each once
	// Failure is the one of Reasons that is linkmilter's own fault: a defect, or the deadline. It
	// is empty if there is none.
	Failure Reason
	Edited  bool   // the body was edited
	NotDone Reason // why the body was not edited; empty when Edited
	Parts   []Part // the texts, and the parts that may hide texts, in order
	// Links are the links and suspects of header and parts, in order. Addresses of
	// the header and the envelope are listed where they have a finding.
	Links []Found
	// Unseen has texts of the message, its subject and names that programs read and people do not
	// see, in no order. If there are many, it has only some.
	Unseen []Unseen

	// Personal says that one of the operator's users wrote the message to people: no program or list
	// sent or gets it, and the sender did not opt out.
	Personal bool

	Findings []policy.Finding // about the message itself, each code once

	Action  rule.Action // what became of the message
	Because string      // why: code of a finding, or the reason of an edit not done; empty for ActionNone
	DryRun  bool        // the rule is on trial: Edited and Action say what would have been done
	// Forged is the number of fields on untrusted mail that claimed the id of this
	// filter. They were removed, unless there is a finding of CodeForgedField.
	Forged        int
	HeaderNotDone Reason // why tags were not written or fields not removed; empty otherwise
	// HeaderNote is set if the edits of the header broke a signature of an untrusted message;
	// otherwise it is empty.
	HeaderNote Reason

	Signed    string // the domain of From, if the message was signed for it
	NotSigned Reason // why a message of a trusted sender was not signed, if signing is set up
	// SignFailed says that there is a key for the message, and that it goes on unsigned
	// for the reason in NotSigned.
	SignFailed bool
	// SignedBefore is the operator's domain that the message is from, if it was not
	// edited because it came with a signature of that domain. The signer should run
	// after this filter.
	SignedBefore string
}

// count returns how many links, or suspects, of a kind were found.
func (r Report) count(kind engine.Kind) int {
	n := 0
	for i := range r.Links {
		if r.Links[i].Link.Kind == kind {
			n++
		}
	}
	return n
}

// Worst returns the highest severity among the findings about links and about the
// message.
func (r Report) Worst() policy.Severity { return Worst(r.Findings, r.Links).Severity }

// String says in one line of ASCII, without text of the message, what was done:
// "edited: 3 links, rule authenticated" or "not edited (signed): 1 link, rule local".
func (r Report) String() string {
	var b strings.Builder
	if r.DryRun {
		b.WriteString("dry run: ")
	}
	if r.Edited {
		b.WriteString("edited: ")
	} else {
		fmt.Fprintf(&b, "not edited (%s): ", r.NotDone)
	}
	suspects := r.count(engine.KindSuspect)
	b.WriteString(counted(len(r.Links)-suspects, "link"))
	if suspects > 0 {
		b.WriteString(", " + counted(suspects, "suspect"))
	}
	// The reasons for unread parts come later in the line.
	if worst := Worst(r.Findings, r.Links, CodePartial, CodeUnreadable).Severity; worst > policy.SeverityNone {
		fmt.Fprintf(&b, ", worst finding %s", worst)
	}
	if r.Outcome != OutcomeComplete {
		fmt.Fprintf(&b, ", %s", r.Outcome)
		for i, reason := range r.Reasons {
			b.WriteString([]string{" (", ", "}[min(i, 1)] + string(reason))
		}
		b.WriteString(")"[:min(len(r.Reasons), 1)])
	}
	if r.Action > rule.ActionNone {
		fmt.Fprintf(&b, ", action %s (%s)", r.Action, r.Because)
	}
	if r.Rule != "" {
		b.WriteString(", rule " + r.Rule)
	}
	return b.String()
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// A Header has the fields by which people recognise a message. Each value is that of the first
// field with its name, unfolded and cut after 1 KiB. It may hold any text and invalid UTF-8, and is
// empty if the message lacks the field.
type Header struct {
	MessageID string
	Date      string // as in the field (RFC 5322 §3.3)
	From      string // encoded words (RFC 2047) decoded
	Subject   string // likewise
}

// FieldSummary is the header field in which linkmilter sums up a report.
const FieldSummary = "X-Linkmilter"

// A Part says what was found in a leaf part and done with it.
type Part struct {
	Number    string // as in [mime.Part]; parts of an attached message follow its number
	MediaType string
	Outcome   Outcome
	Reason    Reason // why not all of it was read; empty when Outcome is OutcomeComplete
	NotDone   Reason // why it was not edited; empty if it was
	Locked    Reason // why its text cannot be edited although it was read; may be empty
}

// Cut notes that something of the part was left out. The first reason stays.
func (p *Part) Cut(reason Reason) {
	if p.Outcome == OutcomeComplete {
		p.Outcome, p.Reason = OutcomePartial, reason
	}
}

// An Outcome says how much of a message, or of a part, was read. The zero value
// is the safe one.
type Outcome uint8

// The outcomes.
const (
	OutcomeUnread   Outcome = iota // nothing was read; never the same as clean
	OutcomePartial                 // something was left out
	OutcomeComplete                // every text was read
)

// String returns "unread", "partial" or "complete".
func (o Outcome) String() string {
	switch o {
	case OutcomePartial:
		return "partial"
	case OutcomeComplete:
		return "complete"
	}
	return "unread"
}

// A Reason is a stable code in kebab case that says why linkmilter did not read or do
// something. The codes of [mime.Reason] are among them: for parts that package mime
// cannot read, and for messages that programs may read in more than one way.
type Reason string
