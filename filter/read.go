package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/mime"
)

// text is a plain text that was read.
type text struct {
	leaf     *mime.Part
	content  string  // UTF-8 with soft line breaks removed
	links    []Found // those in it, a piece of Report.Links
	part     int     // index into Report.Parts
	attached bool    // it stands in an attached message
	borrowed bool    // content is a piece of the message, as no link of a report may be
}

// opaque are media types that hold, or may hold, text which is not read.
var opaque = map[string]Reason{
	"message/partial":           ReasonMessagePartial,
	"message/external-body":     ReasonExternalBody,
	"multipart/encrypted":       ReasonEncrypted,
	"application/pgp-encrypted": ReasonEncrypted,
	"application/pkcs7-mime":    ReasonEncrypted,
	"application/x-pkcs7-mime":  ReasonEncrypted,
	"application/ms-tnef":       ReasonTNEF,
	"application/vnd.ms-tnef":   ReasonTNEF,
}

// read reads every text of the message, judges the links in it and fills the
// report. The error is that of the context.
func (w *work) read() error {
	w.readSender()
	if err := w.readMessage(w.message, ""); err != nil {
		return err
	}
	w.report.settle()
	return nil
}

// readMessage reads the header and the leaves of m. The number of an attached message stands
// before those of its parts, as IMAP numbers them (RFC 9051 §6.4.5).
func (w *work) readMessage(m *mime.Message, number string) error {
	w.partsRead += m.CountParts()
	for _, p := range w.problems(m) {
		w.report.cut(Reason(p.Code))
	}
	if err := w.readHeader(m, number); err != nil {
		return err
	}
	for leaf := range m.Leaves() {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.readLeaf(m, leaf, number); err != nil {
			return err
		}
	}
	return nil
}

// readLeaf reads one leaf of m.
func (w *work) readLeaf(m *mime.Message, leaf *mime.Part, prefix string) error {
	part := Part{Number: leaf.Number, MediaType: leaf.MediaType}
	if prefix != "" {
		part.Number = prefix + "." + leaf.Number
	}
	if leaf.IsMessage() {
		if w.partsRead >= w.filter.limits.MIME.Parts {
			w.unread(part, Reason(mime.ReasonTooManyParts))
			return nil
		}
		inner, err := m.Embedded(leaf)
		if err == nil {
			return w.readMessage(inner, part.Number)
		}
		w.unread(part, reasonOf(err, mime.ReasonUndecodable))
		return nil
	}
	if reason, ok := opaque[leaf.MediaType]; ok {
		w.unread(part, reason)
		return nil
	}
	if leaf.Multipart() {
		return w.guess(m, leaf, part, unopened(m))
	}
	if isHTMLFile(leaf) {
		return w.readHTMLFile(m, leaf, part)
	}
	isHTML := htmlTypes[leaf.MediaType]
	if !isHTML && !shownAsPlain(leaf) {
		return nil
	}
	decoded, borrowed, err := m.BorrowText(leaf)
	switch {
	case err != nil:
		return w.guess(m, leaf, part, reasonOf(err, mime.ReasonUndecodable))
	case !isHTML:
		return w.readText(part, text{leaf: leaf, content: decoded.Unflowed(), borrowed: borrowed, attached: m != w.message})
	case borrowed:
		decoded.Content = strings.Clone(decoded.Content)
	}
	return w.readHTML(part, decoded.Content)
}

// programData are texts that programs for mail do not show as they are.
var programData = map[string]bool{
	"text/calendar": true, "text/vcard": true, "text/x-vcard": true, "text/directory": true,
	"text/css": true, "text/javascript": true, "text/rfc822-headers": true,
}

// shownAsPlain reports whether programs show a part as plain text: text/plain, and
// beside files the texts that they do not know (RFC 2046 §4.1.4).
func shownAsPlain(leaf *mime.Part) bool {
	return leaf.MediaType == "text/plain" || leaf.IsText() && !programData[leaf.MediaType] && !leaf.IsAttachment()
}

// unopened returns why a multipart of m has no parts.
func unopened(m *mime.Message) Reason {
	for _, p := range m.Problems {
		return Reason(p.Code)
	}
	return ReasonMessageTooLarge // it is cut off before the first
}

// guess reads and judges a text, which cannot be read as it is declared for the
// reason given, as programs show it. Such a text is never edited, and counts as
// unread all the same, unless it only has octets that programs agree about.
func (w *work) guess(m *mime.Message, leaf *mime.Part, part Part, reason Reason) error {
	guessed, err := m.GuessText(leaf)
	if err != nil {
		w.unread(part, reason)
		return nil
	}
	if htmlTypes[leaf.MediaType] {
		err = w.readHTML(part, guessed.Content)
	} else {
		texts := len(w.texts)
		err = w.readText(part, text{leaf: leaf, content: guessed.Unflowed(), attached: m != w.message})
		w.texts = w.texts[:texts]
	}
	if err != nil {
		return err
	}
	read := &w.report.Parts[len(w.report.Parts)-1]
	read.Outcome, read.Reason = OutcomeUnread, reason
	if reason == Reason(mime.ReasonC1Control) || reason == Reason(mime.ReasonUndeclared8Bit) {
		read.Outcome = OutcomePartial
	}
	w.report.cut(reason)
	return nil
}

// unread reports a part whose text is hidden.
func (w *work) unread(part Part, reason Reason) {
	part.Outcome, part.Reason = OutcomeUnread, reason
	w.report.Parts = append(w.report.Parts, part)
	w.report.cut(reason)
}

// checkEvery is after how many links the deadline is looked at.
const checkEvery = 256

// checkLinks returns the error of the context every so many links.
func (w *work) checkLinks() error {
	if len(w.report.Links)%checkEvery == checkEvery-1 {
		return w.ctx.Err()
	}
	return nil
}

// room reports whether the limit of links allows one more.
func (w *work) room() bool {
	if len(w.report.Links) < w.filter.maxLinks {
		return true
	}
	w.report.cut(ReasonTooManyLinks)
	return false
}

// add adds a link to the report.
func (w *work) add(found Found) {
	if w.report.Links == nil {
		w.report.Links = make([]Found, 0, 4) // few messages have one only
	}
	w.report.Links = append(w.report.Links, found)
}

// readText finds and judges the links of a text.
func (w *work) readText(part Part, t text) error {
	first := len(w.report.Links)
	part.Outcome = OutcomeComplete
	for link := range w.filter.links(t.content) {
		if !w.room() {
			part.Outcome, part.Reason = OutcomePartial, ReasonTooManyLinks
			break
		}
		if t.borrowed {
			t.content, t.borrowed = strings.Clone(t.content), false
			return w.readText(part, t) // from its beginning
		}
		if err := w.checkLinks(); err != nil {
			return err
		}
		w.add(w.filter.found(part.Number, link, w.rule.Flagged))
	}
	t.links = w.report.Links[first:]
	t.part = len(w.report.Parts)
	part.Links = len(t.links)
	w.report.Parts = append(w.report.Parts, part)
	if t.leaf.MediaType == "text/plain" {
		if w.texts == nil {
			w.texts = w.firstText[:0]
		}
		w.texts = append(w.texts, t)
	}
	return nil
}

// isASCII reports whether s holds no character beyond US-ASCII.
func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 0x7f }) < 0
}
