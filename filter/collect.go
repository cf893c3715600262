package filter

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/claim"
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
	partsRead int            // including parts of attached messages
	bytesRead int            // length of all texts read, in all forms and charsets of all parts
	unchecked int            // bytes judged since the last check of the context
	kept      int            // bytes of the links
	problems  []mime.Reason  // problems of the message's structure, as if the fields to remove were gone
	address   string         // the address of a header field that was judged last
	judged    []report.Found // the links of address
	again     *known         // findings of earlier readings of the part; nil in the first reading
	others    known          // the value that again points to
	inDoubt   bool           // the charset is uncertain, so the text has several readings
	guess     bool           // this reading of the charset may show other characters than the sender wrote
	mail      claim.Mail     // what the message says of its sender
	within    int            // how many attached messages are around what is read
}

// known has the findings of the earlier readings of a part, so that a later reading lists only new
// findings.
type known struct {
	from  int // index of the first link of the later readings
	found map[string]bool
}

// listNew makes the collector list only links that are new: with a finding of medium or above, and not
// among the links from the index first on. This lasts until c.again is set to nil.
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

// isNew reports whether a link has a finding of medium or above and no earlier link to the same host
// had the same findings. It remembers the link.
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

// opaque records a kind of content that linkmilter does not read.
func (c *collector) opaque(kind string) {
	if !slices.Contains(c.kinds, kind) {
		c.kinds = append(c.kinds, kind)
	}
}

// cut records why something of the message was left out.
func (c *collector) cut(reason report.Reason) {
	if !slices.Contains(c.reasons, reason) {
		c.reasons = append(c.reasons, reason)
	}
}

// flaw records a broken form. If all that programs show was read nevertheless, the reason is a slip;
// otherwise something was left out.
func (c *collector) flaw(reason report.Reason) {
	if !mime.Reason(reason).Slip() {
		c.cut(reason)
	} else if !slices.Contains(c.slips, reason) {
		c.slips = append(c.slips, reason)
	}
}

// cutPart records why something of a part was left out.
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

// unread records a part that was not read, and the reason.
func (c *collector) unread(part report.Part, reason report.Reason) {
	part.Outcome, part.Reason = report.OutcomeUnread, reason
	c.parts = append(c.parts, part)
	c.cut(reason)
}

const (
	// checkJudged is the number of judged bytes after which the collector checks the
	// context: judging takes many times as long as scanning.
	checkJudged = 16 << 10
	// maxKept bounds in bytes the links of a report, including their texts.
	maxKept    = 16 << 20
	costOfLink = 64
)

// mayRead counts a text as read and reports whether the budget allows it. All parts, forms and charsets
// together may take twice the message's length and 16 MiB. Honest mail has few parts with several
// charsets.
func (c *collector) mayRead(text string) bool {
	const times, more = 2, 16 << 20
	c.bytesRead += len(text)
	return c.bytesRead <= times*len(c.message.Raw)+more
}

// spend counts n bytes as judged. After each checkJudged bytes it returns the error of the context.
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

// found judges a link and decides how it is shown. more are findings that need more than the link, such
// as the text around it.
func (c *collector) found(part string, link engine.Link, more ...policy.Finding) report.Found {
	found := c.judge.Found(part, link, c.flagged, more...)
	if c.inDoubt {
		c.judge.ForgiveCharset(&found, c.flagged, c.guess)
	}
	return found
}

// add lists a link, unless only new links are listed and this one is known.
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

// each calls judge for each link of a scan. If the limit of links is reached, it stops and the part
// says so. It returns the error of the context.
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
