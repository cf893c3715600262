package filter

import (
	"slices"

	"github.com/linkmilter/linkmilter/internal/report"
)

// sender judges an address as links, with its display name.
func (c *collector) sender(name, address string) []report.Found {
	found := slices.Clone(c.judgedAddress(address))
	if len(found) > 0 {
		verdict := &found[0].Verdict
		verdict.Findings = slices.Concat(verdict.Findings, c.judge.namedFor(c.ctx, visibleName(name), address, found[0].Link))
	}
	for i := range found {
		found[i].Verdict.Findings = slices.Clip(found[i].Verdict.Findings)
	}
	return found
}

// judgedAddress judges an address as links. Most messages have one address in several
// places.
func (c *collector) judgedAddress(address string) []report.Found {
	if c.address != address {
		c.address, c.judged = address, nil
		for _, link := range c.judge.finder.address(address) {
			c.judged = append(c.judged, c.judge.judged(link))
		}
	}
	return c.judged
}
