package filter

import (
	"slices"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/bidi"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// sender judges an address as links, with its display name. Programs show a name beside an address
// without a host, too.
func (c *collector) sender(name, address string) []report.Found {
	found := c.judgedAddress(address)
	if len(found) == 0 {
		if name == "" {
			return nil
		}
		found = []report.Found{{Link: engine.Link{Kind: engine.KindEmail, Text: address}}}
	}
	named := c.judge.namedFor(c.ctx, visibleName(name), address, found[0].Link)
	if begin := beforeGap(name); begin != name {
		named = worse(named, c.judge.namedFor(c.ctx, visibleName(begin), address, found[0].Link))
	}
	if seen := visibleName(name); bidi.InOrder(seen) != seen {
		named = worse(named, where(c.judge.namedFor(c.ctx, bidi.InOrder(seen), address, found[0].Link), isAboutName))
	}
	if len(named) > 0 {
		found = slices.Clone(found)
		verdict := &found[0].Verdict
		verdict.Findings = slices.Clip(slices.Concat(verdict.Findings, named))
	}
	return found
}

// judgedAddress judges an address as links. Most messages have one address in several
// places.
func (c *collector) judgedAddress(address string) []report.Found {
	if c.address != address {
		c.address, c.judged = address, nil
		for _, link := range c.judge.finder.address(address) {
			found := c.judge.judged(link)
			found.Verdict.Findings = slices.Clip(found.Verdict.Findings)
			c.judged = append(c.judged, found)
		}
	}
	return c.judged
}

// isAboutName reports whether a finding is about what a display name says, not its characters.
func isAboutName(f policy.Finding) bool { return f.Code == policy.CodeDisplayName }
