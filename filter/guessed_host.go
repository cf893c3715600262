package filter

import (
	"errors"
	"iter"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// readHosts judges what programs of other languages take for hosts, and lists those that look like
// another site. The letters of any other host may be wrong. from is the index of the first link of
// the part.
func (c *collector) readHosts(part *report.Part, from int, hosts iter.Seq2[string, error]) error {
	for host, err := range hosts {
		if err == nil {
			err = c.spend(len(host))
		}
		if errors.Is(err, charset.ErrTooManyHosts) || err == nil && !c.room() {
			c.cutPart(part, reasonTooManyLinks)
			return nil
		}
		if err != nil {
			return err
		}
		link, err := engine.ParseLink("http://" + host)
		if err != nil {
			continue
		}
		found := c.judge.found(part.Number, link, c.flagged)
		found.Verdict.Findings = where(found.Verdict.Findings, func(f policy.Finding) bool { return f.Code == policy.CodeLookalike })
		if found.Verdict.Worst() < policy.SeverityMedium {
			continue
		}
		c.listNew(from)
		c.judge.display.show(&found, c.flagged)
		c.add(found)
	}
	return nil
}

// maxTops is the number of last labels that are remembered.
const maxTops = 1 << 10

// hostLimits returns which hosts of a content readHosts judges: as many as there may be links. The names
// of most files do not end in a top-level domain.
func (c *collector) hostLimits() charset.HostLimits {
	known := make(map[string]bool)
	return charset.HostLimits{Most: c.maxLinks, IsTop: func(label string) bool {
		isTop, ok := known[label]
		if !ok {
			links := c.judge.finder.in("http://example." + label)
			isTop = len(links) == 1 && links[0].Reason == ""
			if len(known) == maxTops {
				clear(known)
			}
			known[strings.Clone(label)] = isTop
		}
		return isTop
	}}
}
