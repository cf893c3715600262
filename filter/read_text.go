package filter

import (
	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/report"
)

// readPlain finds and judges the links of a text. It reports the error of the context.
func (c *collector) readPlain(part *report.Part, content string) error {
	beside, before := besideReader{c.judge, c.ctx, content}, engine.Link{}
	return c.each(part, c.judge.finder.joinedScan(c.ctx, content), func(link engine.Link) {
		found := c.found(part.Number, link, beside.allFindings(link, before)...)
		before = link
		unlinkUnmeant(&found, content)
		c.add(found)
	})
}
