// Package opening says how programs open a part of a message, judged by its media type, its names and
// its first bytes.
//
// It is a part of the program linkmilter and exports only what its other packages use.
package opening

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/filekind"
	"github.com/linkmilter/linkmilter/internal/meter"
	"github.com/linkmilter/linkmilter/internal/stream"
	"github.com/linkmilter/linkmilter/mime"
)

// Of returns how programs open a leaf of m.
func Of(m *mime.Message, leaf *mime.Part) Opening {
	o := byType(leaf.MediaType)
	names := m.Names(leaf)
	kind := ""
	for _, name := range names {
		forms, named := byName(name)
		o.OpenAs(forms...)
		if kind == "" {
			kind = named
		}
	}
	if len(o.Forms) > 0 {
		if kind == filekind.Office || o.Kind == filekind.Office || slices.Contains(o.Forms, RTF) {
			o.openAsOffice(m.Beginnings(leaf, Sniffed))
		}
		if o.Kind = ""; len(names) > 0 || leaf.IsAttachment() || HoldsStrings(o.Forms) {
			o.check(m.Beginnings(leaf, Sniffed), kind)
		}
		return o
	}
	if start, silent := silentTypes[leaf.MediaType]; silent && begins(m, leaf, start) {
		return Opening{}
	}
	if o.Kind == "" || kind == filekind.Office {
		o.Kind = kind
	}
	for _, head := range m.Beginnings(leaf, Sniffed) {
		if len(head) == 0 {
			continue
		}
		if o.sniff(head); len(o.Forms) > 0 {
			break
		}
	}
	return o
}

// OfFile returns how programs open a file inside a text.
func OfFile(name, mediaType string, content []byte) Opening {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	o := byType(strings.ToLower(strings.TrimSpace(mediaType)))
	forms, kind := byName(name)
	o.OpenAs(forms...)
	o.Kind = cmp.Or(kind, o.Kind)
	o.sniff(content[:min(len(content), Sniffed)])
	return o
}

// openAsOffice adds the forms in which office programs open a text. They look at its first bytes,
// whatever the type and name say, and open any other text as a table.
func (o *Opening) openAsOffice(heads [][]byte) {
	for _, head := range heads {
		switch start := filekind.Start(head); {
		case filekind.IsMarkup(start):
			o.OpenAs(HTML, XML)
		case filekind.IsRTF(start):
			o.OpenAs(RTF)
		case filekind.IsHeader(start) && bytes.Contains(bytes.ToLower(start), []byte("mime-version:")):
			o.OpenAs(Message)
		case filekind.MayBeText(head):
			o.OpenAs(Sheet)
		}
	}
}

// check compares the forms of an attachment with its contents. kind is the kind that its names say. If
// a content is no text, check sets the kind of the opening.
func (o *Opening) check(heads [][]byte, kind string) {
	isOfStrings := HoldsStrings(o.Forms)
	for _, head := range heads {
		switch found := filekind.Of(head); {
		case isOfStrings:
			o.sniff(head)
		case filekind.IsTNEF(head):
			o.OpenAs(Strings)
		case slices.Contains(o.Forms, XML) && bytes.HasPrefix(head, []byte(stream.GzipMagic)):
			continue // SVG is read compressed by gzip
		case found != "" || !filekind.MayBeText(head) || kind != "" && filekind.HoldsPDF(head):
			o.Kind = cmp.Or(kind, found, filekind.Binary)
		}
	}
}

// HoldsStrings reports whether all forms are Strings, that of binary formats with texts.
func HoldsStrings(forms []Form) bool {
	return !slices.ContainsFunc(forms, func(f Form) bool { return f != Strings && f != Signed })
}

// silentTypes are types of signatures, of which programs show nothing. The value is how such a content
// begins: in OpenPGP's armor, or in DER.
var silentTypes = map[string]string{
	"application/pgp-signature": "-----BEGIN PGP SIGNATURE-----", "application/pkcs7-signature": "\x30", "application/x-pkcs7-signature": "\x30",
}

