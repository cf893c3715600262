package filter

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/cms"
	"github.com/linkmilter/linkmilter/internal/filekind"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/opening"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// parse parses the message, or only its beginning if it is longer than the limit: padding at the end
// must not hide the beginning.
func (c *collector) parse(raw []byte, authserv []string) {
	if size := c.limits.Message; c.env.Truncated || len(raw) > size {
		c.truncated = true
		raw, c.beyond = raw[:min(len(raw), size)], raw[min(len(raw), size):]
		c.cut(reasonMessageTooLarge)
	}
	if c.message == nil {
		c.message = new(mime.Message)
	}
	c.message.Parse(c.ctx, raw, c.limits.Limits, c.truncated)
	c.header = knownBy(c.message)
	c.signatures = mailauth.FindSignatures(rawFields(c.message))
	if len(authserv) > 0 {
		c.results = mailauth.Results(c.values("Authentication-Results"), authserv)
	}
}

// rawFields returns the fields of a message with their names and raw values.
func rawFields(m *mime.Message) iter.Seq2[string, []byte] {
	return func(yield func(name string, value []byte) bool) {
		for _, f := range m.Root.Fields {
			_, value, _ := bytes.Cut(m.RawField(f), []byte(":"))
			if !yield(f.Name, value) {
				return
			}
		}
	}
}

// read reads every text of the parsed message and judges the links in it. When the
// context ends, it keeps what it has read.
func (c *collector) read() {
	err := c.survive(c.readSender)
	if err == nil {
		err = c.readMessage(c.message, "")
	}
	if err == nil {
		err = c.ctx.Err() // the parser may have stopped before the end
	}
	if err == nil {
		err = c.survive(c.readClaims)
	}
	if err != nil {
		c.cut(reasonDeadline)
	}
	c.settle()
}

