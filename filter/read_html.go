package filter

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/filekind"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// maxHTMLToken is the length in bytes of the longest tag or text between tags: pictures may be written
// into their tags.
const maxHTMLToken = 4 << 20

// readHTML finds and judges the URLs in HTML attributes and the links in its texts. bases are URLs that
// relative references resolve against, in addition to base elements. It returns the error of the
// context.
func (c *collector) readHTML(part *report.Part, source string, bases ...string) error {
	first := len(c.links)
	h := htmlReading{collector: c, part: part, first: first}
	err := h.readItems(source, bases)
	// The page sends links and hidden texts when they are complete, after the texts around them.
	slices.SortStableFunc(c.links[first:], func(a, b report.Found) int { return cmp.Compare(a.Link.Start, b.Link.Start) })
	return err
}

// basesOf returns the URLs in the headers of a leaf of m, and of the multiparts around it, that
// programs take for the base of its HTML (RFC 2110 §4, RFC 2557 §5).
func basesOf(m *mime.Message, leaf *mime.Part) (bases []string) {
	for part := range m.Parts() {
		isAround := part == m.Root || part == leaf || strings.HasPrefix(leaf.Number, part.Number+".")
		if isAround {
			bases = appendBases(bases, m, part)
		}
		if part == leaf {
			break
		}
	}
	return bases
}

// appendBases appends the URLs in the header of a part that programs take for a base.
func appendBases(bases []string, m *mime.Message, part *mime.Part) []string {
	for _, f := range part.Fields {
		if ascii.EqualFold(f.Name, "Content-Base") || ascii.EqualFold(f.Name, "Content-Location") {
			url := strings.Join(strings.Fields(m.DecodedValue(f)), "")
			bases = append(bases, strings.Trim(url, `"<>`))
		}
	}
	return bases
}

// htmlReading collects what was read in a part with HTML.
type htmlReading struct {
	*collector
	part  *report.Part
	first int               // index of the first link of the part
	known map[knownLink]int // indexes of the part's links, for later readings; nil before
}

// knownLink is a link at a place. A link in a text counts once, wherever the text is.
type knownLink struct {
	place report.Place
	start int
	text  string
}

// readItems judges the items of the HTML of a part, until a limit is reached or the
// context ends. It returns the error of the context.
func (h *htmlReading) readItems(source string, bases []string) error {
	var large page.Large
	defer h.noteLarge(&large)
	for item, err := range page.ReadWith(h.ctx, source, maxHTMLToken, page.Also{Large: &large, Texts: h.noteTexts()}, bases...) {
		if errors.Is(err, page.ErrTokenTooLong) {
			h.cutPart(h.part, reasonHTMLTooLong)
			return nil
		}
		if errors.Is(err, page.ErrTooComplex) {
			h.cutPart(h.part, reasonHTMLTooComplex)
			return nil
		}
		if err == nil {
			err = h.readItem(&item)
		}
		if err != nil {
			return err
		}
		if h.part.Reason == reasonTooManyLinks {
			return nil
		}
	}
	return nil
}

// readItem judges one item of the HTML. It returns the error of the context.
func (h *htmlReading) readItem(item *page.Item) error {
	if item.Element == "" {
		return h.readItemText(item)
	}
	if item.Element == "script" && len(item.URLs) == 0 {
		h.opaque(filekind.Script)
		return nil
	}
	for _, url := range item.URLs {
		if err := h.readReference(item, url); err != nil {
			return err
		}
	}
	return nil
}

// readReference judges a URL that an item of the HTML opens. It returns the error of the context.
func (h *htmlReading) readReference(item *page.Item, url string) error {
	if err := h.spend(min(len(url), h.judge.Finder.MaxLinkLen) + costOfTexts(item)); err != nil {
		return err
	}
	opened, refused := h.judge.Finder.Opened(url)
	if len(opened) == 0 {
		more := h.judge.TextScheme(h.ctx, item, url)
		if item.Styled && len(more) == 0 {
			more = h.judge.Policy.StyledText(engine.Link{Text: url})
		}
		return h.readItemText(item, more...)
	}
	for i, link := range opened {
		if !h.room() {
			h.part.Cut(reasonTooManyLinks)
			return nil
		}
		var more []policy.Finding
		if i == 0 || link.Kind != engine.KindEmail { // not a copy
			more = h.judge.ShownFor(h.ctx, item, link)
		}
		misnamed := policy.Verdict{Findings: more}.Worst() >= policy.SeverityMedium
		if item.Styled && !misnamed && !h.judge.Allows(link) {
			more = append(more, h.judge.Policy.StyledText(link)...)
		}
		if i == 0 && refused {
			more = append(more, h.judge.RefusedHost(url, link)...)
		}
		found := h.found(h.part.Number, link, more...)
		found.Place, found.Hidden = report.PlaceHTMLLink, item.Hidden
		found.Link.Start, found.Link.End = item.Start, item.End
		found.Misnamed = misnamed
		h.note(found, item.Again)
	}
	return nil
}

// note adds a link. If an earlier reading of the page has the same link, note adds only its new
// findings.
func (h *htmlReading) note(found report.Found, again bool) {
	if !again {
		h.add(found)
		return
	}
	if h.known == nil {
		h.known = make(map[knownLink]int)
		for i := range h.links[h.first:] {
			h.known[h.key(&h.links[h.first+i])] = h.first + i
		}
	}
	key := h.key(&found)
	i, ok := h.known[key]
	if !ok {
		index := len(h.links)
		if h.add(found); len(h.links) > index { // it may be known from another reading of the part
			h.known[key] = index
		}
		return
	}
	before := &h.links[i]
	for _, finding := range found.Verdict.Findings {
		if !slices.Contains(before.Verdict.Findings, finding) && len(before.Verdict.Findings) < maxFindings {
			before.Verdict.Findings = append(before.Verdict.Findings, finding)
			before.Flagged = before.Flagged || found.Flagged
			before.Misnamed = before.Misnamed || found.Misnamed
		}
	}
}

// maxFindings bounds the findings about a link with several texts.
const maxFindings = 16

func (h *htmlReading) key(found *report.Found) knownLink {
	key := knownLink{place: found.Place, start: found.Link.Start, text: found.Link.Text}
	if found.Place == report.PlaceHTMLText {
		key.start = 0
	}
	return key
}

// costOfTexts returns the length in bytes of the texts that are compared with the target of a link.
func costOfTexts(item *page.Item) int {
	if item.Element == "" {
		return 0 // the links of a text count one by one
	}
	n := len(item.Text)
	for _, text := range slices.Concat(item.Labels, item.Readings) {
		n += len(text)
	}
	return n
}

// readItemText judges the links in a text. The text may be that of an element that opens no link; then
// more are findings for the first link. It returns the error of the context.
func (h *htmlReading) readItemText(item *page.Item, more ...policy.Finding) error {
	if item.Element == "" && !item.Again && textview.MayRepair(item.Text) {
		if err := h.readRepaired(h.part, item.Text, item.Source); err != nil {
			return err
		}
	}
	if !judge.MayHoldLink(item.Text) {
		return nil
	}
	return h.each(h.part, h.judge.Finder.PlainScan(h.ctx, item.Text), func(link engine.Link) {
		found := h.found(h.part.Number, link, append(more, h.judge.OfQuery(link)...)...)
		more = nil
		judge.UnlinkUnmeant(&found, item.Text)
		found.Place, found.Hidden = report.PlaceHTMLText, item.Hidden
		found.Link.Start, found.Link.End = item.Source(link.Start, link.End)
		h.note(found, item.Again)
	})
}