// begins reports whether each content of a leaf is empty or begins with start, after white space.
func begins(m *mime.Message, leaf *mime.Part, start string) bool {
	for _, head := range m.Beginnings(leaf, Sniffed) {
		if head = bytes.TrimSpace(head); len(head) > 0 && !bytes.HasPrefix(head, []byte(start)) {
			return false
		}
	}
	return true
}

// Sniffed is how many bytes of a content are read to tell its format.
const Sniffed = 1 << 10

// sniff adds the forms of a content by its first bytes. If the declared type is a binary kind and the
// bytes are text, the text is read, but the kind stays: the bytes may be damaged.
func (o *Opening) sniff(head []byte) {
	switch start := filekind.Start(head); {
	case filekind.IsMarkup(start):
		o.OpenAs(HTML, XML)
	case filekind.IsCalendar(string(start)):
		o.OpenAs(Calendar)
	case filekind.IsRTF(start):
		o.OpenAs(RTF)
	case filekind.IsHeader(start), filekind.IsMailbox(start):
		o.OpenAs(Message)
	case filekind.IsTNEF(head):
		o.OpenAs(Strings)
	}
	if len(o.Forms) > 0 {
		o.Kind = ""
		return
	}
	switch kind := filekind.Of(head); {
	case kind != "":
		o.Kind = cmp.Or(o.Kind, kind)
	case filekind.MayBeText(head):
		if o.OpenAs(Text, HTML); bytes.HasPrefix(filekind.Start(head), []byte("<")) {
			o.OpenAs(XML)
		}
		if o.Kind == filekind.Office {
			o.OpenAs(Sheet) // spreadsheet programs open text files whose names end like their own formats
		}
		if filekind.HoldsPDF(head) {
			o.Kind = cmp.Or(o.Kind, "pdf")
		}
	default:
		o.Kind = cmp.Or(o.Kind, filekind.Binary)
	}
}

// maxOpenPage is the length in bytes up to which a page without an end tag is read in a binary content.
const maxOpenPage = 64 << 10

// PagesWithin iterates over the HTML pages in the strings of a binary content, such as the text of
// an Outlook message. It stops when the context of t ends.
func PagesWithin(t *meter.Meter, text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		closing := 0 // offset of the next end tag of a page, or -1
		for at := 0; ; {
			i := strings.IndexByte(text[at:], '<')
			if i < 0 || t.Spend(i+1) != nil {
				return
			}
			at += i
			if !slices.ContainsFunc(pageStarts, func(start string) bool { return ascii.HasPrefixFold(text[at:], start) }) {
				at++
				continue
			}
			if 0 <= closing && closing <= at {
				closing = endOfPage(text, at)
			}
			end := closing
			if end < 0 {
				end = min(len(text), at+maxOpenPage)
			}
			if !yield(text[at:end]) {
				return
			}
			at = end
		}
	}
}

// pageStarts are the tags with which a page in a binary content may begin.
var pageStarts = []string{"<html", "<body", "<a "}

// endOfPage returns the offset of the first </html> after an offset, or -1.
func endOfPage(text string, from int) int {
	for at := from; ; at++ {
		i := strings.Index(text[at:], "</")
		if i < 0 {
			return -1
		}
		if at += i; ascii.HasPrefixFold(text[at:], "</html") {
			return at
		}
	}
}

// heads tells which lines in a text begin an embedded file, or a content that is not read.
type heads struct {
	Kind           string // kind of a content that is not read, or ""
	Uuencode, YEnc bool   // there may be a file in uuencode or yEnc
}

