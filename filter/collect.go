package filter

import (
	"context"
	"slices"

	"github.com/linkmilter/linkmilter/filter/rule"
)

// collector collects a reading.
type collector struct {
	reading
	ctx       context.Context
	judge     *judge
	limits    Limits
	maxLinks  int
	flagged   rule.Flagged // how flagged links are shown
	partsRead int          // those of attached messages included
	forgedIDs []string     // on untrusted mail the ids of fields that will be removed
}

// cut notes that something was left out.
func (c *collector) cut(reason Reason) {
	if !slices.Contains(c.reasons, reason) {
		c.reasons = append(c.reasons, reason)
	}
}

// settle sets the outcome when reading is over.
func (c *collector) settle() {
	read := func(p Part) bool { return p.Outcome != OutcomeUnread }
	switch {
	case len(c.reasons) == 0:
		c.outcome = OutcomeComplete
	case slices.ContainsFunc(c.parts, read):
		c.outcome = OutcomePartial
	default:
		c.outcome = OutcomeUnread
	}
}

// unread notes a part whose text is hidden.
func (c *collector) unread(part Part, reason Reason) {
	part.Outcome, part.Reason = OutcomeUnread, reason
	c.parts = append(c.parts, part)
	c.cut(reason)
}

// room reports whether the limit of links allows one more.
func (c *collector) room() bool {
	if len(c.links) < c.maxLinks {
		return true
	}
	c.cut(ReasonTooManyLinks)
	return false
}

// checkEvery is the number of links after which the collector checks the context.
const checkEvery = 256

// checkLinks returns the error of the context every so many links.
func (c *collector) checkLinks() error {
	if len(c.links)%checkEvery == checkEvery-1 {
		return c.ctx.Err()
	}
	return nil
}

// add adds a link.
func (c *collector) add(found Found) { c.links = append(c.links, found) }
