package filter

import (
	"bytes"
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/calendar"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/filekind"
	"github.com/linkmilter/linkmilter/internal/meter"
	"github.com/linkmilter/linkmilter/internal/opening"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/rtf"
	"github.com/linkmilter/linkmilter/internal/sheet"
	"github.com/linkmilter/linkmilter/internal/stream"
	"github.com/linkmilter/linkmilter/internal/xmltext"
	"github.com/linkmilter/linkmilter/mime"
)

// leafReader reads a leaf in all its forms, in each reading of its encoding and charset.
type leafReader struct {
	*collector
	opening.Opening
	in      *mime.Message // the message that the leaf is in
	leaf    *mime.Part
	part    report.Part
	from    int    // index of the leaf's first link
	strict  string // the text that was read first
	sure    bool   // strict is the text as declared, not a guess
	tried   bool   // a reading of a guess was read
	refused error  // why the leaf has no text as declared
	inYEnc  bool   // a text has a file in yEnc

	enclosed  [][]byte        // messages within the texts
	inner     map[uint64]bool // hashes of files within files that were read
	filesDeep int             // how many files within files are being read
}

// unreadAs returns the reason for which a part of this media type always counts as unread, or "".
func unreadAs(mediaType string) report.Reason {
	switch mediaType {
	case "message/partial":
		return reasonMessagePartial
	case "message/external-body":
		return reasonExternalBody
	case "application/ms-tnef", "application/vnd.ms-tnef":
		return reasonTNEF
	}
	return ""
}

// read reads the texts of the leaf in every form except Message. It returns the error of the context.
func (l *leafReader) read() error {
	l.part.Outcome = report.OutcomeComplete
	if l.Forms[0] == opening.Message {
		l.listNew(l.from) // the message lists its links
	}
	err := l.readTexts()
	if err == nil && l.inYEnc {
		err = l.readYEncoded()
	}
	if err == nil && l.leaf.MediaType == "message/external-body" {
		err = l.readAccess()
	}
	if err != nil {
		l.part.Cut(reasonDeadline)
	}
	l.again = nil
	l.settlePart()
	l.close(l.part, l.from)
	return err
}

// readAccess reads the parameters that say where an external body is. A URL there may have white space
// (RFC 2017 §3).
func (l *leafReader) readAccess() error {
	for i := range l.leaf.Fields {
		if f := l.leaf.Fields[i]; strings.EqualFold(f.Name, "Content-Type") {
			value := l.in.FieldValue(f)
			if err := l.readPlain(&l.part, value+"\n"+percent.Decode(strings.Join(strings.Fields(value), ""))); err != nil {
				return err
			}
		}
	}
	return nil
}

// readTexts reads the text of the leaf as declared, and what else programs may show.
func (l *leafReader) readTexts() error {
	defer func() { l.inDoubt, l.guess, l.misread, l.multibyte = false, false, false, nil }()
	if strings.HasPrefix(l.leaf.MediaType, "text/") {
		text, err := l.in.Text(l.leaf)
		if ctxErr := l.ctx.Err(); ctxErr != nil {
			return ctxErr
		}
		if l.refused = err; err == nil {
			if l.inDoubt = !l.in.Unambiguous(l.leaf, text); l.inDoubt {
				l.misread, l.multibyte = charset.IsMojibake(text), charset.Multibyte([]byte(text))
			}
			if err = l.readDeclared(text); err != nil || !l.inDoubt {
				return err
			}
		}
	}
	l.inDoubt = true
	return l.readGuessed()
}

// readGuessed reads each content that programs may decode from the leaf.
func (l *leafReader) readGuessed() error {
	var hosts []map[string]bool // the hosts that each reading shows
	defer func() { l.compare(hosts) }()
	for content, encodingErr := range l.in.Contents(l.leaf) {
		if content == nil && l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		if l.refused == nil && !l.sure {
			l.refused = encodingErr
		}
		if encodingErr != nil && strings.HasPrefix(l.leaf.MediaType, "text/") && !l.in.IsWritten(l.leaf, content) {
			shown, err := l.shownHosts(content)
			if err != nil {
				return err
			}
			hosts = append(hosts, shown)
		}
		if err := l.readContent(content); err != nil {
			return err
		}
	}
	return nil
}