// unreadHeads are the beginnings of lines in front of contents that are not read.
var unreadHeads = [...]struct{ kind, head string }{
	{filekind.Encrypted, charset.ArmorHead + "PGP MESSAGE-----"},
	{filekind.Encrypted, charset.ArmorHead + "PGP MESSAGE, PART "},
	{filekind.Encrypted, charset.ArmorHead + "PKCS7-----"},
	{filekind.Encrypted, charset.ArmorHead + "CMS-----"},
	{filekind.Encrypted, charset.ArmorHead + "AGE ENCRYPTED FILE-----"},
	{filekind.Archive, charset.BinHexHead},
}

// HeadsWithin finds the lines in a text that begin a file or an unread content.
func HeadsWithin(text string) heads {
	h := heads{Uuencode: hasHead(text, charset.UUHead), YEnc: hasHead(text, charset.YEncHead)}
	for _, u := range unreadHeads {
		if hasHead(text, u.head) {
			h.Kind = cmp.Or(h.Kind, u.kind)
		}
	}
	// Programs find a whole message in OpenPGP's armor anywhere in a line.
	if _, armor, ok := strings.Cut(text, unreadHeads[0].head); ok && strings.Contains(armor, "-----END PGP MESSAGE-----") {
		h.Kind = filekind.Encrypted
	}
	return h
}

// hasHead reports whether a line of a text begins with head, after blanks or not. A ">" may be in front
// of it: the end of an HTML tag or a quote mark.
func hasHead(text, head string) bool {
	for rest := text; ; {
		i := strings.Index(rest, head)
		if i < 0 {
			return false
		}
		before := strings.TrimRight(text[:len(text)-len(rest)+i], " \t")
		if before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, ">") {
			return true
		}
		rest = rest[i+len(head):]
	}
}

// A Form is a way in which programs open a part. A part may have several forms: by its media type, its
// names and its content.
type Form uint8

const (
	Text     Form = iota + 1 // lines of text
	HTML                     // HTML, SVG and other XML
	Calendar                 // iCalendar, vCard or LDIF
	Signed                   // a message inside a signature
	Message                  // a message, also one that holds a web page (RFC 2557)
	XML                      // XML of any vocabulary
	RTF                      // rich text
	Markdown                 // Markdown (RFC 7763), whose links have a text
	Sheet                    // a table whose formulas are links with a text
	Enriched                 // enriched text (RFC 1896), whose commands have parameters
	JSON                     // JSON or a script, whose strings have escapes
	Strings                  // a binary format that holds text
)

// Opening says how programs open a part.
type Opening struct {
	Forms []Form // the form of the media type first; empty for a part that is not read
	Kind  string // the kind of a part that is not read, otherwise empty
}

func (o *Opening) OpenAs(forms ...Form) {
	if o.Forms == nil {
		o.Forms = slices.Clip(forms) // no form is there twice
		return
	}
	for _, f := range forms {
		if !slices.Contains(o.Forms, f) {
			o.Forms = append(o.Forms, f)
		}
	}
}

// TypeForms are the forms of media types whose names do not show their form to byType.
var TypeForms = map[string][]Form{
	"text/plain": {Text}, "text/css": {Text}, "text/csv": {Text, Sheet}, "text/javascript": {Text, JSON},
	"text/enriched": {Text, HTML, Enriched}, "text/richtext": {Text, HTML, Enriched},
	"text/rfc822-headers": {Text, Message},
	"text/rtf":            {RTF}, "application/rtf": {RTF}, "application/x-rtf": {RTF},
	"text/directory": {Calendar}, "application/ics": {Calendar},
	"message/rfc822": {Message}, "message/global": {Message}, "message/news": {Message},
	"application/x-mimearchive": {Message}, "application/pkcs7-mime": {Signed, Strings},
	"application/x-pkcs7-mime": {Signed, Strings}, "application/vnd.ms-outlook": {Strings},
	"application/ms-tnef": {Strings}, "application/vnd.ms-tnef": {Strings},
	"application/pgp-encrypted": {Text},
	"application/javascript":    {Text, JSON}, "application/x-javascript": {Text, JSON},
	"application/mbox":        {Message},
	"application/x-mswebsite": {Text}, "application/internet-shortcut": {Text},
	"application/x-desktop": {Text}, "application/pgp-keys": {Text},
}

