package filter

import (
	"errors"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/sender"
	"github.com/linkmilter/linkmilter/internal/calendar"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/policy"
)

// readCalendar finds and judges the links of an iCalendar or vCard. The place of a link is that of its
// property. readFile reads each file in a property. It returns the error of the context.
func (c *collector) readCalendar(part *report.Part, source string, readFile func(*calendar.Item) error) error {
	for item, err := range calendar.Read(c.ctx, source) {
		if errors.Is(err, calendar.ErrTooManyLabels) {
			c.cutPart(part, reasonTooManyLinks)
			return nil
		}
		first := len(c.links)
		if err == nil {
			if item.Kind == calendar.KindContent {
				err = readFile(&item)
			} else {
				err = c.readCalendarItem(part, &item)
			}
		}
		for i := range c.links[first:] {
			found := &c.links[first+i]
			found.Link.Start, found.Link.End = item.Start, item.End
		}
		if err != nil {
			return err
		}
		if part.Reason == reasonTooManyLinks {
			return nil
		}
	}
	return nil
}

// readCalendarItem judges one value of a property.
func (c *collector) readCalendarItem(part *report.Part, item *calendar.Item) error {
	c.noteUnseen(part.Number, item.Value, func(int, int) (int, int) { return item.Start, item.End })
	switch item.Kind {
	case calendar.KindHTML:
		return c.readHTML(part, item.Value)
	case calendar.KindURL:
		return c.readTarget(part, item.Value, "")
	case calendar.KindAddress:
		return c.readTarget(part, item.Value, item.Name)
	case calendar.KindLabel:
		return c.readLabel(part, item, func(link engine.Link) []policy.Finding {
			return c.judge.TextTarget(c.ctx, item.Name, link)
		})
	case calendar.KindName:
		return c.readLabel(part, item, func(link engine.Link) []policy.Finding {
			return c.judge.NamedFor(c.ctx, sender.VisibleName(item.Name), item.Value, link)
		})
	}
	return c.readPlain(part, item.Value)
}

// readTarget judges what a URL or an address opens, and the name that is shown for it.
func (c *collector) readTarget(part *report.Part, target, name string) error {
	opened := c.openedBy(target)
	if len(opened) == 0 {
		if err := c.readPlain(part, target); err != nil {
			return err
		}
	}
	for i, link := range opened {
		if err := c.spend(len(link.Text) + len(name)); err != nil {
			return err
		}
		if !c.room() {
			part.Cut(reasonTooManyLinks)
			return nil
		}
		var more []policy.Finding
		if i == 0 && name != "" {
			more = c.judge.NamedFor(c.ctx, sender.VisibleName(name), target, link)
		}
		c.add(c.judge.Found(part.Number, link, more...))
	}
	return c.each(part, c.judge.Finder.PlainScan(c.ctx, name), func(link engine.Link) {
		if found := c.judge.Found(part.Number, link); len(found.Verdict.Findings) > 0 {
			c.add(found)
		}
	})
}

// openedBy returns the links that a URL opens, or an address without "mailto:".
func (c *collector) openedBy(target string) []engine.Link {
	if prefix, _ := scheme.Name(target); prefix == "" && strings.Contains(target, "@") {
		return c.judge.Finder.Address(target)
	}
	opened, _ := c.judge.Finder.Opened(target)
	return opened
}

// readLabel judges the label or name that programs show with a URL or address. The URL or address
// itself has been read before.
func (c *collector) readLabel(part *report.Part, item *calendar.Item, judge func(engine.Link) []policy.Finding) error {
	if err := c.spend(len(item.Value) + len(item.Name)); err != nil {
		return err
	}
	opened := c.openedBy(item.Value)
	if len(opened) == 0 || !c.room() {
		return nil
	}
	if findings := judge(opened[0]); len(findings) > 0 {
		c.add(c.judge.Found(part.Number, opened[0], findings...))
	}
	return nil
}