// shownHosts returns the hosts of the URLs in a content that programs may show.
func (l *leafReader) shownHosts(content []byte) (map[string]bool, error) {
	const most = 256 << 10 // bytes in which hosts are compared
	hosts := make(map[string]bool)
	for link, err := range l.judge.Finder.Scan(l.ctx, string(content[:min(len(content), most)])) {
		if err != nil {
			return nil, err
		}
		if host := strings.TrimRight(link.ASCIIHost(), "="); host != "" && isTyped(link) { // "https://example.com=="
			hosts[host] = true
		}
	}
	return hosts, nil
}

// compare records that programs show different links of a broken text: each of two readings has a
// host that the other lacks. If only one of them has more hosts, the mail is honest, as where a
// list added a footer.
func (l *leafReader) compare(hosts []map[string]bool) {
	without := func(a, b map[string]bool) (least string) {
		for host := range a {
			if !b[host] && (least == "" || host < least) {
				least = host
			}
		}
		return least
	}
	for i := 1; i < len(hosts); i++ {
		first, other := without(hosts[0], hosts[i]), without(hosts[i], hosts[0])
		if l.differ[0] == "" && first != "" && other != "" {
			l.differ = [2]string{first, other}
		}
	}
}

// readContent reads the texts that programs may take a content for.
func (l *leafReader) readContent(content []byte) error {
	head := content[:min(len(content), opening.Sniffed)]
	isBinary := l.Forms[len(l.Forms)-1] == opening.Strings && (!filekind.MayBeText(head) || bytes.IndexByte(head, 0) >= 0 && !filekind.HasWideMark(head))
	if isBinary && !slices.Contains(l.Forms, opening.Signed) {
		l.opaque(filekind.Binary) // it may have compressed texts
	}
	if isBinary || l.Forms[0] == opening.Signed {
		if err := l.readStrings(content); err != nil || isBinary || opening.HoldsStrings(l.Forms) {
			return err
		}
	}
	if slices.Contains(l.Forms, opening.XML) && bytes.HasPrefix(content, []byte(stream.GzipMagic)) {
		if content = l.inflated(&l.part, content); content == nil {
			return nil
		}
	}
	if slices.Contains(l.Forms, opening.Calendar) {
		content = calendar.WithWholeCharacters(meter.New(l.ctx), content)
	}
	l.multibyte = charset.Multibyte(content)
	for text, err := range l.in.Texts(l.leaf, content) {
		if err == nil && text != l.strict {
			l.guess = l.sure || l.tried || charset.IsReplaced(text)
			l.misread = l.guess || charset.IsMojibake(text)
			err = l.readReading(text)
		}
		if err != nil {
			return err
		}
		if l.part.Reason == reasonTooManyLinks {
			return nil
		}
	}
	return l.readHosts(&l.part, l.from, l.in.Hosts(l.leaf, content, l.hostLimits()))
}

// readReading reads one of the texts that programs may make of a content.
func (l *leafReader) readReading(text string) error {
	if !l.sure && !l.tried {
		l.strict = text
	}
	l.tried = true
	return l.readText(text)
}

// readStrings reads the texts in a binary content.
func (l *leafReader) readStrings(content []byte) error {
	for text, err := range charset.ASCIIReadings(l.ctx, content) {
		if err == nil {
			err = l.readForm(opening.Strings, text)
		}
		if err != nil {
			return err
		}
		l.listNew(l.from)
		for page := range opening.PagesWithin(meter.New(l.ctx), text) {
			if err := l.readHTML(&l.part, page); err != nil {
				return err
			}
		}
	}
	return l.readPackedRTF(content)
}

// readPackedRTF reads compressed RTF in a binary content, as in a message file of Outlook.
func (l *leafReader) readPackedRTF(content []byte) error {
	for text, whole := range rtf.Unpack(l.ctx, content, 2*maxHTMLToken) {
		if !whole {
			l.tooComplex()
		}
		if err := l.readRTF(&l.part, strings.ToValidUTF8(text, "\ufffd"), l.from); err != nil {
			return err
		}
		l.listNew(l.from)
	}
	return l.ctx.Err()
}

// readDeclared reads the text of a leaf whose encoding and charset are as declared. Only such a text
// may be edited.
func (l *leafReader) readDeclared(content string) error {
	l.strict, l.sure = content, true
	err := l.readText(content)
	own := l.links[l.from:]
	if l.again != nil {
		own = own[: l.again.from-l.from : l.again.from-l.from]
	}
	t := text{leaf: l.leaf, content: content, attached: l.in != l.message, links: own, at: l.from, part: len(l.parts), inDoubt: l.inDoubt}
	switch l.leaf.MediaType {
	case "text/plain":
		t.first = isFirst(l.in, l.leaf)
		l.texts = append(l.texts, t)
	case "text/html":
		t.html, t.first = true, isBody(l.in, l.leaf)
		l.htmls = append(l.htmls, t)
	}
	return err
}