// byType returns the forms of a media type, or its kind of content if it is not read.
func byType(mediaType string) (o Opening) {
	major, minor, _ := strings.Cut(mediaType, "/")
	within := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(minor, word) })
	}
	forms, known := TypeForms[mediaType]
	switch {
	case known:
		o.OpenAs(forms...)
	case within("xhtml"):
		o.OpenAs(HTML, XML)
	case within("html"):
		o.OpenAs(HTML)
	case within("json"):
		o.OpenAs(Text, JSON)
	case within("calendar", "vcard", "vcal", "icalendar", "ldif"):
		o.OpenAs(Calendar)
	case within("mpegurl", "scpls", "mpeg.url", "winhttp", "x-rdp", "realaudio", "realmedia"):
		o.OpenAs(Text, HTML)
	case within("xml", "svg") && !within("openxml", "officedocument"):
		o.OpenAs(HTML, XML)
	case within("markdown", "commonmark"):
		o.OpenAs(Text, HTML, Markdown)
	case within("csv", "-separated-values", "sylk"):
		o.OpenAs(Text, Sheet)
	case major == "text":
		o.OpenAs(Text, HTML)
	case mediaType == "message/external-body":
		o.OpenAs(Text)
	case major == "message" && within("delivery", "notification", "report", "status"):
		o.OpenAs(Text)
	case major == "message":
		o.OpenAs(Text, HTML)
	default:
		o.Kind = kindOfType(major, minor)
	}
	if major == "message" && mediaType != "message/external-body" {
		o.OpenAs(Message)
	}
	return o
}

// kindWords are words in media types, with the kind of content that they tell.
var kindWords = []struct {
	kind  string
	words []string
}{
	{"pdf", []string{"pdf", "fdf", "postscript"}},
	{filekind.Encrypted, []string{"encrypted", "pkcs7", "pgp", "rpmsg"}},
	{filekind.Office, []string{"msword", "officedocument", "opendocument", "ms-", "excel", "powerpoint", "onenote", "iwork", "wordperfect", "lotus"}},
	{filekind.Archive, []string{"binhex", "zip", "rar", "tar", "7z", "bzip", "archive", "compress", "xz", "iso9660", "cab"}},
	{"image", []string{"dicom"}},
	{"font", []string{"font"}},
	{"video", []string{"mp4"}},
}

// kindOfType returns the kind of content of a media type, or "" if the type does not tell.
func kindOfType(major, minor string) string {
	switch major {
	case "image", "audio", "video", "font":
		return major
	}
	for _, k := range kindWords {
		if slices.ContainsFunc(k.words, func(word string) bool { return strings.Contains(minor, word) }) {
			return k.kind
		}
	}
	return ""
}

