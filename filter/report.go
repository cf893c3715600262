package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

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

// A Report says what was seen in a message and done with it. It holds text of
// the message only in Links.
type Report struct {
	Rule    string   // name of the rule that decided
	Outcome Outcome  // how much was read
	Reasons []Reason // why not all of it; each once. Empty when Outcome is OutcomeComplete
	Edited  bool     // Result.Edited is an edited message
	NotDone Reason   // why the message was not edited; empty when Edited
	Parts   []Part   // the texts, and what may hide texts, in order
	// Links are the links and suspects of header and parts, in order. Addresses
	// of the header and the envelope are listed where something was found.
	Links []Found

	Findings []policy.Finding // about the message itself, each code once

	Action  Action // what became of the message
	Because string // why: code of a finding, or the reason why it was not edited; empty for ActionNone
	DryRun  bool   // the rule is on trial: Edited and Action say what would have been done, and nothing was
	// OptedOut: one's own user asked to leave the message as it is.
	OptedOut bool
	// Forged is how many header fields claimed to be ours on mail of a stranger.
	// They were removed, unless there is a finding of CodeForgedField.
	Forged        int
	Tagged        bool   // header fields say what was found
	HeaderNotDone Reason // why neither tags were written nor fields removed; empty otherwise
	// HeaderNote is ReasonFieldSigned where tags, or the removal of forged fields,
	// broke a signature of a stranger's message that covered them; empty otherwise.
	HeaderNote Reason

	// Signed is the domain that the message is from and was signed for; empty
	// where it was not. NotSigned is why, where it is of one's own users and
	// signing is set up.
	Signed    string
	NotSigned Reason
	// SignedBefore is the domain of one's own that the message is from, if it was not
	// edited because it came with a signature of that domain: whoever signs should
	// do so behind this filter. Empty otherwise.
	SignedBefore string
}

// A Part says what was seen in a leaf part and done with it.
type Part struct {
	Number    string // as in [mime.Part]; parts of an attached message follow its number
	MediaType string
	Outcome   Outcome
	Reason    Reason // why not all of it was read; empty when Outcome is OutcomeComplete
	Edited    bool   // it got an HTML alternative
	NotDone   Reason // why it was not edited; empty when Edited
	Links     int    // how many of Report.Links are its own
}

// A Found is a link or suspect in a text, and what was found about it.
type Found struct {
	// Part names the place: the number of a part, "1.2"; a header field,
	// "header:From", of attached message 2 "2/header:From"; "envelope:sender".
	// It is empty for [Filter.Text].
	Part string
	// Link is the link. Its offsets are into the part's text as UTF-8, of
	// text/plain with soft line breaks removed, of HTML its source, where they are
	// those of the tag or of all that makes up the text of the link; or into the
	// value of the field, unfolded and decoded (RFC 2047).
	Link    engine.Link
	Place   Place          // what kind of text it stands in
	Hidden  bool           // it stands in HTML that most programs do not show
	Verdict policy.Verdict // the judgement of its host and of the rest
	Href    string         // ASCII URL that it opens; empty for suspects
	Display string         // readable form of the same URL; the host in ASCII where it failed policy
	Linked  bool           // whether an HTML alternative links it
	Broken  bool           // it stands over several lines ([Options.JoinLines]), and is shown as typed unless it is defanged
	Flagged bool           // its host failed policy, or a finding is of medium or above
}

// cut notes that something was left out.
func (r *Report) cut(reason Reason) {
	if !slices.Contains(r.Reasons, reason) {
		r.Reasons = append(r.Reasons, reason)
	}
}

// settle sets the outcome when reading is over.
func (r *Report) settle() {
	read := func(p Part) bool { return p.Outcome != OutcomeUnread }
	switch {
	case len(r.Reasons) == 0:
		r.Outcome = OutcomeComplete
	case slices.ContainsFunc(r.Parts, read):
		r.Outcome = OutcomePartial
	default:
		r.Outcome = OutcomeUnread
	}
}

// notPlain is why HTML is not edited.
const notPlain = Reason(mime.ReasonNotPlainText)

// done notes which parts were edited: those without a reason why not. The reason of
// the message is that of the first part that should have been edited, or else of
// the first part.
func (r *Report) done() {
	r.Edited, r.NotDone = false, ""
	for i := range r.Parts {
		reason := r.Parts[i].NotDone
		r.Parts[i].Edited = reason == ""
		r.Edited = r.Edited || reason == ""
		if r.NotDone == "" || r.NotDone == ReasonNothing && reason != notPlain || r.NotDone == notPlain {
			r.NotDone = reason
		}
	}
	switch {
	case r.Edited:
		r.NotDone = ""
	case r.NotDone == "":
		r.NotDone = ReasonNoText
	}
}

// Count returns how many links, or suspects, of a kind were found.
func (r Report) Count(kind engine.Kind) int {
	n := 0
	for i := range r.Links {
		if r.Links[i].Link.Kind == kind {
			n++
		}
	}
	return n
}

// Worst returns the highest severity among the findings, about links and about
// the message.
func (r Report) Worst() policy.Severity {
	return r.worst().Severity
}

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
	suspects := r.Count(engine.KindSuspect)
	b.WriteString(counted(len(r.Links)-suspects, "link"))
	if suspects > 0 {
		b.WriteString(", " + counted(suspects, "suspect"))
	}
	// What was not read follows with its reasons.
	if worst := r.worst(CodePartial, CodeUnreadable).Severity; worst > policy.SeverityNone {
		fmt.Fprintf(&b, ", worst finding %s", worst)
	}
	if r.Outcome != OutcomeComplete {
		fmt.Fprintf(&b, ", %s", r.Outcome)
		for i, reason := range r.Reasons {
			b.WriteString([]string{" (", ", "}[min(i, 1)] + string(reason))
		}
		b.WriteString(")"[:min(len(r.Reasons), 1)])
	}
	if r.Action > ActionNone {
		fmt.Fprintf(&b, ", action %s (%s)", r.Action, r.Because)
	}
	if r.Rule != "" {
		b.WriteString(", rule " + r.Rule)
	}
	return b.String()
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