// isFirst reports whether a leaf is the first of m: a reader sees its text first.
func isFirst(m *mime.Message, leaf *mime.Part) bool {
	for first := range m.Leaves() {
		return leaf == first
	}
	return false
}

// readText reads a text in every form. Of the first form of the first text it lists all links; of the
// others only links with findings. It returns the error of the context.
func (l *leafReader) readText(content string) error {
	for _, form := range l.Forms {
		if form == opening.HTML && l.Forms[0] != opening.HTML && !strings.Contains(content, "<") {
			continue
		}
		if err := l.readForm(form, content); err != nil {
			return err
		}
		if form != opening.Message && form != opening.Signed {
			l.listNew(l.from)
		}
	}
	within := opening.HeadsWithin(content)
	if within.Kind != "" {
		l.opaque(within.Kind)
	}
	l.inYEnc = l.inYEnc || within.YEnc && l.Forms[0] == opening.Text
	if !within.Uuencode {
		return nil
	}
	return l.readUuencoded(content)
}

// readForm reads a text in one form, within the budget of mayRead.
func (l *leafReader) readForm(form opening.Form, content string) error {
	if !l.mayRead(content) {
		l.tooComplex()
		return nil
	}
	switch form {
	case opening.Text:
		return l.readLines(content)
	case opening.Strings:
		return l.readPlain(&l.part, content)
	case opening.HTML:
		return l.readHTML(&l.part, content, basesOf(l.in, l.leaf)...)
	case opening.Calendar:
		return l.readCalendar(&l.part, content, l.readCalendarFile)
	case opening.XML:
		return l.readXML(content)
	case opening.Markdown:
		return l.readLinks(linksOfMarkdown(content))
	case opening.RTF:
		return l.readRTF(&l.part, content, l.from)
	case opening.Sheet:
		return l.readLinks(sheet.Links(l.ctx, content))
	case opening.Enriched:
		return l.readEnriched(&l.part, content, l.from)
	case opening.JSON:
		return l.readJSON(&l.part, content)
	}
	return nil
}

// readLines reads plain text, including URLs with spaces and hosts that a reader repairs.
func (l *leafReader) readLines(content string) error {
	l.noteUnseen(l.part.Number, content, asWritten)
	if err := l.readPlain(&l.part, content); err != nil {
		return err
	}
	if err := l.readSpaced(&l.part, content); err != nil {
		return err
	}
	if !textview.MayRepair(content) {
		return nil
	}
	l.listNew(l.from)
	return l.readRepaired(&l.part, content, asWritten)
}

// readXML reads XML: its words, the formulas of tables, and the HTML that its texts hold.
func (l *leafReader) readXML(content string) error {
	plain := xmltext.Words(content)
	if xmltext.IsWord(plain) {
		l.opaque(filekind.Office)
	}
	if xmltext.TransformsItself(plain) {
		l.tooComplex()
	}
	if err := l.readPlain(&l.part, plain); err != nil {
		return err
	}
	if strings.Contains(content, "ormula") {
		l.listNew(l.from)
		if err := l.readLinks(sheet.Links(l.ctx, plain)); err != nil {
			return err
		}
	}
	if markup := xmltext.Markup(content); markup != "" {
		l.listNew(l.from)
		if err := l.readHTML(&l.part, markup); err != nil {
			return err
		}
	}
	if xmltext.HoldsFile(meter.New(l.ctx), content) {
		l.opaque(filekind.Binary)
	}
	return l.ctx.Err()
}

// readLinks reads the links of another form of text, which were written as HTML. whole is false if
// links were left out.
func (l *leafReader) readLinks(links string, whole bool) error {
	if !whole {
		l.tooComplex()
	}
	return l.readHTML(&l.part, links)
}

// tooComplex records that a reading of the leaf was left out.
func (l *leafReader) tooComplex() {
	l.cutPart(&l.part, reasonHTMLTooComplex)
}

// readUuencoded reads the uuencoded files in a text, which many programs show as attachments.
func (l *leafReader) readUuencoded(content string) error {
	if l.Forms[0] != opening.Text && l.Forms[0] != opening.HTML {
		return nil
	}
	return l.readFiles(charset.Uuencoded(meter.New(l.ctx), []byte(content)))
}

