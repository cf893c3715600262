package filter

import (
	"context"
	"slices"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/recent"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// repeats remembers what was found about links and senders, for all messages of an archive:
// quoted replies, signatures and footers repeat them. Lists of the operator may change
// with the date, so a service does not use it.
type repeats struct {
	links   *recent.Table[report.Found]
	senders *recent.Table[[]report.Found]
}

const (
	repeatedLinks   = 4096
	repeatedSenders = 1024
	// maxRepeat is the length in bytes of the longest text that is remembered.
	maxRepeat = 256
)

func newRepeats() *repeats {
	return &repeats{recent.NewTable[report.Found](repeatedLinks), recent.NewTable[[]report.Found](repeatedSenders)}
}

// found judges a link by j and decides how it is shown. more are findings that do not
// follow from the link alone. A nil r remembers nothing.
func (r *repeats) found(j *judge, part string, link engine.Link, flagged rule.Flagged, more []policy.Finding) report.Found {
	if r == nil || len(more) > 0 || len(link.Text) > maxRepeat || len(link.Text) != link.End-link.Start {
		return j.found(part, link, flagged, more...)
	}
	start, end := link.Start, link.End
	link.Start, link.End = 0, len(link.Text)
	var found report.Found
	if known := r.links.Get(link.Text); known != nil && known.Link == link {
		found = *known
	} else {
		found = j.found("", link, flagged)
		found.Verdict.Findings = slices.Clip(found.Verdict.Findings)
		r.links.Put(found.Link.Text, found)
	}
	found.Part, found.Link.Start, found.Link.End = part, start, end
	return found
}

// sender returns what judge finds about an address and its display name. Until ctx has
// ended it remembers that. A nil r remembers nothing.
func (r *repeats) sender(ctx context.Context, name, address string, judge func(name, address string) []report.Found) []report.Found {
	if r == nil || len(name)+len(address) > maxRepeat {
		return judge(name, address)
	}
	key := name + "\n" + address
	if known := r.senders.Get(key); known != nil {
		return *known
	}
	found := judge(name, address)
	if ctx.Err() == nil { // else it may not be all
		r.senders.Put(key, found)
	}
	return found
}
