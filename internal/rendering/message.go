package rendering

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/emersion/go-message"

	"github.com/linkmilter/linkmilter/internal/charset"
)

// Bounds of the view of one message.
const (
	maxDepth = 10
	maxParts = 100
	maxText  = 1 << 20 // bytes of a part
)

// Of returns an HTML document that shows the texts of a message. Of several alternatives it shows
// the last one that it can show, as mail programs do.
func Of(raw []byte) []byte {
	v := viewer{}
	v.out.WriteString(head + style + body)
	return v.document(raw)
}

// Plain is Of without style sheets and images, for a frame that inherits a policy that forbids
// them.
func Plain(raw []byte) []byte {
	v := viewer{plain: true}
	v.out.WriteString(head + body)
	return v.document(raw)
}

// document returns the whole document, with the texts of a message after the head.
func (v *viewer) document(raw []byte) []byte {
	entity, err := message.Read(bytes.NewReader(raw))
	if entity == nil {
		v.note("The message cannot be read: " + err.Error())
	} else if !v.show(entity, isDecoded(err), 0) {
		v.note("The message has no text to show.")
	}
	v.out.WriteString("</body></html>\n")
	return v.out.Bytes()
}

// Parts of every document. Mail programs show HTML on white.
const (
	head  = `<!DOCTYPE html><html lang="und"><head><meta charset="utf-8"><title>Message</title>`
	body  = `</head><body bgcolor="#ffffff" text="#000000">`
	style = `<style>:root{color-scheme:light;background:#fff;color:#000;font:16px/1.4 sans-serif}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}` +
		`.note{color:#555}.link{text-decoration:underline;color:#0b57d0}</style>`
)

// isDecoded reports whether go-message decoded the charset of a part, by the error that it
// returned. It knows many charsets, because package mime imports its list.
func isDecoded(err error) bool { return !message.IsUnknownCharset(err) }

// show writes a part and reports whether it could. The text of a decoded part is in UTF-8.
func (v *viewer) show(e *message.Entity, decoded bool, depth int) bool {
	if v.parts++; v.parts > maxParts || depth > maxDepth {
		v.note("The rest is not shown.")
		return true
	}
	mediaType, parameters, err := e.Header.ContentType()
	if err != nil {
		mediaType = "text/plain"
	}
	disposition, _, _ := e.Header.ContentDisposition()
	label := parameters["charset"]
	if decoded {
		label = ""
	}
	switch {
	case strings.HasPrefix(mediaType, "multipart/"):
		return v.multipart(e, mediaType, depth)
	case disposition == "attachment" || !strings.HasPrefix(mediaType, "text/"):
		v.note("Not shown: " + mediaType)
		return false
	case mediaType == "text/html":
		v.html(textOf(e, label))
	default:
		v.text(textOf(e, label))
	}
	return true
}

// multipart writes the parts of a multipart entity.
func (v *viewer) multipart(e *message.Entity, mediaType string, depth int) bool {
	parts := e.MultipartReader()
	if parts == nil {
		return false
	}
	shown := false
	before := v.out.Len()
	for {
		part, err := parts.NextPart()
		if part == nil || errors.Is(err, io.EOF) {
			return shown
		}
		alternative := v.out.Len()
		if mediaType == "multipart/alternative" {
			alternative = before
		}
		earlier := bytes.Clone(v.out.Bytes()[alternative:])
		v.out.Truncate(alternative)
		if v.show(part, isDecoded(err), depth+1) {
			shown = true
		} else if mediaType == "multipart/alternative" {
			v.out.Truncate(alternative) // this alternative cannot be shown, so try the one before
			v.out.Write(earlier)
		}
		if mediaType == "multipart/related" {
			return shown // the other parts belong to the first
		}
	}
}

// textOf returns the text of a part in the charset of a label, or in UTF-8 if there is no label.
// Bytes that the charset does not have become replacement characters.
func textOf(e *message.Entity, label string) string {
	content, _ := io.ReadAll(io.LimitReader(e.Body, maxText)) // whatever could be read is shown
	if encoding := charset.Lookup(charset.Canonical(label)); label != "" && encoding != nil {
		if decoded, err := encoding.NewDecoder().Bytes(content); err == nil {
			content = decoded
		}
	}
	return strings.ToValidUTF8(string(content), "\ufffd")
}
