package filter

import (
	"context"
	"iter"
	"slices"

	"github.com/linkmilter/linkmilter/engine"
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
	unchecked int          // bytes judged since the last check of the context
	kept      int          // bytes of the links
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
	read := func(p Part) bool { return p.outcome != OutcomeUnread }
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
	part.outcome, part.Reason = OutcomeUnread, reason
	c.parts = append(c.parts, part)
	c.cut(reason)
}

const (
	// checkJudged is the number of judged bytes after which the collector checks the
	// context: judging takes many times as long as scanning.
	checkJudged = 16 << 10
	// maxKept bounds in bytes the links that a report keeps, with all their texts.
	maxKept    = 16 << 20
	costOfLink = 64
)

// spend counts n bytes as judged and returns the error of the context every so many.
func (c *collector) spend(n int) error {
	if c.unchecked += n + costOfLink; c.unchecked < checkJudged {
		return nil
	}
	c.unchecked = 0
	return c.ctx.Err()
}

// room reports whether the limits of links allow one more.
func (c *collector) room() bool {
	if len(c.links) < c.maxLinks && c.kept < maxKept {
		return true
	}
	c.cut(reasonTooManyLinks)
	return false
}

// add adds a link.
func (c *collector) add(found Found) {
	if found.tooLong() {
		c.cut(reasonLinkTooLong)
	}
	c.kept += size(&found)
	c.links = append(c.links, found)
}

// size returns about how many bytes a link and its findings take.
func size(found *Found) int {
	const ofFound, ofFinding = 256, 64
	n := ofFound + len(found.Link.Text) + len(found.Href) + len(found.Display)
	for _, finding := range found.Verdict.Findings {
		n += ofFinding + len(finding.Label) + len(finding.Detail)
	}
	return n
}

// each calls judge for each link of a text while there is room. Where it ends early,
// the part says so. It returns the error of the context.
func (c *collector) each(part *Part, links iter.Seq2[engine.Link, error], judge func(engine.Link)) error {
	for link, err := range links {
		if err == nil && !c.room() {
			part.cut(reasonTooManyLinks)
			return nil
		}
		if err == nil {
			err = c.spend(len(link.Text))
		}
		if err != nil {
			part.cut(reasonDeadline)
			return err
		}
		judge(link)
	}
	return nil
}

// close adds a part that was read. The links from the index first on are in it.
func (c *collector) close(part Part, first int) {
	own := c.links[first:]
	if slices.ContainsFunc(own, Found.tooLong) {
		part.cut(reasonLinkTooLong)
	}
	c.parts = append(c.parts, part)
}
