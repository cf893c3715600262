package filter

import (
	"strings"

	"github.com/emersion/go-message/mail"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// Values of report.Found.Part for the envelope and for fields of the message's header.
const (
	envelopeSender = "envelope:sender"
	headerPrefix   = "header:"
	headerSubject  = headerPrefix + "Subject"
)

// addressFields are the fields that say who a message is from (RFC 5322 §3.6.2),
// as values of report.Found.Part.
var addressFields = []string{headerPrefix + "From", headerPrefix + "Sender", headerPrefix + "Reply-To"}

// headerPart returns the value of report.Found.Part for a field: part, if the field is of
// the message itself; else number is that of the attached message.
func headerPart(number, part string) string {
	if number == "" {
		return part
	}
	return number + "/" + part
}

// readHeader judges the header of m: the addresses that it is from, and the links
// in its subject. number is that of an attached message, else empty. It returns the
// error of the context.
func (c *collector) readHeader(m *mime.Message, number string) error {
	for _, field := range m.Root.Fields {
		for _, part := range addressFields {
			if !strings.EqualFold(field.Name, part[len(headerPrefix):]) {
				continue
			}
			if err := c.ctx.Err(); err != nil {
				return err
			}
			if err := c.readAddresses(headerPart(number, part), m, field); err != nil {
				return err
			}
		}
		if strings.EqualFold(field.Name, "Subject") {
			if err := c.readSubject(headerPart(number, headerSubject), m.DecodedValue(field)); err != nil {
				return err
			}
		}
	}
	return nil
}

// readSubject finds and judges the links of a subject.
func (c *collector) readSubject(part, subject string) error {
	return c.each(new(report.Part), c.judge.finder.scan(c.ctx, subject), func(link engine.Link) {
		found := c.judge.found(part, link, c.flagged)
		found.Place = report.PlaceHeader
		c.add(found)
	})
}

// readSender judges the envelope sender.
func (c *collector) readSender() error {
	if sender := c.env.Sender; sender != "" {
		return c.readAddress(envelopeSender, report.PlaceEnvelope, "", sender, sender)
	}
	return nil
}

// readAddresses judges the addresses of a field, and their display names.
func (c *collector) readAddresses(part string, m *mime.Message, field mime.Field) error {
	value, decoded := m.FieldValue(field), m.DecodedValue(field)
	if len(value) <= maxAddresses {
		if list, err := mail.ParseAddressList(value); err == nil {
			for _, a := range list {
				if err := c.readAddress(part, report.PlaceHeader, a.Name, a.Address, decoded); err != nil {
					return err
				}
			}
			return nil
		}
	}
	name, address, err := c.looseAddress(decoded)
	if err != nil {
		return err
	}
	return c.readAddress(part, report.PlaceHeader, name, address, decoded)
}

// looseAddress reads a field that is not a list of addresses, such as one whose
// display name is an address itself and is not quoted. Programs show the text before
// the last angle bracket, or before the last address.
func (c *collector) looseAddress(value string) (name, address string, err error) {
	if i := strings.LastIndexByte(value, '<'); i >= 0 {
		address, _, _ = strings.Cut(value[i+1:], ">")
		return strings.Trim(value[:i], "\" \t"), address, nil
	}
	var last engine.Link
	for link, err := range c.judge.finder.scan(c.ctx, value) {
		if err != nil {
			return "", "", err
		}
		last = link
	}
	if last.Kind == engine.KindEmail {
		return value[:last.Start], last.Text, nil
	}
	return "", value, nil
}

// maxName is the length in bytes of a display name that is compared with the
// address. Mail programs show less.
const maxName = 2 << 10

// readAddress judges an address and its display name. It lists both only where they
// have a finding, since the sender of a message is not a link in it. value is the
// text that holds them. It returns the error of the context.
func (c *collector) readAddress(part string, place report.Place, name, address, value string) error {
	at := max(strings.LastIndex(value, address), 0)
	for i, link := range c.judge.finder.address(address) {
		if err := c.spend(len(link.Text) + min(len(name), maxName)); err != nil {
			return err
		}
		var more []policy.Finding
		if i == 0 {
			more = c.judge.namedFor(c.ctx, name[:min(len(name), maxName)], address, link)
		}
		c.list(part, c.judge.judged(link, more...), place, value, at)
	}
	at = max(strings.Index(value, name), 0)
	for link, err := range c.judge.finder.scan(c.ctx, name) {
		if err == nil {
			err = c.spend(len(link.Text))
		}
		if err != nil {
			return err
		}
		c.list(part, c.judge.judged(link), place, value, at)
	}
	return nil
}

// list lists a link of a header if it has a finding. value is the text of the field;
// the text in which the link was found begins at the offset at.
func (c *collector) list(part string, found report.Found, place report.Place, value string, at int) {
	if len(found.Verdict.Findings) == 0 || !c.room() {
		return
	}
	c.judge.display.show(&found, c.flagged)
	found.Part, found.Place = part, place
	if start := at + found.Link.Start; start < len(value) && strings.HasPrefix(value[start:], found.Link.Text) {
		at = start
	}
	found.Link.Start, found.Link.End = at, min(at+len(found.Link.Text), len(value))
	c.add(found)
}