// readYEncoded reads the files in yEnc in a plain text. It decodes the leaf's bytes, because yEnc is
// not text in any charset.
func (l *leafReader) readYEncoded() error {
	l.listNew(l.from)
	for content := range l.in.Contents(l.leaf) {
		if err := l.readFiles(charset.YEncoded(meter.New(l.ctx), content)); err != nil {
			return err
		}
	}
	return l.ctx.Err()
}

// readFiles reads files within a text.
func (l *leafReader) readFiles(files iter.Seq[charset.File]) error {
	for file := range files {
		if err := l.readFile(file, ""); err != nil {
			return err
		}
	}
	return nil
}

// maxFilesDeep is the number of files within files of a text that are read.
const maxFilesDeep = 4

// readCalendarFile reads a file that a calendar or a vCard holds.
func (l *leafReader) readCalendarFile(item *calendar.Item) error {
	return l.readInner(charset.File{Name: item.Name, Content: []byte(item.Value)}, item.Type)
}

// readInner reads a file inside a calendar or vCard once. Every reading of that part's charset yields
// the file again.
func (l *leafReader) readInner(file charset.File, mediaType string) error {
	if l.filesDeep == maxFilesDeep {
		l.tooComplex()
		return nil
	}
	hash := maphash.Comparable(fileSeed, [...]string{file.Name, mediaType, string(file.Content)})
	if l.inner[hash] {
		return nil
	}
	if l.inner == nil {
		l.inner = make(map[uint64]bool)
	}
	l.inner[hash] = true
	return l.readFile(file, mediaType)
}

var fileSeed = maphash.MakeSeed()

// readFile reads a file that a text contains, such as a uuencoded one, in each charset that it may have.
func (l *leafReader) readFile(file charset.File, mediaType string) error {
	l.filesDeep++
	defer func() { l.filesDeep-- }()
	l.noteFile(file, mediaType)
	for decoded, err := range charset.Readings(l.ctx, "", file.Content) {
		if err == nil {
			err = l.readFileText(file.Name, mediaType, decoded)
		}
		if err != nil {
			return err
		}
	}
	return l.readHosts(&l.part, l.from, charset.Hosts(l.ctx, "", file.Content, l.hostLimits()))
}

// noteFile records a file within a text if its content is not read, or if it is a message to read
// later.
func (l *leafReader) noteFile(file charset.File, mediaType string) {
	o := opening.OfFile(file.Name, mediaType, file.Content)
	if o.Kind == "" && slices.Contains(o.Forms, opening.Strings) {
		o.Kind = filekind.Binary
	}
	if o.Kind != "" {
		l.opaque(o.Kind)
	}
	isKnown := slices.ContainsFunc(l.enclosed, func(other []byte) bool { return bytes.Equal(other, file.Content) })
	switch {
	case !slices.Contains(o.Forms, opening.Message) || isKnown:
	case len(l.enclosed) < l.limits.Parts:
		l.enclosed = append(l.enclosed, file.Content)
	default:
		l.cutPart(&l.part, report.Reason(mime.ReasonTooManyParts))
	}
}

// readFileText reads the text of a file in the forms of its type, name and content.
func (l *leafReader) readFileText(name, mediaType, content string) error {
	o := opening.OfFile(name, mediaType, []byte(content[:min(len(content), opening.Sniffed)]))
	for _, form := range o.Forms {
		if err := l.readForm(form, content); err != nil {
			return err
		}
	}
	return nil
}

// settlePart sets the outcome of the part when reading is over.
func (l *leafReader) settlePart() {
	if reason := unreadAs(l.leaf.MediaType); reason != "" {
		l.part.Outcome, l.part.Reason = report.OutcomeUnread, reason
		l.cut(reason)
		return
	}
	if l.leaf.MediaType == "application/pgp-encrypted" || slices.Contains(l.Forms, opening.Signed) {
		l.part.Outcome, l.part.Locked = report.OutcomeUnread, reasonEncrypted
		return
	}
	if l.refused == nil || l.ctx.Err() != nil {
		return
	}
	reason := reasonOf(l.refused)
	l.part.Locked = reason
	switch {
	case mime.Reason(reason).Slip():
		l.flaw(reason)
	case !mime.Reason(reason).Guessed():
		l.part.Outcome, l.part.Reason = report.OutcomeUnread, reason
		l.cut(reason)
	}
}
