package filter

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/recent"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// repeats remembers what was found about links and senders in messages before: quoted
// replies, signatures and footers repeat them, and the same people write. It serves the
// judge of rules without lists of their own. A link or sender that is known costs a tenth.
type repeats struct {
	period int64 // see [remembered.at]
	links  *recent.Table[repeatedLink]
	// senders are values of fields and, after a line end, which no value has, envelope
	// senders. None has a finding.
	senders *recent.Table[struct{}]
}

// A repeatedLink is what was found about a link, for rules that show flagged links so.
type repeatedLink struct {
	found   report.Found
	flagged rule.Flagged
}

const (
	repeatedLinks   = 4096
	repeatedSenders = 1024
	// maxRepeat is the length in bytes of the longest text that is remembered.
	maxRepeat = 512
)

// remembered has the repeats of now. Several goroutines may use it at once. A nil one
// remembers nothing.
type remembered struct{ current atomic.Pointer[repeats] }

// at returns the repeats for a time. Lines of the operator's lists end with a day, so
// none are older than the last quarter of an hour: there midnight is in all time zones.
func (m *remembered) at(now time.Time) *repeats {
	if m == nil {
		return nil
	}
	const quarter = 15 * 60
	period := now.Unix() / quarter
	r := m.current.Load()
	if r == nil || r.period != period {
		r = &repeats{period, recent.NewTable[repeatedLink](repeatedLinks), recent.NewTable[struct{}](repeatedSenders)}
		m.current.Store(r)
	}
	return r
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
	if known := r.links.Get(link.Text); known != nil && known.found.Link == link && known.flagged == flagged {
		found = known.found
	} else {
		found = j.found("", link, flagged)
		found.Verdict.Findings = slices.Clip(found.Verdict.Findings)
		r.links.Put(found.Link.Text, repeatedLink{found, flagged})
	}
	found.Part, found.Link.Start, found.Link.End = part, start, end
	return found
}

// knows reports whether a sender has no finding, as far as is remembered.
func (r *repeats) knows(sender string) bool { return r != nil && r.senders.Get(sender) != nil }

// learn remembers that a sender has no finding.
func (r *repeats) learn(sender string) {
	if r != nil && len(sender) <= maxRepeat {
		r.senders.Put(sender, struct{}{})
	}
}
