package filter

import (
	"iter"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// readHosts judges what programs of other languages take for the hosts of URLs, and lists those
// that look like another site. The letters of any other host may be wrong.
func (l *leafReader) readHosts(hosts iter.Seq2[string, error]) error {
	judged := 0
	for host, err := range hosts {
		if err == nil {
			err = l.spend(len(host))
		}
		if err != nil {
			return err
		}
		if judged++; judged > l.maxLinks || !l.room() {
			l.cutPart(&l.part, reasonTooManyLinks)
			return nil
		}
		link, err := engine.ParseLink("http://" + host)
		if err != nil {
			continue
		}
		found := l.judge.found(l.part.Number, link, l.flagged)
		found.Verdict.Findings = where(found.Verdict.Findings, func(f policy.Finding) bool { return f.Code == policy.CodeLookalike })
		if found.Verdict.Worst() < policy.SeverityMedium {
			continue
		}
		l.listNew(l.from)
		l.judge.display.show(&found, l.flagged)
		l.add(found)
	}
	return nil
}
