package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
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

// A Report says what was found in a message and done with it. Only Links hold text
// of the message.
type Report struct {
	Rule    string   // name of the rule that decided
	Outcome Outcome  // how much was read
	Reasons []Reason // why not all of it was read; each once
	Edited  bool     // the body was edited
	NotDone Reason   // why the body was not edited; empty when Edited
	Parts   []Part   // the texts, and the parts that may hide texts, in order
	// Links are the links and suspects of header and parts, in order. Addresses of
	// the header and the envelope are listed where they have a finding.
	Links []Found

	Findings []policy.Finding // about the message itself, each code once

	Action  rule.Action // what became of the message
	Because string      // why: code of a finding, or the reason of an edit not done; empty for ActionNone
	DryRun  bool        // the rule is on trial: Edited and Action say what would have been done
	// Forged is the number of fields on untrusted mail that claimed the id of this
	// filter. They were removed, unless there is a finding of CodeForgedField.
	Forged        int
	HeaderNotDone Reason // why tags were not written or fields not removed; empty otherwise
	// HeaderNote is reasonFieldSigned where the edits of the header broke a signature
	// of an untrusted message; empty otherwise.
	HeaderNote Reason

	Signed    string // the domain of From, if the message was signed for it
	NotSigned Reason // why a message of a trusted sender was not signed, where signing is set up
	// SignedBefore is the operator's domain that the message is from, if it was not
	// edited because it came with a signature of that domain. The signer should run
	// after this filter.
	SignedBefore string
}

// A Part says what was found in a leaf part and done with it.
type Part struct {
	Number    string // as in [mime.Part]; parts of an attached message follow its number
	mediaType string
	outcome   Outcome
	Reason    Reason // why not all of it was read; empty when Outcome is OutcomeComplete
	notDone   Reason // why it was not edited; empty where it was
}

// cut notes that something of the part was left out. The first reason stays.
func (p *Part) cut(reason Reason) {
	if p.outcome == OutcomeComplete {
		p.outcome, p.Reason = OutcomePartial, reason
	}
}

// place says what kind of text holds a link.
type place uint8

// The places.
const (
	placeText     place = iota // a text/plain part, or the text given to [Filter.Text]
	placeHTMLLink              // an attribute of HTML whose URL opens on a click
	placeHTMLText              // a text of HTML beside the links
	placeHeader                // a field of the header of the message or of an attached one
	placeEnvelope              // the envelope sender
)

// A Found has a link or suspect and its judgement.
type Found struct {
	// Part names the place: the number of a part, "1.2"; a header field,
	// "header:From", of attached message 2 "2/header:From"; "envelope:sender".
	// It is empty for [Filter.Text].
	Part string
	// Link is the link. Its offsets are into the part's text as UTF-8. For
	// text/plain this is the text without soft line breaks; for HTML the source, with
	// the range of the tag or of the link's text; for a field its value, unfolded and
	// decoded (RFC 2047). The text of a link longer than engine.Options.MaxLinkLen ends
	// with the host.
	Link    engine.Link
	place   place          // what kind of text holds it
	hidden  bool           // most programs do not show the HTML that holds it
	Verdict policy.Verdict // the judgement of its host and of the rest
	Href    string         // ASCII URL that it opens; empty for suspects
	Display string         // readable form of the same URL; the host in ASCII where it failed policy
	linked  bool           // whether an HTML alternative links it
	broken  bool           // it continues over several lines ([Options.JoinLines]) or is too long, and is shown as typed unless it is defanged
	Flagged bool           // its host failed policy, or a finding is medium or above
}

// worst returns the worst finding among those about the message, except those with
// the codes to skip, and those about links.
func worst(findings []policy.Finding, links []Found, skip ...policy.Code) policy.Finding {
	var worst policy.Finding
	for _, f := range findings {
		if f.Severity > worst.Severity && !slices.Contains(skip, f.Code) {
			worst = f
		}
	}
	for i := range links {
		for _, f := range links[i].Verdict.Findings {
			if f.Severity > worst.Severity {
				worst = f
			}
		}
	}
	return worst
}

// Count returns how many links, or suspects, of a kind were found.
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
func (r Report) Worst() policy.Severity { return worst(r.Findings, r.Links).Severity }

// Failure returns the reason in Reasons for which linkmilter itself did not read the
// message to its end, a defect or the deadline; "" without one.
func (r Report) Failure() Reason {
	for _, reason := range []Reason{reasonPanic, reasonDeadline} {
		if slices.Contains(r.Reasons, reason) {
			return reason
		}
	}
	return ""
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
	suspects := r.count(engine.KindSuspect)
	b.WriteString(counted(len(r.Links)-suspects, "link"))
	if suspects > 0 {
		b.WriteString(", " + counted(suspects, "suspect"))
	}
	// The reasons for unread parts follow.
	if worst := worst(r.Findings, r.Links, CodePartial, CodeUnreadable).Severity; worst > policy.SeverityNone {
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
