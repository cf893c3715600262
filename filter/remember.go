package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/recent"
	"github.com/linkmilter/linkmilter/policy"
)

// A memory is what a filter remembers of the messages before: in mail the same
// links come again and again, in signatures, footers and quoted threads, and the
// same people write. What it holds depends on nothing but the filter's options and
// the text that it is remembered by, and is a copy, no piece of a message. It may be
// used by several goroutines at once.
//
// It takes 3 MiB at the most, which is what somebody can fill it with who means to;
// with the links of ordinary mail a quarter of that.
type memory struct {
	links *recent.Table[shownLink] // by the text of the link
	// Values of From, Sender and Reply-To as they stand in the message, and envelope
	// senders, in which there is nothing to report.
	fields, senders *recent.Table[struct{}]
}

// Bounds of a memory. Lengths are in octets.
const (
	linkSlots   = 1024
	fieldSlots  = 1024
	senderSlots = 1024

	maxShownLink = 2 << 10 // of a link with all that is known about it
	maxLinkText  = 512     // of its text
	maxField     = 512     // of the value of a field
	maxSender    = 256     // of an envelope sender; RFC 5321 §4.5.3.1.3
)

func newMemory() *memory {
	return &memory{
		links:   recent.NewTable[shownLink](linkSlots),
		fields:  recent.NewTable[struct{}](fieldSlots),
		senders: recent.NewTable[struct{}](senderSlots),
	}
}

// A shownLink is a link by itself, as if it was a text of its own, that was judged
// and made ready to be shown. Nobody may change its findings.
type shownLink struct {
	Found
	flagged Flagged // how flagged links are shown
}

// recall returns how a link by itself is judged and shown: as it was the last time, if
// that is remembered. Where it stands does not matter.
func (f *Filter) recall(link engine.Link, flagged Flagged) Found {
	link.Start, link.End = 0, len(link.Text)
	if len(link.Text) > maxLinkText {
		return f.assessed(link, flagged)
	}
	// The same text can be another link elsewhere: what a reference of HTML opens
	// need not be what is found in a text.
	if known := f.memory.links.Get(link.Text); known != nil && known.Link == link && known.flagged == flagged {
		return known.Found
	}
	link.Text = strings.Clone(link.Text) // what is found may hold pieces of it
	found := f.assessed(link, flagged)
	found.Verdict.Findings = copied(found.Verdict.Findings)
	if size(&found) <= maxShownLink {
		f.memory.links.Put(link.Text, shownLink{found, flagged})
	}
	return found
}

// copied returns a copy of findings without room for more, whose labels are pieces
// of no longer text.
func copied(findings []policy.Finding) []policy.Finding {
	if len(findings) == 0 {
		return nil
	}
	copies := make([]policy.Finding, len(findings))
	for i, finding := range findings {
		finding.Label = strings.Clone(finding.Label)
		copies[i] = finding
	}
	return copies
}

// size returns how many bytes a link and what is known about it take, about.
func size(found *Found) int {
	const ofFound, ofFinding = 256, 64
	n := ofFound + len(found.Link.Text) + len(found.Href) + len(found.Display)
	for _, finding := range found.Verdict.Findings {
		n += ofFinding + len(finding.Label) + len(finding.Detail)
	}
	return n
}
