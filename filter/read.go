package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/filter/header"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mailauth"
	"github.com/linkmilter/linkmilter/mime"
)

// opaque are media types that hold, or may hold, text that is not read.
var opaque = map[string]report.Reason{
	"message/partial":           reasonMessagePartial,
	"message/external-body":     reasonExternalBody,
	"multipart/encrypted":       reasonEncrypted,
	"application/pgp-encrypted": reasonEncrypted,
	"application/pkcs7-mime":    reasonEncrypted,
	"application/x-pkcs7-mime":  reasonEncrypted,
	"application/ms-tnef":       reasonTNEF,
	"application/vnd.ms-tnef":   reasonTNEF,
}

// parse parses the message, or its beginning where it is longer than the limit:
// bytes behind the limit must not hide the bytes before it.
func (c *collector) parse(raw []byte, authserv []string) {
	if size := c.limits.Message; c.env.Truncated || len(raw) > size {
		c.truncated = true
		raw, c.beyond = raw[:min(len(raw), size)], raw[min(len(raw), size):]
		c.message = mime.ParsePrefix(c.ctx, raw, c.limits.MIME)
		c.cut(reasonMessageTooLarge)
	} else {
		c.message = mime.Parse(c.ctx, raw, c.limits.MIME)
	}
	c.signatures = header.Signatures(c.message)
	if len(authserv) > 0 {
		c.results = mailauth.Results(c.values("Authentication-Results"), authserv)
	}
}

// read reads every text of the parsed message and judges the links in it. When the
// context ends, it keeps what it has read.
func (c *collector) read() {
	err := c.readSender()
	if err == nil {
		err = c.readMessage(c.message, "")
	}
	if err == nil {
		err = c.ctx.Err() // the parser may have stopped before the end
	}
	if err != nil {
		c.cut(reasonDeadline)
	}
	c.settle()
}

// readMessage reads the header and the leaves of m. The number of an attached
// message precedes those of its parts, as in IMAP (RFC 9051 §6.4.5).
func (c *collector) readMessage(m *mime.Message, number string) error {
	for range m.Parts() {
		c.partsRead++
	}
	problems := m.Problems
	if m == c.message && len(c.forgedIDs) > 0 {
		problems = header.Problems(m, c.forgedIDs)
	}
	for _, problem := range problems {
		c.cut(report.Reason(problem))
	}
	if err := c.readHeader(m, number); err != nil {
		return err
	}
	for leaf := range m.Leaves() {
		parts := len(c.parts)
		err := c.ctx.Err()
		if err == nil {
			err = c.readLeaf(m, leaf, number)
		}
		if err != nil {
			if len(c.parts) == parts && !isMessage(leaf) {
				c.unread(report.Part{Number: partNumber(number, leaf), MediaType: leaf.MediaType}, reasonDeadline)
			}
			return err
		}
	}
	return nil
}

// partNumber returns the number of a leaf of the message with the number prefix.
func partNumber(prefix string, leaf *mime.Part) string {
	if prefix == "" {
		return leaf.Number
	}
	return prefix + "." + leaf.Number
}

// isMessage reports whether a part is another message (RFC 2046 §5.2.1, RFC 6532 §3.7).
func isMessage(leaf *mime.Part) bool {
	return leaf.MediaType == "message/rfc822" || leaf.MediaType == "message/global"
}

// readLeaf reads one leaf of m. It returns the error of the context.
func (c *collector) readLeaf(m *mime.Message, leaf *mime.Part, prefix string) error {
	part := report.Part{Number: partNumber(prefix, leaf), MediaType: leaf.MediaType}
	if isMessage(leaf) {
		return c.readAttached(m, leaf, part)
	}
	if reason, ok := opaque[leaf.MediaType]; ok {
		c.unread(part, reason)
		return nil
	}
	if strings.HasPrefix(leaf.MediaType, "multipart/") {
		return c.guess(m, leaf, part, unopened(m))
	}
	if isHTMLFile(leaf) {
		return c.readHTMLFile(m, leaf, part)
	}
	isHTML := htmlTypes[leaf.MediaType]
	if !isHTML && !shownAsPlain(leaf) {
		return nil
	}
	decoded, err := m.Text(leaf)
	switch {
	case c.ctx.Err() != nil:
		return c.ctx.Err()
	case err != nil:
		return c.guess(m, leaf, part, reasonOf(err))
	case !isHTML:
		return c.readText(part, text{leaf: leaf, content: decoded, attached: m != c.message, first: isFirst(m, leaf)})
	}
	return c.readHTML(part, decoded)
}

// isFirst reports whether a leaf is the first of m: a reader sees its text first.
func isFirst(m *mime.Message, leaf *mime.Part) bool {
	for first := range m.Leaves() {
		return leaf == first
	}
	return false
}

// readAttached reads an attached message.
func (c *collector) readAttached(m *mime.Message, leaf *mime.Part, part report.Part) error {
	if c.partsRead >= c.limits.MIME.Parts {
		c.unread(part, report.Reason(mime.ReasonTooManyParts))
		return nil
	}
	inner, err := m.Embedded(leaf)
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	if err != nil {
		c.unread(part, reasonOf(err))
		return nil
	}
	return c.readMessage(inner, part.Number)
}

// unopened returns why a multipart of m has no parts.
func unopened(m *mime.Message) report.Reason {
	if len(m.Problems) > 0 {
		return report.Reason(m.Problems[0])
	}
	return reasonMessageTooLarge // it is cut off before the first
}

// guess reads and judges a text as programs show it. The reason says why linkmilter
// cannot read it as declared. Such a text is never edited. It counts as
// unread, unless it only has bytes on whose meaning programs agree.
func (c *collector) guess(m *mime.Message, leaf *mime.Part, part report.Part, reason report.Reason) error {
	guessed, err := m.GuessText(leaf)
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	if err != nil {
		c.unread(part, reason)
		return nil
	}
	if htmlTypes[leaf.MediaType] {
		err = c.readHTML(part, guessed)
	} else {
		texts := len(c.texts)
		err = c.readText(part, text{leaf: leaf, content: guessed, attached: m != c.message})
		c.texts = c.texts[:texts]
	}
	if err != nil {
		return err
	}
	read := &c.parts[len(c.parts)-1]
	read.Outcome, read.Reason = report.OutcomeUnread, reason
	if mime.Reason(reason).Unambiguous() {
		read.Outcome = report.OutcomePartial
	}
	c.cut(reason)
	return nil
}
