package filter

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message/mail"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/sender"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/bidi"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// Values of report.Found.Part for the envelope and for fields of the message's header.
const (
	envelopeSender = "envelope:sender"
	headerPrefix   = "header:"
	headerSubject  = headerPrefix + "Subject"
)

// addressFields are the fields that say who sent a message (RFC 5322 §3.6.2, §3.6.6 and §3.6.7, RFC
// 9057) or where programs send answers. They are values of report.Found.Part.
var addressFields = []string{
	headerPrefix + "From", headerPrefix + "Sender", headerPrefix + "Reply-To", headerPrefix + "Return-Path",
	headerPrefix + "Resent-From", headerPrefix + "Resent-Sender", headerPrefix + "Resent-Reply-To",
	headerPrefix + "Author", headerPrefix + "Mail-Followup-To", headerPrefix + "Mail-Reply-To", headerPrefix + "Disposition-Notification-To",
	headerPrefix + "Return-Receipt-To", headerPrefix + "X-Confirm-Reading-To",
}

// addressFieldsOf indexes addressFields by the length of the name, which rules out most fields at once.
var addressFieldsOf = func() (of [32][]string) {
	for _, part := range addressFields {
		n := min(len(part)-len(headerPrefix), len(of)-1)
		of[n] = append(of[n], part)
	}
	return of
}()

// headerPart returns the value of report.Found.Part for a field. number is the number of the attached
// message that has the field, or "" for the message itself.
func headerPart(number, part string) string {
	if number == "" {
		return part
	}
	return number + "/" + part
}

// readHeader judges the header of m: who it is from, the links in its subject, and the links of its
// mailing list. number is the number of an attached message, or "". It returns the error of the
// context.
func (c *collector) readHeader(m *mime.Message, number string) error {
	var one [1]mime.Field
	from := one[:0]
	for _, field := range m.Root.Fields {
		if err := c.readField(m, field, number); err != nil {
			return err
		}
		if ascii.EqualFold(field.Name, "From") {
			from = append(from, field)
		}
	}
	return c.readAuthors(headerPart(number, addressFields[0]), m, from)
}

