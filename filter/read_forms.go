package filter

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"

	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/script"
)

// readRTF reads rich text, also as programs do which know the code page of the document, but not
// the fonts. from is the index of the first link of the part.
func (c *collector) readRTF(part *report.Part, content string, from int) error {
	err := c.readRTFText(part, content, from, false)
	if err == nil && strings.Count(content, `\ansicpg`) != strings.Count(content, `\ansicpg1252`) {
		c.listNew(from)
		err = c.readRTFText(part, content, from, true)
	}
	if err == nil {
		err = c.readRTFObjects(part, content, from)
	}
	return err
}

// readRTFObjects reads the texts in the objects of rich text, which may hold others in files of
// their own.
func (c *collector) readRTFObjects(part *report.Part, content string, from int) error {
	data := objectsOfRTF(c.ctx, content)
	if len(data) == 0 {
		return nil
	}
	c.opaque(kindOffice)
	c.listNew(from)
	for text, err := range charset.ASCIIReadings(c.ctx, data) {
		if err == nil {
			err = c.readPlain(part, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readRTFText reads rich text: all of its characters, and what programs show of them.
func (c *collector) readRTFText(part *report.Part, content string, from int, noFonts bool) error {
	if err := c.readPlain(part, plainOfRTF(c.ctx, content, noFonts)); err != nil {
		return err
	}
	if strings.Contains(content, `\fromhtml`) { // RTF wraps HTML (MS-OXRTFEX)
		c.listNew(from)
		if err := c.readHTML(part, plainOfRTF(c.ctx, content, noFonts)); err != nil {
			return err
		}
	}
	links, whole := linksOfRTF(c.ctx, content, noFonts)
	if !whole {
		c.cutPart(part, reasonHTMLTooComplex)
	}
	if links == "" {
		return nil
	}
	c.listNew(from)
	return c.readHTML(part, links)
}

// readEnriched reads enriched text. Some programs call RTF so.
func (c *collector) readEnriched(part *report.Part, content string, from int) error {
	if strings.HasPrefix(strings.TrimSpace(content), `{\rtf`) {
		return c.readRTF(part, content, from)
	}
	if shown := withoutParameters(content); shown != content {
		return c.readHTML(part, shown)
	}
	return nil
}

// readJSON reads the strings of JSON or of a script without their escapes.
func (c *collector) readJSON(part *report.Part, content string) error {
	plain := script.Unescape(content)
	if plain != content {
		if err := c.readPlain(part, plain); err != nil {
			return err
		}
	}
	for _, hidden := range script.Hidden(plain) {
		if err := c.readPlain(part, hidden); err != nil {
			return err
		}
	}
	if script.Decodes(plain) {
		c.opaque(kindScript)
	}
	if !strings.Contains(plain, "<") {
		return nil
	}
	return c.readHTML(part, plain)
}

// inflated returns the content of an SVG in gzip. It notes what cannot be read, and returns
// nil where that is all.
func (c *collector) inflated(part *report.Part, content []byte) []byte {
	svg, whole := gunzip(content, maxHTMLToken)
	switch {
	case len(svg) == 0:
		c.opaque(kindArchive)
		return nil
	case !whole:
		c.cutPart(part, reasonHTMLTooLong)
	}
	return svg
}

// gunzip returns up to limit bytes of a content in gzip, or nil for another content, and
// whether that is all of it.
func gunzip(content []byte, limit int) (inflated []byte, whole bool) {
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, false
	}
	defer z.Close()
	limit = min(limit, maxInflation*len(content))
	inflated, _ = io.ReadAll(io.LimitReader(z, int64(limit)+1))
	if len(inflated) > limit {
		return inflated[:limit], false
	}
	return inflated, true
}
