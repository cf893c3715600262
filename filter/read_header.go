package filter

import (
	"strings"

	"github.com/emersion/go-message/mail"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// addressFields are the fields that say who a message is from (RFC 5322
// §3.6.2), as parts, with the spelling that reports use.
var addressFields = []string{headerPrefix + "From", headerPrefix + "Sender", headerPrefix + "Reply-To"}

// maxAddresses is how many bytes of a field are read as a list of addresses;
// of longer ones the links are found as in a text.
const maxAddresses = 64 << 10

// readHeader judges the header of m: who it is from, and the links in its
// subject. number is that of an attached message, else empty.
func (w *work) readHeader(m *mime.Message, number string) error {
	for _, field := range m.Root.Fields {
		for _, part := range addressFields {
			if !field.Named(part[len(headerPrefix):]) {
				continue
			}
			if err := w.ctx.Err(); err != nil {
				return err
			}
			w.readField(headerPart(number, part), m, field)
		}
		if field.Named("Subject") {
			if err := w.readSubject(headerPart(number, headerSubject), m.DecodedValue(field)); err != nil {
				return err
			}
		}
	}
	return nil
}

// readSubject finds and judges the links of a subject.
func (w *work) readSubject(part, subject string) error {
	for link := range w.filter.scanner.All(subject) {
		if !w.room() {
			return nil
		}
		if err := w.checkLinks(); err != nil {
			return err
		}
		found := w.filter.found(part, link, w.rule.Flagged)
		found.Place = PlaceHeader
		w.add(found)
	}
	return nil
}

// readField judges the addresses of a field, unless they are remembered.
func (w *work) readField(part string, m *mime.Message, field mime.Field) {
	known, raw := w.filter.memory.fields, m.Raw[field.ValueStart:field.End]
	if known.GetBytes(raw) != nil {
		return
	}
	before := w.suspicious
	w.readAddresses(part, m, field)
	if w.suspicious == before && len(raw) <= maxField {
		known.Put(string(raw), struct{}{})
	}
}

// readSender judges the envelope sender, unless it is remembered.
func (w *work) readSender() {
	known, sender := w.filter.memory.senders, w.env.Sender
	if sender == "" || known.Get(sender) != nil {
		return
	}
	before := w.suspicious
	w.readAddress(envelopeSender, PlaceEnvelope, "", sender, sender)
	if w.suspicious == before && len(sender) <= maxSender {
		known.Put(strings.Clone(sender), struct{}{})
	}
}

// readAddresses judges the addresses of a field, and their display names.
func (w *work) readAddresses(part string, m *mime.Message, field mime.Field) {
	value, decoded := m.FieldValue(field), m.DecodedValue(field)
	if len(value) <= maxAddresses {
		if list, err := mail.ParseAddressList(value); err == nil {
			for _, a := range list {
				w.readAddress(part, PlaceHeader, a.Name, a.Address, decoded)
			}
			return
		}
	}
	// No list of addresses: such as a display name that is an address itself, and
	// not quoted. Programs show what stands before the last angle bracket, or
	// before the last address.
	name, address := "", decoded
	if i := strings.LastIndexByte(decoded, '<'); i >= 0 {
		name = strings.Trim(decoded[:i], "\" \t")
		address, _, _ = strings.Cut(decoded[i+1:], ">")
	} else if links := w.filter.scanner.Append(nil, decoded); len(links) > 0 && links[len(links)-1].Kind == engine.KindEmail {
		last := links[len(links)-1]
		name, address = decoded[:last.Start], last.Text
	}
	w.readAddress(part, PlaceHeader, name, address, decoded)
}

// maxName is how many bytes of a display name are compared with the address:
// more than anybody reads.
const maxName = 2 << 10

// readAddress judges an address and its display name. Both are listed only
// where something was found: the sender of a message is no link in it. value is
// the text in which they stand.
func (w *work) readAddress(part string, place Place, name, address, value string) {
	f := w.filter
	at := max(strings.LastIndex(value, address), 0)
	var room [1]engine.Link
	for i, link := range f.address(room[:0], address) {
		var more []policy.Finding
		if i == 0 {
			more = f.namedFor(name[:min(len(name), maxName)], address, link)
		}
		w.list(part, f.judged(link, more...), place, value, at)
	}
	at = max(strings.Index(value, name), 0)
	for _, link := range f.scanner.Append(nil, name) {
		w.list(part, f.judged(link), place, value, at)
	}
}

// namedFor judges a display name, and a local-part that reads as an address,
// against the link that the address is.
func (f *Filter) namedFor(name, address string, link engine.Link) []policy.Finding {
	if f.Allows(link) {
		return nil
	}
	findings := f.textTarget(name, link)
	if len(findings) == 0 {
		findings = f.quotedAddress(address)
	}
	return append(findings, f.judge.TurnedText(name)...)
}

// quotedAddress judges an address with another one in its local-part, as
// "service@example.com"@example.net, which readers take for the address.
func (f *Filter) quotedAddress(address string) []policy.Finding {
	i := strings.LastIndexByte(address, '@')
	if i < 0 || !strings.Contains(address[:i], "@") {
		return nil
	}
	target, err := engine.ParseLink("x" + address[i:])
	if err != nil {
		return nil
	}
	return f.textTarget(strings.Trim(address[:i], `"`), target)
}

// list lists a link of a header if something was found about it. value is the
// text of the field, in which what the link was found in begins at the offset at.
func (w *work) list(part string, found Found, place Place, value string, at int) {
	if len(found.Verdict.Findings) == 0 {
		return
	}
	w.suspicious++
	if !w.room() {
		return
	}
	w.filter.display(&found, w.rule.Flagged)
	found.Part, found.Place = part, place
	if start := at + found.Link.Start; start < len(value) && strings.HasPrefix(value[start:], found.Link.Text) {
		at = start
	}
	found.Link.Start, found.Link.End = at, min(at+len(found.Link.Text), len(value))
	w.add(found)
}

// address appends an address as a link to dst. Of one whose local-part or domain
// cannot be in a link the domain is judged, as the host of a suspect.
func (f *Filter) address(dst []engine.Link, address string) []engine.Link {
	link, err := engine.ParseLink(address)
	if err == nil && link.Kind == engine.KindEmail {
		return append(dst, link)
	}
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		domain := "http://" + strings.TrimSpace(address[i+1:])
		if link, err := engine.ParseLink(domain); err == nil {
			return append(dst, link)
		}
		return f.scanner.Append(dst, domain)
	}
	return f.scanner.Append(dst, address)
}
