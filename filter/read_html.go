package filter

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/htmlpart"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// htmlTypes are the media types of HTML that programs show in place of text.
var htmlTypes = map[string]bool{"text/html": true, "text/x-amp-html": true, "text/watch-html": true}

// isHTMLFile reports whether a part that is not a text is a file that a browser
// opens as HTML, such as phishing mail often has.
func isHTMLFile(leaf *mime.Part) bool {
	switch leaf.MediaType {
	case "application/xhtml+xml", "image/svg+xml":
		return true
	case "application/octet-stream":
		switch strings.ToLower(path.Ext(strings.TrimRight(leaf.Filename, ". "))) {
		case ".htm", ".html", ".shtml", ".svg", ".xhtml":
			return true
		}
	}
	return false
}

// readHTMLFile reads a file of isHTMLFile. A file that cannot be decoded is a file
// like any other.
func (c *collector) readHTMLFile(m *mime.Message, leaf *mime.Part, part report.Part) error {
	text, err := m.GuessText(leaf)
	if err != nil {
		return nil
	}
	return c.readHTML(part, text)
}

// maxHTMLToken is the length in bytes of the longest tag or text between tags:
// pictures may be written into their tags.
const maxHTMLToken = 4 << 20

// readHTML finds and judges the references of HTML and the links in the texts
// beside them. It returns the error of the context.
func (c *collector) readHTML(part report.Part, source string) error {
	first := len(c.links)
	part.Outcome = report.OutcomeComplete
	err := c.readItems(&part, source)
	// Hidden texts and references are complete only after the texts around them.
	slices.SortStableFunc(c.links[first:], func(a, b report.Found) int { return cmp.Compare(a.Link.Start, b.Link.Start) })
	c.close(part, first)
	return err
}

// readItems judges the items of the HTML of a part, until a limit is reached or the
// context ends. It returns the error of the context.
func (c *collector) readItems(part *report.Part, source string) error {
	for item, err := range htmlpart.Read(c.ctx, source, maxHTMLToken) {
		if errors.Is(err, htmlpart.ErrTokenTooLong) {
			part.Cut(reasonHTMLTooLong)
			c.cut(reasonHTMLTooLong)
			return nil
		}
		if err == nil {
			err = c.readItem(part, &item)
		}
		if err != nil {
			part.Cut(reasonDeadline)
			return err
		}
		if part.Reason == reasonTooManyLinks {
			return nil
		}
	}
	return nil
}

// readItem judges one item of the HTML of a part. It returns the error of the context.
func (c *collector) readItem(part *report.Part, item *htmlpart.Item) error {
	if err := c.spend(min(len(item.URL), c.judge.finder.maxLinkLen) + costOfLabels(item)); err != nil {
		return err
	}
	if item.Element == "" {
		return c.readItemText(part, item)
	}
	opened, refused := c.judge.finder.opened(item.URL)
	if len(opened) == 0 {
		return c.readItemText(part, item, c.judge.textScheme(item)...)
	}
	for i, link := range opened {
		if !c.room() {
			part.Cut(reasonTooManyLinks)
			return nil
		}
		var more []policy.Finding
		if i == 0 {
			if more = c.judge.shownFor(item, link); refused {
				more = append(more, c.judge.refusedHost(item.URL, link)...)
			}
		}
		found := c.judge.found(part.Number, link, c.flagged, more...)
		found.Place, found.Hidden = report.PlaceHTMLLink, item.Hidden
		found.Link.Start, found.Link.End = item.Start, item.End
		c.add(found)
	}
	return nil
}

// costOfLabels returns the number of bytes of a reference that are compared with its
// target.
func costOfLabels(item *htmlpart.Item) int {
	if item.Element == "" {
		return 0 // the links of a text count one by one
	}
	n := len(item.Text)
	for _, label := range item.Labels {
		n += len(label)
	}
	return n
}

// readItemText judges the links in a text, or in the text of a reference that opens
// none; then more are findings about the first. It returns the error of the context.
func (c *collector) readItemText(part *report.Part, item *htmlpart.Item, more ...policy.Finding) error {
	return c.each(part, c.judge.finder.scan(c.ctx, item.Text), func(link engine.Link) {
		found := c.judge.found(part.Number, link, c.flagged, more...)
		more = nil
		found.Place, found.Hidden = report.PlaceHTMLText, item.Hidden
		found.Link.Start, found.Link.End = item.Source(link.Start, link.End)
		c.add(found)
	})
}
