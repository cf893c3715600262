package filter

import (
	"iter"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// readHosts judges what programs of other languages take for hosts, and lists those that look like
// another site. The letters of any other host may be wrong. from is the index of the first link of
// the part.
func (c *collector) readHosts(part *report.Part, from int, hosts iter.Seq2[string, error]) error {
	judged := 0
	for host, err := range hosts {
		if err == nil {
			err = c.spend(len(host))
		}
		if err != nil {
			return err
		}
		if judged++; judged > c.maxLinks || !c.room() {
			c.cutPart(part, reasonTooManyLinks)
			return nil
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
