package filter

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/html"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// htmlTypes are the media types of HTML that programs show in place of text.
var htmlTypes = map[string]bool{"text/html": true, "text/x-amp-html": true, "text/watch-html": true}

// isHTMLFile reports whether a part that is no text is a file which a browser
// opens as HTML, as the links of phishing are often sent.
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

// readHTMLFile finds and judges what can be clicked on in a file of isHTMLFile.
// What cannot be decoded is a file as any other.
func (w *work) readHTMLFile(m *mime.Message, leaf *mime.Part, part Part) error {
	file := *leaf
	file.MediaType = "text/html"
	text, err := m.GuessText(&file)
	if err != nil {
		return nil
	}
	return w.readHTML(part, text.Content)
}

// maxHTMLToken is how many bytes a tag or a text between tags may have: room for
// pictures that are written into their tags.
const maxHTMLToken = 4 << 20

// readHTML finds and judges what can be clicked on in HTML, and the links in
// the texts beside it.
func (w *work) readHTML(part Part, source string) error {
	first := len(w.report.Links)
	part.Outcome = OutcomeComplete
	cut := func(reason Reason) {
		part.Outcome, part.Reason = OutcomePartial, reason
		w.report.cut(reason)
	}
	for item, err := range html.Read(w.ctx, source, maxHTMLToken) {
		if errors.Is(err, html.ErrTokenTooLong) {
			cut(ReasonHTMLTooLong)
			break
		}
		if err != nil {
			return err
		}
		full, err := w.readItem(part.Number, &item)
		if err != nil {
			return err
		}
		if full {
			cut(ReasonTooManyLinks)
			break
		}
	}
	own := w.report.Links[first:]
	// What is hidden, and references, are complete only after texts around them.
	slices.SortStableFunc(own, func(a, b Found) int { return cmp.Compare(a.Link.Start, b.Link.Start) })
	part.Links = len(own)
	w.report.Parts = append(w.report.Parts, part)
	return nil
}

// readItem judges one thing of HTML. It reports whether there were more links
// than the limit allows; the error is that of the context.
func (w *work) readItem(part string, item *html.Item) (full bool, err error) {
	if item.Element == "" {
		return w.readItemText(part, item)
	}
	f := w.filter
	opened, refused := f.opened(item.URL)
	if len(opened) == 0 {
		return w.readItemText(part, item, f.textScheme(item)...)
	}
	for i, link := range opened {
		if !w.room() {
			return true, nil
		}
		var more []policy.Finding
		if i == 0 {
			if more = f.shownFor(item, link); refused {
				more = append(more, f.refusedHost(item.URL, link)...)
			}
		}
		found := f.found(part, link, w.rule.Flagged, more...)
		found.Place, found.Hidden = PlaceHTMLLink, item.Hidden
		found.Link.Start, found.Link.End = item.Start, item.End
		w.add(found)
	}
	return false, nil
}

// readItemText judges the links in a text, or in that of a reference which
// opens none; then more are findings about the first. The results are those of
// readItem.
func (w *work) readItemText(part string, item *html.Item, more ...policy.Finding) (full bool, err error) {
	for link := range w.filter.scanner.All(item.Text) {
		if !w.room() {
			return true, nil
		}
		if err := w.checkLinks(); err != nil {
			return false, err
		}
		found := w.filter.found(part, link, w.rule.Flagged, more...)
		more = nil
		found.Place, found.Hidden = PlaceHTMLText, item.Hidden
		found.Link.Start, found.Link.End = item.Source(link.Start, link.End)
		w.add(found)
	}
	return false, nil
}

// opened returns what the URL of a reference opens: a link as browsers read it,
// or else what of it other programs may take for one, and whether browsers refuse
// it. A URL without a scheme that is one of the web may be a bare host, which
// programs for mail open; other schemes hold URLs in theirs.
func (f *Filter) opened(url string) (links []engine.Link, refused bool) {
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
	links = f.scanner.Append(nil, url)
	if !found && len(links) > 0 {
		links = links[:1]
		if links[0].Start > 0 {
			return nil, refused
		}
	}
	return links, refused
}