// readField judges a field of m.
func (c *collector) readField(m *mime.Message, field mime.Field, number string) error {
	for _, part := range addressFieldsOf[min(len(field.Name), len(addressFieldsOf)-1)] {
		if !strings.EqualFold(field.Name, part[len(headerPrefix):]) {
			continue
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
		return c.readAddresses(headerPart(number, part), m, field)
	}
	switch {
	case ascii.EqualFold(field.Name, "Subject"):
		return c.readSubject(headerPart(number, headerSubject), m, field)
	case ascii.HasPrefixFold(field.Name, "List-"), ascii.EqualFold(field.Name, "Archived-At"):
		return c.readListField(headerPart(number, headerPrefix+field.Name), m, field)
	case fieldMayHoldURL(field.Name, m.RawField(field)):
		return c.readOtherField(headerPart(number, headerPrefix+field.Name), m, field)
	}
	return nil
}

// readOtherField judges the URLs in a field without a rule of its own, such as Organization or
// X-Homepage, since some programs show or open them. It lists those that have a finding.
func (c *collector) readOtherField(part string, m *mime.Message, field mime.Field) error {
	defer func() { c.again = nil }()
	c.listNew(len(c.links))
	for _, reading := range c.fieldReadings(m, field) {
		if err := c.readInHeader(part, reading, isTyped); err != nil {
			return err
		}
		if err := c.readCommands(part, reading, isURL); err != nil {
			return err
		}
		if isWholeURL(reading, bytes.Count(m.RawField(field), []byte("\n"))) {
			if err := c.readOpened(part, reading); err != nil {
				return err
			}
		}
	}
	return nil
}

// fieldReadings returns the values that programs may read in a field.
func (c *collector) fieldReadings(m *mime.Message, field mime.Field) []string {
	raw, value := values(m, field)
	all := []string{value}
	if !isUnencoded(raw) {
		all = append(all, charset.LooseWords(c.ctx, raw)...)
	}
	return all
}

// readSubject finds and judges the links of a subject. Of encoded words that only lenient programs
// decode, it lists only links with a finding.
func (c *collector) readSubject(part string, m *mime.Message, field mime.Field) error {
	first := len(c.links)
	raw, value := values(m, field)
	defer func() { c.again, c.inDoubt, c.guess = nil, false, false }()
	c.inDoubt, c.guess = strings.ContainsRune(value, utf8.RuneError), charset.IsReplaced(value)
	c.noteUnseen(part, value, asWritten)
	if err := c.readInHeader(part, value, isAny); err != nil || isUnencoded(raw) {
		return err
	}
	c.listNew(first)
	c.inDoubt = true
	for i, reading := range charset.LooseWords(c.ctx, raw) {
		if reading == value {
			continue
		}
		c.guess = i > 0 || !strings.Contains(value, "=?") || charset.IsReplaced(reading)
		if err := c.readInHeader(part, reading, isAny); err != nil {
			return err
		}
	}
	return nil
}

// values returns the value of a field as written, and decoded.
func values(m *mime.Message, field mime.Field) (raw, decoded string) {
	raw = m.FieldValue(field)
	if isUnencoded(raw) {
		return raw, raw
	}
	return raw, m.DecodedValue(field)
}

// isUnencoded reports whether all programs show the value of a field as written.
func isUnencoded(value string) bool { return ascii.Is(value) && !strings.Contains(value, "=?") }

// readInHeader finds and judges the links of a field for which counts is true, and others that have a
// finding because of the text around them.
func (c *collector) readInHeader(part, value string, counts func(engine.Link) bool) error {
	if !judge.MayHoldLink(value) {
		return nil
	}
	beside, before := c.judge.InText(c.ctx, value), engine.Link{}
	return c.each(new(report.Part), c.judge.Finder.PlainScan(c.ctx, value), func(link engine.Link) {
		more := beside.Findings(link, before)
		before = link
		if !counts(link) && len(more) == 0 {
			return
		}
		found := c.found(part, link, more...)
		found.Place = report.PlaceHeader
		c.add(found)
	})
}

// readListField judges the links of a field with commands of a mailing list (RFC 2369), and lists those
// that have a finding.
func (c *collector) readListField(part string, m *mime.Message, field mime.Field) error {
	defer func() { c.again = nil }()
	c.listNew(len(c.links))
	for _, reading := range c.fieldReadings(m, field) {
		if err := c.readInHeader(part, reading, isAny); err != nil {
			return err
		}
		if err := c.readCommands(part, reading, func(string) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

// readCommands judges the URLs in angle brackets for which counts is true.
func (c *collector) readCommands(part, value string, counts func(url string) bool) error {
	for piece := range strings.SplitSeq(value, "<") {
		if url, _, ok := strings.Cut(piece, ">"); ok && counts(strings.TrimSpace(url)) {
			if err := c.readOpened(part, url); err != nil {
				return err
			}
		}
	}
	return nil
}

// readOpened judges what a URL opens. White space in it comes from folding.
func (c *collector) readOpened(part, url string) error {
	url = strings.Join(strings.Fields(url), "")
	opened, _ := c.judge.Finder.Opened(url)
	name, rest := scheme.Name(url)
	if host := strings.TrimLeft(rest, `/\`); len(rest)-len(host) > 1 && !scheme.IsWeb(name) {
		opened = c.withoutWeb(opened, host)
	}
	for _, link := range opened {
		if err := c.spend(len(link.Text)); err != nil || !c.room() {
			return err
		}
		found := c.found(part, link)
		found.Place = report.PlaceHeader
		c.add(found)
	}
	return nil
}

// withoutWeb takes the links that a URL without a web scheme opens, such as
// "imap://joe@example.com/" or "//example.com". In place of the web URL that a browser would make
// of it, it returns the host and what follows, because a user name before the host is ordinary in
// URLs of mail programs and repositories.
func (c *collector) withoutWeb(opened []engine.Link, host string) (links []engine.Link) {
	bare := judge.WithoutUser(host)
	for _, link := range opened {
		if link.Text != "https://"+bare && link.Text != "//"+host {
			links = append(links, link)
		}
	}
	if link, err := engine.ParseLink(bare); err == nil && link.Kind == engine.KindURL {
		links = append(links, link)
	}
	return links
}

// readAuthors compares the first address of all From fields with each of the others, because
// programs differ in which one they show.
func (c *collector) readAuthors(part string, m *mime.Message, from []mime.Field) error {
	var addresses []string
	known := map[string]bool{}
	for _, field := range from {
		if len(from) == 1 && bytes.Count(m.RawField(field), []byte("@")) < 2 {
			return nil
		}
		value := m.FieldValue(field)
		for _, box := range sender.Mailboxes(value[:min(len(value), sender.MaxAddresses)]) {
			if !known[box.Address] {
				known[box.Address] = true
				addresses = append(addresses, box.Address)
			}
		}
	}
	for i := 1; i < len(addresses); i++ {
		if err := c.ctx.Err(); err != nil { // each takes as long as a page of text
			return err
		}
		for _, pair := range [...][2]string{{addresses[0], addresses[i]}, {addresses[i], addresses[0]}} {
			if err := c.readAuthor(part, pair[0], pair[1], len(from) > 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// readAuthor judges an address of From beside another one. Programs may show the other one with it,
// or in place of it if there are several From fields.
func (c *collector) readAuthor(part, shown, address string, instead bool) error {
	for _, link := range c.judge.Finder.Address(address) {
		if err := c.spend(len(shown) + len(address)); err != nil {
			return err
		}
		if c.judge.Allows(link) {
			continue
		}
		found := report.Found{Link: link}
		found.Verdict.Findings = c.judge.Named(c.ctx, shown, func(text string, named []engine.Link) []policy.Finding {
			named = slices.DeleteFunc(named, func(l engine.Link) bool { return c.judge.Verdict(l).Worst() >= policy.SeverityMedium }) // found already
			if instead {
				return c.judge.Policy.TextTarget(text, named, link)
			}
			return c.judge.Policy.LabelTarget(text, named, link)
		})
		c.list(part, found, report.PlaceHeader, address, 0)
	}
	return nil
}

// readSender judges the envelope sender.
func (c *collector) readSender() error {
	sender := c.env.Sender
	if sender == "" {
		return nil
	}
	return c.readAddress(envelopeSender, report.PlaceEnvelope, "", sender, sender)
}

// readAddresses judges the addresses of a field and their display names: as the field says, and as
// lenient programs decode it.
func (c *collector) readAddresses(part string, m *mime.Message, field mime.Field) error {
	value, decoded := values(m, field)
	first := len(c.links)
	list, err := c.readAddressList(part, value, decoded)
	if err != nil || isPlainMailbox(value, list) {
		return err
	}
	defer func() { c.again = nil }()
	c.listNew(first)
	searched := decoded[:min(len(decoded), sender.MaxAddresses)]
	for i, box := range sender.Mailboxes(value[:min(len(value), sender.MaxAddresses)]) {
		for _, name := range charset.LooseWords(c.ctx, box.Name) {
			if i < len(list) && list[i].Name == name && list[i].Address == box.Address {
				continue // both readings agree
			}
			if err := c.readAddress(part, report.PlaceHeader, name, box.Address, searched); err != nil {
				return err
			}
		}
	}
	for _, reading := range charset.LooseWords(c.ctx, value) {
		if reading == decoded {
			continue
		}
		if err := c.readLoose(part, reading); err != nil {
			return err
		}
	}
	return nil
}

// isPlainMailbox reports whether a value is one address that all programs read alike. It may have a
// display name.
func isPlainMailbox(value string, list []*mail.Address) bool {
	if len(list) != 1 || !isUnencoded(value) {
		return false
	}
	name, address := list[0].Name, list[0].Address
	bracketed := "<" + address + ">"
	rest, ok := strings.CutSuffix(value, bracketed)
	if !ok {
		return value == address
	}
	rest = strings.TrimSpace(rest)
	return !strings.ContainsAny(name, "\"\\()<>@,;:") && (rest == name || rest == `"`+name+`"`)
}

// readAddressList judges a field as a list of addresses, which it returns. If it is no such list, it
// judges the name and address that programs show.
func (c *collector) readAddressList(part, value, decoded string) ([]*mail.Address, error) {
	if len(value) <= sender.MaxAddresses {
		if list, err := mail.ParseAddressList(value); err == nil {
			for _, a := range list {
				if err := c.readAddress(part, report.PlaceHeader, a.Name, a.Address, decoded); err != nil {
					return nil, err
				}
			}
			return list, nil
		}
	}
	return nil, c.readLoose(part, decoded)
}

// readLoose judges a decoded field that is not a list of addresses.
func (c *collector) readLoose(part, decoded string) error {
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
	for link, err := range c.judge.Finder.Scan(c.ctx, value) {
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

// readAddress judges an address and its display name. It lists them only if they have a finding, since
// the sender of a message is no link in it. value is the text of the field. It returns the error of the
// context.
func (c *collector) readAddress(part string, place report.Place, name, address, value string) error {
	c.noteSender(part, name, address)
	c.noteUnseen(part, name, asWritten)
	for _, found := range c.sender(name, address) {
		if err := c.spend(len(found.Link.Text) + min(len(name), sender.MaxName)); err != nil {
			return err
		}
		if err := c.listAt(part, found, place, value, strings.LastIndex, address); err != nil {
			return err
		}
	}
	if !judge.MayHoldLink(name) {
		return nil
	}
	return c.readName(part, place, name, value)
}

// readName judges the links in a display name.
func (c *collector) readName(part string, place report.Place, name, value string) error {
	beside, before := c.judge.InText(c.ctx, name), engine.Link{}
	for link, err := range c.judge.Finder.Scan(c.ctx, name) {
		if err == nil {
			err = c.spend(len(link.Text))
		}
		if err != nil {
			return err
		}
		if err := c.listAt(part, c.judge.Judged(link, beside.Findings(link, before)...), place, value, strings.Index, name); err != nil {
			return err
		}
		before = link
	}
	return nil
}

// listAt is list for a link of text; index finds text in the value of the field. In a field of many
// addresses each search counts as reading the field.
func (c *collector) listAt(part string, found report.Found, place report.Place, value string, index func(s, text string) int, text string) error {
	if len(found.Verdict.Findings) == 0 {
		return nil
	}
	err := c.spend(len(value))
	if err == nil {
		c.list(part, found, place, value, index(value, text))
	}
	return err
}

// list lists a link of a header if it has a finding. value is the text of the field. at is the offset
// in value of the text that holds the link, or -1.
func (c *collector) list(part string, found report.Found, place report.Place, value string, at int) {
	if len(found.Verdict.Findings) == 0 || !c.room() {
		return
	}
	at = max(at, 0)
	c.judge.Show(&found)
	found.Part, found.Place = part, place
	if start := at + found.Link.Start; start < len(value) && strings.HasPrefix(value[start:], found.Link.Text) {
		at = start
	}
	found.Link.Start, found.Link.End = at, min(at+len(found.Link.Text), len(value))
	c.add(found)
}

// sender judges an address as links, with its display name. Programs show the name even if the address
// has no host.
func (c *collector) sender(name, address string) []report.Found {
	found := c.judgedAddress(address)
	if len(found) == 0 {
		if name == "" {
			return nil
		}
		found = []report.Found{{Link: engine.Link{Kind: engine.KindEmail, Text: address}}}
	}
	named := c.judge.NamedFor(c.ctx, sender.VisibleName(name), address, found[0].Link)
	if begin := sender.BeforeGap(name); begin != name {
		named = judge.Worse(named, c.judge.NamedFor(c.ctx, sender.VisibleName(begin), address, found[0].Link))
	}
	if seen := sender.VisibleName(name); bidi.InOrder(seen) != seen {
		named = judge.Worse(named, judge.Where(c.judge.NamedFor(c.ctx, bidi.InOrder(seen), address, found[0].Link), isAboutName))
	}
	if len(named) > 0 {
		found = slices.Clone(found)
		verdict := &found[0].Verdict
		verdict.Findings = slices.Clip(slices.Concat(verdict.Findings, named))
	}
	return found
}

// judgedAddress judges an address as links. It remembers the last address: most messages have one
// address in several fields.
func (c *collector) judgedAddress(address string) []report.Found {
	if c.address != address {
		c.address, c.judged = address, nil
		for _, link := range c.judge.Finder.Address(address) {
			found := c.judge.Judged(link)
			found.Verdict.Findings = slices.Clip(found.Verdict.Findings)
			c.judged = append(c.judged, found)
		}
	}
	return c.judged
}

// isAboutName reports whether a finding is about what a display name says, not its characters.
func isAboutName(f policy.Finding) bool { return f.Code == policy.CodeDisplayName }

// fromDomain returns the domain of the From field as written, in lower case. It returns "" if there
// is not exactly one From field with exactly one domain.
func fromDomain(r *reading) string {
	values := r.values("From")
	if len(values) != 1 || len(values[0]) > sender.MaxAddresses {
		return ""
	}
	list, err := mail.ParseAddressList(values[0])
	if err != nil {
		return ""
	}
	domain := ""
	for _, a := range list {
		of := strings.ToLower(a.Address[strings.LastIndexByte(a.Address, '@')+1:])
		if domain != "" && of != domain {
			return ""
		}
		domain = of
	}
	return domain
}

// traceFields are the first letters of fields that servers and filters write. Programs show no URLs of
// these fields, and filters quote there what they found.
var traceFields = []string{
	"Received", "X-Received", "ARC-", "Authentication-Results", "DKIM-", "DomainKey-", "X-Google-", "X-Linkmilter", "X-Spam-", "X-Rspamd-", "X-Amavis-", "X-Virus-",
	"X-MS-Exchange-", "X-Microsoft-", "X-Forefront-",
}

// fieldMayHoldURL reports whether programs may show or open a URL in a field for which linkmilter has
// no special rule. raw is the field as written.
func fieldMayHoldURL(name string, raw []byte) bool {
	if !holdsURL(raw[min(len(name)+len(":"), len(raw)):]) {
		return false
	}
	for _, prefix := range traceFields {
		if ascii.HasPrefixFold(name, prefix) {
			return false
		}
	}
	return true
}

// holdsURL reports whether the value of a field has a sign of a URL: the colon after a scheme that
// programs open, two slashes, "www.", or an encoded word. After a scheme the slashes may be missing,
// folded or backslashes.
func holdsURL(value []byte) bool {
	for _, sign := range [...]string{"//", ":/", `:\`, "=?", "www.", "WWW."} {
		if bytes.Contains(value, []byte(sign)) {
			return true
		}
	}
	for i, c := range value {
		if c == ':' && endsInScheme(value[:i]) {
			return true
		}
	}
	return false
}

// endsInScheme reports whether a text ends in a scheme that programs open.
func endsInScheme(text []byte) bool {
	if n := len(text); n == 0 || !ascii.IsLetter(text[n-1]) { // no scheme ends in another character
		return false
	}
	for _, name := range openedSchemes {
		if len(text) >= len(name) && ascii.EqualFold(string(text[len(text)-len(name):]), name) {
			return true
		}
	}
	return false
}

// openedSchemes are the schemes that programs open.
var openedSchemes = append([]string{scheme.Mailto}, scheme.Linked[:]...)

// isURL reports whether a text begins as a URL does, with a scheme or two slashes.
func isURL(text string) bool {
	name, _ := scheme.Name(text)
	return name != "" || strings.HasPrefix(text, "//")
}

// isWholeURL reports whether a value is one URL, which may be folded over lines: it has no more words
// than lines.
func isWholeURL(value string, lines int) bool {
	return isURL(value) && len(strings.Fields(value)) <= max(lines, 1)
}

// isAny is true for every link.
func isAny(engine.Link) bool { return true }

// isTyped reports whether a link is written as a URL: with a scheme or "www.".
func isTyped(link engine.Link) bool {
	c := link.Components()
	return link.Kind != engine.KindEmail && (c.Scheme != "" || ascii.HasPrefixFold(c.Host, "www."))
}

// forSender returns a judge for the texts of a message from the sender of the reading. If trusted
// servers write results of authentication and this sender has none, the texts are judged without a
// sender.
func forSender(j *judge.Judge, r *reading) *judge.Judge {
	from := hostname.Canonical(fromDomain(r))
	isAuthenticated := from != "" && len(r.results) > 0 && mailauth.AuthenticatedFrom(r.results, from)
	if from == "" || len(r.results) > 0 && !isAuthenticated {
		return j
	}
	return j.ForSender(from, isAuthenticated)
}
