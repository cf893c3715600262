package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// programData are texts that mail programs interpret or hide.
var programData = map[string]bool{
	"text/calendar": true, "text/vcard": true, "text/x-vcard": true, "text/directory": true,
	"text/css": true, "text/javascript": true, "text/rfc822-headers": true,
}

// shownAsPlain reports whether programs show a part as plain text: text/plain, and
// texts of other types that are not attached (RFC 2046 §4.1.4).
func shownAsPlain(leaf *mime.Part) bool {
	return leaf.MediaType == "text/plain" || strings.HasPrefix(leaf.MediaType, "text/") && !programData[leaf.MediaType] && !leaf.IsAttachment()
}

// readText finds and judges the links of a text. It reports the error of the
// context.
func (c *collector) readText(part report.Part, t text) error {
	first := len(c.links)
	part.Outcome = report.OutcomeComplete
	err := c.each(&part, c.judge.finder.all(c.ctx, t.content), func(link engine.Link) {
		c.add(c.judge.found(part.Number, link, c.flagged))
	})
	c.close(part, first)
	t.links, t.at = c.links[first:], first
	t.part = len(c.parts) - 1
	if t.leaf.MediaType == "text/plain" {
		c.texts = append(c.texts, t)
	}
	return err
}
