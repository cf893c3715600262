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

// readRepaired judges hosts that are written so that a reader has to repair them before use, as in
// reports of fraud. The text opens nothing, so the findings are low and cause no action. place
// translates a range of the text into one of the source.
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
		c.judge.Show(&found)
		found.Linked = false
		c.kept += size(&found)
		c.links = append(c.links, found)
	})
}

// asWritten is the place function of a text that is the source itself.
func asWritten(start, end int) (int, int) { return start, end }

// readSpaced judges URLs in angle brackets that have white space inside the host. Programs open them
// without the space (RFC 3986 appendix C). It lists URLs that have a finding.
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

// readHosts judges hosts that programs with other charset defaults may read in the content. It lists
// only hosts that look like another site: in other hosts the letters may be wrong. from is the index of
// the part's first link.
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
		found := c.judge.Found(part.Number, link)
		found.Verdict.Findings = judge.Where(found.Verdict.Findings, func(f policy.Finding) bool { return f.Code == policy.CodeLookalike })
		if found.Verdict.Worst() < policy.SeverityMedium {
			continue
		}
		c.listNew(from)
		c.judge.Show(&found)
		c.add(found)
	}
	return nil
}

// maxTops is the number of last labels whose answer is remembered.
const maxTops = 1 << 10

// hostLimits returns the limits for readHosts: as many hosts as links, and only hosts that end in a
// top-level domain. Most file names do not.
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