// readMessage reads the header and the leaves of m. The number of an attached
// message precedes those of its parts, as in IMAP (RFC 9051 §6.4.5).
func (c *collector) readMessage(m *mime.Message, number string) error {
	if number != "" {
		c.within++
		defer func() { c.within-- }()
	}
	for part := range m.Parts() {
		c.partsRead++
		if err := c.survive(func() error { return c.readDecoded(m, part, number) }); err != nil {
			return err
		}
		if err := c.survive(func() error { return c.readOutside(m, part, number) }); err != nil {
			return err
		}
		if err := c.survive(func() error { return c.readPartFields(m, part, number) }); err != nil {
			return err
		}
	}
	problems := m.Problems
	if m == c.message {
		problems = c.problems
	}
	for _, problem := range problems {
		c.flaw(report.Reason(problem))
	}
	if err := c.survive(func() error { return c.readHeader(m, number) }); err != nil {
		return err
	}
	for leaf := range m.Leaves() {
		parts := len(c.parts)
		err := c.ctx.Err()
		if err == nil {
			err = c.surviveLeaf(m, leaf, number)
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

// readOutside judges the text before, between and after the parts of a multipart, which some programs
// show. It lists links that have a finding.
func (c *collector) readOutside(m *mime.Message, multipart *mime.Part, number string) error {
	for _, content := range m.Outside(multipart) {
		part := report.Part{Number: partNumber(number, multipart)}
		text := strings.ToValidUTF8(string(content), "\ufffd")
		if !judge.MayHoldLink(text) {
			continue
		}
		c.listNew(len(c.links))
		err := c.readPlain(&part, text)
		if err == nil && strings.Contains(text, "<") {
			err = c.readHTML(&part, text)
		}
		if c.again = nil; err != nil {
			return err
		}
	}
	return nil
}

// readPartFields judges the URLs in the header fields of a part, and lists those that have a finding.
// Some of these fields say where an attachment is kept, and programs open their URLs.
func (c *collector) readPartFields(m *mime.Message, part *mime.Part, number string) error {
	if part == m.Root {
		return nil // readHeader reads them
	}
	for _, field := range part.Fields {
		if !fieldMayHoldURL(field.Name, m.RawField(field)) {
			continue
		}
		if err := c.readOtherField(headerPart(partNumber(number, part), headerPrefix+field.Name), m, field); err != nil {
			return err
		}
	}
	return nil
}

// partNumber returns the number of a leaf, with the number of the attached message that holds it in
// front.
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

// surviveLeaf is survive for a leaf. If the leaf panics, it is listed as not read.
func (c *collector) surviveLeaf(m *mime.Message, leaf *mime.Part, prefix string) error {
	parts, done := len(c.parts), false
	err := c.survive(func() error {
		err := c.readLeaf(m, leaf, prefix)
		done = true
		return err
	})
	number := partNumber(prefix, leaf)
	if !done && !slices.ContainsFunc(c.parts[parts:], func(p report.Part) bool { return p.Number == number }) {
		c.unread(report.Part{Number: number, MediaType: leaf.MediaType}, reasonPanic)
	}
	return err
}

// readLeaf reads one leaf of m. It returns the error of the context.
func (c *collector) readLeaf(m *mime.Message, leaf *mime.Part, prefix string) error {
	part := report.Part{Number: partNumber(prefix, leaf), MediaType: leaf.MediaType}
	l := &leafReader{collector: c, in: m, leaf: leaf, part: part, from: len(c.links)}
	if strings.HasPrefix(leaf.MediaType, "multipart/") {
		return c.readUnopened(l)
	}
	l.Opening = opening.Of(l.in, l.leaf)
	if l.Kind != "" {
		c.opaque(l.Kind)
	}
	if l.leaf.MediaType == "application/pgp-encrypted" {
		c.opaque(filekind.Encrypted)
	}
	if slices.Contains(l.Forms, opening.Signed) {
		if err := c.readSigned(l); err != nil {
			return err
		}
	}
	if len(l.Forms) > 1 || len(l.Forms) == 1 && l.Forms[0] != opening.Message {
		if err := l.read(); err != nil {
			return err
		}
	}
	for _, message := range l.enclosed {
		if err := c.readMessages(l, message); err != nil {
			return err
		}
	}
	if slices.Contains(l.Forms, opening.Message) {
		return c.readEmbedded(l)
	}
	_, err := c.readParts(l, l.in.Body(l.leaf)) // some programs find parts in a leaf of any type if it has a boundary
	return err
}

// readUnopened reads a multipart in which the parser found no parts. Some programs show it as a text;
// others decode it first and then find parts.
func (c *collector) readUnopened(l *leafReader) error {
	if l.in != c.message && len(l.in.Problems) == 0 && len(bytes.TrimSpace(l.in.Body(l.leaf))) == 0 {
		return nil // a header alone, as reports return it
	}
	l.OpenAs(opening.Text, opening.HTML)
	l.refused = mime.Reason(unopened(l.in))
	if err := l.read(); err != nil {
		return err
	}
	for content := range l.in.Contents(l.leaf) {
		if more, err := c.readParts(l, content); err != nil || !more {
			return err
		}
	}
	return nil
}

// readDecoded reads the parts that some programs find after they decode a multipart, though it has
// parts without decoding. Only links with findings and reasons of limits count there: most such
// multiparts are not really encoded, and decoding breaks them.
func (c *collector) readDecoded(m *mime.Message, multipart *mime.Part, number string) error {
	if !m.HasEncodedParts(multipart) {
		return nil
	}
	parts, texts, htmls, reasons, slips, differ := len(c.parts), len(c.texts), len(c.htmls), len(c.reasons), len(c.slips), c.differ
	defer func() {
		c.again = nil
		c.parts, c.texts, c.htmls, c.slips = c.parts[:parts], c.texts[:texts], c.htmls[:htmls], c.slips[:slips]
		c.differ = differ // decoding what is not encoded breaks hosts
		limits := LimitReasons()
		decoded := c.reasons[reasons:]
		c.reasons = append(c.reasons[:reasons], slices.DeleteFunc(decoded, func(r report.Reason) bool { return limits[r] == "" })...)
	}()
	c.listNew(len(c.links))
	l := &leafReader{collector: c, in: m, leaf: multipart, part: report.Part{Number: partNumber(number, multipart)}}
	for content := range m.Contents(multipart) {
		if bytes.Equal(content, m.Body(multipart)) {
			continue
		}
		if more, err := c.readParts(l, content); err != nil || !more {
			return err
		}
	}
	return c.ctx.Err()
}

// readParts reads the parts that some programs find in the content of a leaf, and reports whether there
// are any.
func (c *collector) readParts(l *leafReader, content []byte) (found bool, err error) {
	inner, refused := l.in.EmbeddedParts(l.leaf, content)
	switch {
	case refused != nil:
		c.unread(l.part, reasonOf(refused))
		return false, c.ctx.Err()
	case inner == nil || c.partsRead >= c.limits.Parts:
		return false, c.ctx.Err()
	}
	return true, c.readMessage(inner, l.part.Number)
}

// unopened returns why a multipart of m has no parts.
func unopened(m *mime.Message) report.Reason {
	if len(m.Problems) > 0 {
		return report.Reason(m.Problems[0])
	}
	return reasonMessageTooLarge // the message was cut off before the first part
}

// readEmbedded reads each content of a leaf that programs may open as a message. It returns the error
// of the context.
func (c *collector) readEmbedded(l *leafReader) error {
	if c.partsRead >= c.limits.Parts {
		c.unread(l.part, report.Reason(mime.ReasonTooManyParts))
		return nil
	}
	noted := false
	for content, encodingErr := range l.in.Contents(l.leaf) {
		if content == nil && c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		if encodingErr != nil && !noted {
			noted = true
			if reason := reasonOf(encodingErr); mime.Reason(reason).Slip() {
				c.flaw(reason)
			} else {
				c.unread(l.part, reason)
			}
		}
		if !opensAsMessage(l.leaf.MediaType) && !filekind.IsHeader(content) {
			continue
		}
		if err := c.readMessages(l, content); err != nil {
			return err
		}
	}
	return nil
}

// readMessages reads the messages in a content of a leaf: one, or those of a mailbox file.
func (c *collector) readMessages(l *leafReader, content []byte) error {
	for message := range messagesOf(content) {
		if c.partsRead >= c.limits.Parts {
			c.cut(report.Reason(mime.ReasonTooManyParts))
			return nil
		}
		if !strings.HasPrefix(l.leaf.MediaType, "message/") {
			message = withoutSeparator(message)
		}
		inner, err := l.in.Embedded(l.leaf, message)
		if err != nil {
			c.unread(l.part, reasonOf(err))
			return nil
		}
		if err := c.readMessage(inner, l.part.Number); err != nil {
			return err
		}
	}
	return nil
}

// withoutSeparator returns a message without the "From " line of a mailbox before it. It keeps a line
// that may be a field in the obsolete syntax, "From :". It also removes the line with a length that
// begins a file of Apple Mail.
func withoutSeparator(message []byte) []byte {
	line, rest, _ := bytes.Cut(message, []byte("\n"))
	if number := bytes.TrimSpace(line); len(number) > 0 && len(bytes.Trim(number, "0123456789")) == 0 {
		return rest
	}
	if after, ok := bytes.CutPrefix(line, []byte(filekind.MessageLine)); ok && !bytes.HasPrefix(bytes.TrimLeft(after, " \t"), []byte(":")) {
		return rest
	}
	return message
}

// messagesOf iterates over the messages of a mailbox (RFC 4155). Any other content counts as one
// message.
func messagesOf(content []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for bytes.HasPrefix(content, []byte(filekind.MessageLine)) {
			end := endOfMessage(content)
			if end < 0 {
				break
			}
			if !yield(content[:end]) {
				return
			}
			content = content[end:]
		}
		if !yield(content) {
			return
		}
		// Some programs skip blank lines and a byte order mark before the header.
		if message := filekind.Start(content); len(message) < len(content) && filekind.IsHeader(message) {
			yield(message)
		}
	}
}

// endOfMessage returns the offset of the line that separates a message from the next, or -1. A blank
// line is in front of such a line.
func endOfMessage(content []byte) int {
	for at := 0; ; {
		i := bytes.Index(content[at:], []byte("\n"+filekind.MessageLine))
		if i < 0 {
			return -1
		}
		at += i + 1
		if before := bytes.TrimSuffix(content[:at-1], []byte("\r")); bytes.HasSuffix(before, []byte("\n")) {
			return at
		}
	}
}

// opensAsMessage reports whether programs open any content of a media type as a message.
func opensAsMessage(mediaType string) bool {
	return slices.Contains(opening.TypeForms[mediaType], opening.Message) || !strings.HasPrefix(mediaType, "message/")
}

// readSigned reads the message inside a leaf in CMS (RFC 8551 §3), which may be signed, compressed or
// encrypted. If there is none to be found, the leaf counts as encrypted.
func (c *collector) readSigned(l *leafReader) error {
	for content, err := range l.in.Contents(l.leaf) {
		if err != nil {
			break
		}
		wrapped, ok := cms.Content(content, c.limits.Message)
		if !ok {
			i := ascii.IndexFold(content, "content-type:")
			if i < 0 {
				break
			}
			wrapped = bytes.TrimRight(content[i:], "\x00")
		}
		inner, err := l.in.Embedded(l.leaf, wrapped)
		if err != nil {
			c.unread(l.part, reasonOf(err))
			return nil
		}
		return c.readMessage(inner, l.part.Number)
	}
	c.opaque(filekind.Encrypted)
	return c.ctx.Err()
}

// survive calls read for a piece of a message. If read panics, only that piece is left out: a sender
// who knows a defect must not hide what follows. It returns the error of the context.
func (c *collector) survive(read func() error) (err error) {
	defer func() {
		if recover() != nil {
			c.again, c.inDoubt, c.guess, c.misread, c.multibyte = nil, false, false, false, nil
			c.cut(reasonPanic)
		}
	}()
	return read()
}

// maxKnownBy bounds each field of a [report.Header], in bytes: the log and the reports keep these
// fields for each message.
const maxKnownBy = 1 << 10

// knownBy returns the fields by which people recognise a message.
func knownBy(m *mime.Message) (h report.Header) {
	for _, f := range m.Root.Fields {
		switch {
		case h.MessageID == "" && ascii.EqualFold(f.Name, "Message-ID"):
			h.MessageID = shortened(m.FieldValue(f))
		case h.Date == "" && ascii.EqualFold(f.Name, "Date"):
			h.Date = shortened(m.FieldValue(f))
		case h.From == "" && ascii.EqualFold(f.Name, "From"):
			h.From = shortened(m.DecodedValue(f))
		case h.Subject == "" && ascii.EqualFold(f.Name, "Subject"):
			h.Subject = shortened(m.DecodedValue(f))
		}
	}
	return h
}

// shortened returns at most maxKnownBy bytes of a value, in memory of its own.
func shortened(value string) string {
	if len(value) > maxKnownBy {
		return strings.Clone(value[:maxKnownBy])
	}
	return value
}
