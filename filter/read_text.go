package filter

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// readRepaired judges the hosts of a text that a reader puts in order before use. Their findings
// are low and cause no action: the text opens nothing, and reports of fraud are written so. place
// returns the range of the source that a range of the text comes from.
func (c *collector) readRepaired(part *report.Part, text string, place func(start, end int) (int, int)) error {
	for pos := 0; pos < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		if err := c.spend(end - pos); err != nil {
			return err
		}
		if line := text[pos:end]; textview.MayRepair(line) {
			inText := func(start, end int) (int, int) { return place(pos+start, pos+end) }
			if err := c.readRepairedLine(part, line, inText); err != nil {
				return err
			}
		}
		pos = end
	}
	return nil
}

// readRepairedLine is readRepaired for a line.
func (c *collector) readRepairedLine(part *report.Part, line string, place func(start, end int) (int, int)) error {
	r := textview.Repaired(line)
	return c.each(part, c.judge.Finder.PlainScan(c.ctx, r.Text), func(link engine.Link) {
		if !r.IsIn(link) {
			return
		}
		found := c.judge.Judged(link)
		if found.Verdict.Worst() < policy.SeverityMedium {
			return
		}
		found.Verdict.Findings = slices.Clone(found.Verdict.Findings)
		for i := range found.Verdict.Findings {
			f := &found.Verdict.Findings[i]
			f.Severity = min(f.Severity, policy.SeverityLow)
		}
		found.Link.Kind, found.Link.Text = engine.KindSuspect, strings.Clone(link.Text)
		found.Link.Start, found.Link.End = place(r.At(link.Start), r.At(link.End))
		found.Part, found.Broken, found.Guessed, found.Repaired = part.Number, true, true, true
		c.judge.Display.Show(&found, c.flagged)
		found.Linked = false
		c.kept += size(&found)
		c.links = append(c.links, found)
	})
}

// asWritten is the place of a text that is the source.
func asWritten(start, end int) (int, int) { return start, end }

// readSpaced judges the URLs in angle brackets that have white space before the end of
// their host, as programs open them: without it (RFC 3986 appendix C). It lists those that
// have a finding.
func (c *collector) readSpaced(part *report.Part, text string) error {
	for pos := 0; ; {
		open := strings.IndexByte(text[pos:], '<')
		if open < 0 {
			return nil
		}
		pos += open + 1
		inside := text[pos:min(len(text), pos+judge.LongestBroken)]
		inside = inside[:judge.Closing(inside)]
		if err := c.spend(len(inside)); err != nil {
			return err
		}
		if url, ok := judge.WithoutSpace(inside); ok && c.room() {
			c.listNew(len(c.links))
			links, _ := c.judge.Finder.Opened(url)
			for _, link := range links {
				link.Start, link.End = pos, pos+len(inside)
				c.add(c.found(part.Number, link))
			}
		}
		pos += len(inside)
	}
}

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
		found := c.judge.Found(part.Number, link, c.flagged)
		found.Verdict.Findings = judge.Where(found.Verdict.Findings, func(f policy.Finding) bool { return f.Code == policy.CodeLookalike })
		if found.Verdict.Worst() < policy.SeverityMedium {
			continue
		}
		c.listNew(from)
		c.judge.Display.Show(&found, c.flagged)
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
			links := c.judge.Finder.In("http://example." + label)
			isTop = len(links) == 1 && links[0].Reason == ""
			if len(known) == maxTops {
				clear(known)
			}
			known[strings.Clone(label)] = isTop
		}
		return isTop
	}}
}
