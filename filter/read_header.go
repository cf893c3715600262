package filter

import (
	"strings"

	"github.com/emersion/go-message/mail"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// addressFields are the fields that say who a message is from (RFC 5322
// §3.6.2), with the spelling that reports use.
var addressFields = []string{"From", "Sender", "Reply-To"}

// maxAddresses is how many bytes of a field are read as a list of addresses;
// of longer ones the links are found as in a text.
const maxAddresses = 64 << 10

// readHeader judges the header of m: who it is from, and the links in its
// subject. number is that of an attached message, else empty.
func (w *work) readHeader(m *mime.Message, number string) error {
	for _, field := range m.Root.Fields {
		for _, name := range addressFields {
			if !strings.EqualFold(field.Name, name) {
				continue
			}
			if err := w.ctx.Err(); err != nil {
				return err
			}
			w.readAddresses(headerPart(number, name), m, field)
		}
		if strings.EqualFold(field.Name, "Subject") {
			if err := w.readSubject(headerPart(number, "Subject"), m.DecodedValue(field)); err != nil {
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
		w.report.Links = append(w.report.Links, found)
	}
	return nil
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
	for i, link := range f.address(address) {
		var more []policy.Finding
		if i == 0 {
			more = f.namedFor(name[:min(len(name), maxName)], address, link)
		}
		w.list(f.judged(part, link, more...), place, value, at)
	}
	at = max(strings.Index(value, name), 0)
	for _, link := range f.scanner.Append(nil, name) {
		w.list(f.judged(part, link), place, value, at)
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
func (w *work) list(found Found, place Place, value string, at int) {
	if len(found.Verdict.Findings) == 0 || !w.room() {
		return
	}
	w.filter.display(&found, w.rule.Flagged)
	found.Place = place
	if start := at + found.Link.Start; start < len(value) && strings.HasPrefix(value[start:], found.Link.Text) {
		at = start
	}
	found.Link.Start, found.Link.End = at, min(at+len(found.Link.Text), len(value))
	w.report.Links = append(w.report.Links, found)
}

// address returns an address as a link. Of one whose local-part or domain
// cannot be in a link the domain is judged, as the host of a suspect.
func (f *Filter) address(address string) []engine.Link {
	link, err := engine.ParseLink(address)
	if err == nil && link.Kind == engine.KindEmail {
		return []engine.Link{link}
	}
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		domain := "http://" + strings.TrimSpace(address[i+1:])
		if link, err := engine.ParseLink(domain); err == nil {
			return []engine.Link{link}
		}
		return f.scanner.Append(nil, domain)
	}
	return f.scanner.Append(nil, address)
}
