package filter

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/htmlpart"
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
func (c *collector) readHTMLFile(m *mime.Message, leaf *mime.Part, part Part) error {
	file := *leaf
	file.MediaType = "text/html"
	text, err := m.GuessText(&file)
	if err != nil {
		return nil
	}
	return c.readHTML(part, text.Content)
}

// maxHTMLToken is the length in bytes of the longest tag or text between tags:
// pictures may be written into their tags.
const maxHTMLToken = 4 << 20

// readHTML finds and judges the references of HTML and the links in the texts
// beside them. It reports the error of the context.
func (c *collector) readHTML(part Part, source string) error {
	first := len(c.links)
	part.Outcome = OutcomeComplete
	cut := func(reason Reason) {
		part.Outcome, part.Reason = OutcomePartial, reason
		c.cut(reason)
	}
	for item, err := range htmlpart.Read(c.ctx, source, maxHTMLToken) {
		if errors.Is(err, htmlpart.ErrTokenTooLong) {
			cut(ReasonHTMLTooLong)
			break
		}
		if err != nil {
			return err
		}
		full, err := c.readItem(part.Number, &item)
		if err != nil {
			return err
		}
		if full {
			cut(ReasonTooManyLinks)
			break
		}
	}
	own := c.links[first:]
	// Hidden texts and references are complete only after the texts around them.
	slices.SortStableFunc(own, func(a, b Found) int { return cmp.Compare(a.Link.Start, b.Link.Start) })
	part.Links = len(own)
	c.parts = append(c.parts, part)
	return nil
}

// readItem judges one item of HTML. It reports whether there were more links than
// the limit allows, and the error of the context.
func (c *collector) readItem(part string, item *htmlpart.Item) (full bool, err error) {
	if item.Element == "" {
		return c.readItemText(part, item)
	}
	opened, refused := c.opened(item.URL)
	if len(opened) == 0 {
		return c.readItemText(part, item, c.judge.textScheme(item)...)
	}
	for i, link := range opened {
		if !c.room() {
			return true, nil
		}
		var more []policy.Finding
		if i == 0 {
			if more = c.judge.shownFor(item, link); refused {
				more = append(more, c.judge.refusedHost(item.URL, link)...)
			}
		}
		found := c.judge.found(part, link, c.flagged, more...)
		found.Place, found.Hidden = PlaceHTMLLink, item.Hidden
		found.Link.Start, found.Link.End = item.Start, item.End
		c.add(found)
	}
	return false, nil
}

// readItemText judges the links in a text, or in the text of a reference that opens
// none; then more are findings about the first. The results are those of readItem.
func (c *collector) readItemText(part string, item *htmlpart.Item, more ...policy.Finding) (full bool, err error) {
	for link := range c.judge.finder.scanner.All(item.Text) {
		if !c.room() {
			return true, nil
		}
		if err := c.checkLinks(); err != nil {
			return false, err
		}
		found := c.judge.found(part, link, c.flagged, more...)
		more = nil
		found.Place, found.Hidden = PlaceHTMLText, item.Hidden
		found.Link.Start, found.Link.End = item.Source(link.Start, link.End)
		c.add(found)
	}
	return false, nil
}

// opened returns the link that browsers open for the URL of a reference, or else
// what other programs may take for one, and whether browsers refuse it. A URL
// without a scheme of the web may be a bare host, which mail programs open; other
// schemes hold URLs.
func (c *collector) opened(url string) (links []engine.Link, refused bool) {
	link, err := engine.ParseLink(url)
	if err == nil && link.Components().Scheme != "" {
		return []engine.Link{link}, false
	}
	refused = err != nil
	scheme, _, found := strings.Cut(url, ":")
	switch strings.ToLower(scheme) {
	case "cid", "mid": // parts of the message, and messages (RFC 2392)
		return nil, refused
	case "http", "https", "ftp":
		found = false
	}
	links = c.judge.finder.in(url)
	if !found && len(links) > 0 {
		links = links[:1]
		if links[0].Start > 0 {
			return nil, refused
		}
	}
	return links, refused
}