// suffixForms are the forms of files by their suffix.
var suffixForms = func() map[string][]Form {
	all := make(map[string][]Form)
	for _, entry := range []struct {
		suffixes string
		forms    []Form
	}{
		{"htm html dochtml dothtml xlshtml xlthtml ppthtml pothtml phtml jhtml dhtml xhtm shtml shtm stm hta htc htx asp aspx php jsp cfm do", []Form{HTML}},
		{"xhtml xht webarchive xdp xfdf fb2 docxml xlxml pptxml svg svgz xml xsl xslt xsd rss atom kml gpx opml xul xaml webloc inetloc plist mathml mml vml rdf", []Form{HTML, XML}},
		{"asx wax wvx wmx wpl zpl xspf smi smil sami ttml qtl metalink meta4 jnlp fodt fods fodp fodg application appinstaller contact", []Form{HTML, XML}},
		{"search-ms searchconnector-ms library-ms settingcontent-ms mobileconfig odc wsf wsc sct msc", []Form{HTML, XML}},
		{"ics ifb ical icalendar vcs vcf vcard hcal ldif ldi", []Form{Calendar}},
		{"eml mht mhtml mhtm docmhtml xlsmhtml pptmhtml nws emlx mim mime rfc822", []Form{Message}},
		{"p7m p7z", []Form{Signed}},
		{"mbox mbx", []Form{Message}},
		{"rtf", []Form{RTF}},
		{"msg oft tnef lnk one p7m p7z webloc webarchive torrent", []Form{Strings}},
		{"m3u m3u8 pls ram strm rdp ica ovpn theme scf iqy oqy dqy rqy appref-ms vnt", []Form{Text}},
		{"csv tsv tab slk dif", []Form{Text, Sheet}},
		{"json jsonl json5 ndjson jsonld geojson ipynb webmanifest js mjs jse vbs vbe ps1 psm1 bat cmd yaml yml toml har map", []Form{Text, JSON}},
		{"md markdown mdown mkd mkdn mdwn mdtxt mdtext rmd qmd mdx", []Form{Text, HTML, Markdown}},
		{"srt vtt ssa ass", []Form{Text, HTML}},
		{"txt text rst adoc log css url website desktop ini conf cfg inf reg tex sh diff patch diz nfo me 1st properties sql c h py pl rb go java asp aspx php jsp cfm", []Form{Text}},
	} {
		for suffix := range strings.FieldsSeq(entry.suffixes) {
			all[suffix] = append(all[suffix], entry.forms...)
		}
	}
	return all
}()

// suffixKinds are the kinds of files that are not read, by their suffix.
var suffixKinds = func() map[string]string {
	all := make(map[string]string)
	for kind, suffixes := range map[string]string{
		"pdf":              "pdf fdf ai ps eps",
		filekind.Office:    "doc docx docm dot dotx dotm wps wri xls xlsx xlsm xlsb xlt xltx xltm xlw xlm xla xlam xlk wbk wiz ppt pptx pptm pps ppsx ppsm potx potm ppam ott ots otp odt ods odp odg pages numbers key vsd vsdx pub mpp accdb sxw sxc sxi wpd wk1 wk4 123",
		filekind.Archive:   "zip rar 7z gz tgz tar bz2 xz zst cab iso img jar apk hqx arj lzh ace vhd vhdx dmg lzma tbz tbz2 txz tlz z wim cpio deb rpm udf crx xpi",
		"image":            "png jpg jpeg jpe gif bmp tif tiff webp ico heic heif avif psd emf wmf dcm",
		"audio":            "mp3 wav ogg oga m4a flac aac wma amr mid",
		"video":            "mp4 mov avi mkv webm wmv mpg mpeg m4v 3gp",
		"font":             "ttf otf ttc woff woff2 eot",
		filekind.Encrypted: "p7e pgp gpg age rpmsg",
	} {
		for suffix := range strings.FieldsSeq(suffixes) {
			all[suffix] = kind
		}
	}
	return all
}()

// byName returns the forms of a file by its name, or its kind if it is not read.
func byName(name string) (forms []Form, kind string) {
	suffix := suffixOf(name)
	return suffixForms[suffix], suffixKinds[suffix]
}

// suffixOf returns the suffix of a file name in lower case, as the operating system reads it: without
// invisible characters, and without dots and spaces at the end.
func suffixOf(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) {
			return -1
		}
		return r
	}, name)
	if !ascii.Is(name) {
		name = norm.NFKC.String(name) // programs with a code page save a full-width dot as "."
	}
	name, _, _ = strings.Cut(name, "::$") // a stream of NTFS
	name = strings.TrimRightFunc(name, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`."'<>;,/\`, r) })
	suffix := name[strings.LastIndexAny(name, `./\`)+1:]
	if len(suffix) == len(name) {
		return ""
	}
	return strings.ToLower(strings.Join(strings.Fields(suffix), "")) // programs unfold a name with or without the space
}
