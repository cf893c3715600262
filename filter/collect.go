package filter

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// collector collects a reading.
type collector struct {
	reading
	ctx       context.Context
	judge     *judge.Judge
	limits    Limits
	maxLinks  int
	flagged   rule.Flagged   // how flagged links are shown
	partsRead int            // those of attached messages included
	bytesRead int            // of texts, in all forms and charsets of all parts
	unchecked int            // bytes judged since the last check of the context
	kept      int            // bytes of the links
	problems  []mime.Reason  // in the structure of the message without the fields that will be removed
	address   string         // in a header, that was judged last
	judged    []report.Found // the links of address
	again     *known         // what was found already in other readings of a part; nil in the first
	others    known          // what again points to
	inDoubt   bool           // the text has several readings of its charset
	guess     bool           // the text is one of them that shows other characters than were written
}

// known is what was found in readings of a part.
type known struct {
	from  int // index of the link after those of the first reading
	found map[string]bool
}

// listNew makes the collector list only what has a finding of medium or above and is not
// among the links from the index first on. It does so until again is nil.
func (c *collector) listNew(first int) {
	if c.again != nil {
		return
	}
	c.others = known{from: len(c.links)}
	c.again = &c.others
	for i := range c.links[first:] {
		c.again.isNew(&c.links[first+i])
	}
}

// isNew reports whether a link has a finding of medium or above that no link to its host
// had. It remembers the link.
func (k *known) isNew(found *report.Found) bool {
	if found.Verdict.Worst() < policy.SeverityMedium {
		return false
	}
	var key strings.Builder
	key.WriteString(cmp.Or(found.Link.ASCIIHost(), found.Link.Text))
	for _, finding := range found.Verdict.Findings {
		key.WriteString(" " + string(finding.Code))
	}
	if k.found[key.String()] {
		return false
	}
	if k.found == nil {
		k.found = make(map[string]bool)
	}
	k.found[key.String()] = true
	return true
}

// opaque notes that the message has a content of a kind that is not read.
func (c *collector) opaque(kind string) {
	if !slices.Contains(c.kinds, kind) {
		c.kinds = append(c.kinds, kind)
	}
}

// cut notes that something was left out.
func (c *collector) cut(reason report.Reason) {
	if !slices.Contains(c.reasons, reason) {
		c.reasons = append(c.reasons, reason)
	}
}

// flaw notes a reason in the form of the message: that something was left out, or else that its form
// is broken and all that programs show was read.
func (c *collector) flaw(reason report.Reason) {
	if !mime.Reason(reason).Slip() {
		c.cut(reason)
	} else if !slices.Contains(c.slips, reason) {
		c.slips = append(c.slips, reason)
	}
}

// cutPart notes that something of a part was left out.
func (c *collector) cutPart(part *report.Part, reason report.Reason) {
	part.Cut(reason)
	c.cut(reason)
}

// settle sets the outcome when reading is over.
func (c *collector) settle() {
	read := func(p report.Part) bool { return p.Outcome != report.OutcomeUnread }
	switch {
	case len(c.reasons) == 0:
		c.outcome = report.OutcomeComplete
	case slices.ContainsFunc(c.parts, read):
		c.outcome = report.OutcomePartial
	default:
		c.outcome = report.OutcomeUnread
	}
}

// unread notes a part that was not read, and the reason.
func (c *collector) unread(part report.Part, reason report.Reason) {
	part.Outcome, part.Reason = report.OutcomeUnread, reason
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

// mayRead counts a text as read, and reports whether the budget of readings allows it: for all parts, forms
// and charsets together twice the message, and 16 MiB. Honest mail has few parts with several charsets.
func (c *collector) mayRead(text string) bool {
	const times, more = 2, 16 << 20
	c.bytesRead += len(text)
	return c.bytesRead <= times*len(c.message.Raw)+more
}

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

// found judges a link and decides how it is shown. more are findings that do not follow
// from the link alone.
func (c *collector) found(part string, link engine.Link, more ...policy.Finding) report.Found {
	found := c.judge.Found(part, link, c.flagged, more...)
	if c.inDoubt {
		c.judge.ForgiveCharset(&found, c.flagged, c.guess)
	}
	return found
}

// add adds a link.
func (c *collector) add(found report.Found) {
	if c.again != nil {
		if !c.again.isNew(&found) {
			return
		}
		found.Guessed = true
	}
	if judge.OnlyHostJudged(found) {
		c.cut(reasonLinkTooLong)
	}
	c.kept += size(&found)
	c.links = append(c.links, found)
}

// size returns about how many bytes a link and its findings take.
func size(found *report.Found) int {
	const ofFound, ofFinding = 256, 64
	n := ofFound + len(found.Link.Text) + len(found.Href) + len(found.Display)
	for _, finding := range found.Verdict.Findings {
		n += ofFinding + len(finding.Label) + len(finding.Detail)
	}
	return n
}

// each calls judge for each link of a scan while there is room; without it, the part says
// so. It returns the error of the context.
func (c *collector) each(part *report.Part, scan judge.LinkScan, judge func(engine.Link)) error {
	var room [8]engine.Link
	for links := scan.More(room[:0]); len(links) > 0; links = scan.More(links[:0]) {
		for _, link := range links {
			if !c.room() {
				part.Cut(reasonTooManyLinks)
				return nil
			}
			if err := c.spend(len(link.Text)); err != nil {
				return err
			}
			judge(link)
		}
	}
	return scan.Err
}

// close adds a part that was read. The links from the index first on are in it.
func (c *collector) close(part report.Part, first int) {
	own := c.links[first:]
	if slices.ContainsFunc(own, judge.OnlyHostJudged) {
		part.Cut(reasonLinkTooLong)
	}
	c.parts = append(c.parts, part)
}

// readPlain finds and judges the links of a text. It reports the error of the context.
func (c *collector) readPlain(part *report.Part, content string) error {
	beside, before := c.judge.InText(c.ctx, content), engine.Link{}
	return c.each(part, c.judge.Finder.JoinedScan(c.ctx, content), func(link engine.Link) {
		found := c.found(part.Number, link, append(beside.Findings(link, before), c.judge.OfQuery(link)...)...)
		before = link
		judge.UnlinkUnmeant(&found, content)
		c.add(found)
	})
}
