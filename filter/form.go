package filter

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/filekind"
)

// A form is how programs open a part. A part may have several: by its media type, by each
// of its names and by its content.
type form uint8

const (
	formText     form = iota + 1 // lines of text
	formHTML                     // HTML, SVG and other XML
	formCalendar                 // iCalendar, vCard or LDIF
	formSigned                   // a message within a signature
	formMessage                  // a message, also one that holds a web page (RFC 2557)
	formXML                      // XML of any vocabulary
	formRTF                      // rich text
	formMarkdown                 // Markdown (RFC 7763), whose links have a text
	formSheet                    // a table whose formulas are links with a text
	formEnriched                 // enriched text (RFC 1896), whose commands have parameters
	formJSON                     // JSON or a script, whose strings have escapes
	formStrings                  // a binary format that holds text
)

// opening says how programs open a part.
type opening struct {
	forms []form // the form of the media type first; empty for a part that is not read
	kind  string // what a part is that is not read; empty otherwise
}

func (o *opening) openAs(forms ...form) {
	if o.forms == nil {
		o.forms = slices.Clip(forms) // each is there once
		return
	}
	for _, f := range forms {
		if !slices.Contains(o.forms, f) {
			o.forms = append(o.forms, f)
		}
	}
}

// typeForms are media types with a form of their own.
var typeForms = map[string][]form{
	"text/plain": {formText}, "text/css": {formText}, "text/csv": {formText, formSheet}, "text/javascript": {formText, formJSON},
	"text/enriched": {formText, formHTML, formEnriched}, "text/richtext": {formText, formHTML, formEnriched},
	"text/rfc822-headers": {formText, formMessage},
	"text/rtf":            {formRTF}, "application/rtf": {formRTF}, "application/x-rtf": {formRTF},
	"text/directory": {formCalendar}, "application/ics": {formCalendar},
	"message/rfc822": {formMessage}, "message/global": {formMessage}, "message/news": {formMessage},
	"application/x-mimearchive": {formMessage}, "application/pkcs7-mime": {formSigned, formStrings},
	"application/x-pkcs7-mime": {formSigned, formStrings}, "application/vnd.ms-outlook": {formStrings},
	"application/ms-tnef": {formStrings}, "application/vnd.ms-tnef": {formStrings},
	"application/pgp-encrypted": {formText},
	"application/javascript":    {formText, formJSON}, "application/x-javascript": {formText, formJSON},
	"application/mbox":        {formMessage},
	"application/x-mswebsite": {formText}, "application/internet-shortcut": {formText},
	"application/x-desktop": {formText}, "application/pgp-keys": {formText},
}

// byType returns the forms of a media type, or what kind of content it is.
func byType(mediaType string) (o opening) {
	major, minor, _ := strings.Cut(mediaType, "/")
	within := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(minor, word) })
	}
	forms, known := typeForms[mediaType]
	switch {
	case known:
		o.openAs(forms...)
	case within("xhtml"):
		o.openAs(formHTML, formXML)
	case within("html"):
		o.openAs(formHTML)
	case within("json"):
		o.openAs(formText, formJSON)
	case within("calendar", "vcard", "vcal", "icalendar", "ldif"):
		o.openAs(formCalendar)
	case within("mpegurl", "scpls", "mpeg.url", "winhttp", "x-rdp", "realaudio", "realmedia"):
		o.openAs(formText, formHTML)
	case within("xml", "svg") && !within("openxml", "officedocument"):
		o.openAs(formHTML, formXML)
	case within("markdown", "commonmark"):
		o.openAs(formText, formHTML, formMarkdown)
	case within("csv", "-separated-values", "sylk"):
		o.openAs(formText, formSheet)
	case major == "text":
		o.openAs(formText, formHTML)
	case mediaType == "message/external-body":
		o.openAs(formText)
	case major == "message" && within("delivery", "notification", "report", "status"):
		o.openAs(formText)
	case major == "message":
		o.openAs(formText, formHTML)
	default:
		o.kind = kindOfType(major, minor)
	}
	if major == "message" && mediaType != "message/external-body" {
		o.openAs(formMessage)
	}
	return o
}

// kindWords are words in a media type that say what kind of content it is.
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

// kindOfType returns the kind of content of a media type, "" for one that says nothing.
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
var suffixForms = func() map[string][]form {
	all := make(map[string][]form)
	for _, entry := range []struct {
		suffixes string
		forms    []form
	}{
		{"htm html dochtml dothtml xlshtml xlthtml ppthtml pothtml phtml jhtml dhtml xhtm shtml shtm stm hta htc htx asp aspx php jsp cfm do", []form{formHTML}},
		{"xhtml xht webarchive xdp xfdf fb2 docxml xlxml pptxml svg svgz xml xsl xslt xsd rss atom kml gpx opml xul xaml webloc inetloc plist mathml mml vml rdf", []form{formHTML, formXML}},
		{"asx wax wvx wmx wpl zpl xspf smi smil sami ttml qtl metalink meta4 jnlp fodt fods fodp fodg application appinstaller contact", []form{formHTML, formXML}},
		{"search-ms searchconnector-ms library-ms settingcontent-ms mobileconfig odc wsf wsc sct msc", []form{formHTML, formXML}},
		{"ics ifb ical icalendar vcs vcf vcard hcal ldif ldi", []form{formCalendar}},
		{"eml mht mhtml mhtm docmhtml xlsmhtml pptmhtml nws emlx mim mime rfc822", []form{formMessage}},
		{"p7m p7z", []form{formSigned}},
		{"mbox mbx", []form{formMessage}},
		{"rtf", []form{formRTF}},
		{"msg oft tnef lnk one p7m p7z webloc webarchive torrent", []form{formStrings}},
		{"m3u m3u8 pls ram strm rdp ica ovpn theme scf iqy oqy dqy rqy appref-ms vnt", []form{formText}},
		{"csv tsv tab slk dif", []form{formText, formSheet}},
		{"json jsonl json5 ndjson jsonld geojson ipynb webmanifest js mjs jse vbs vbe ps1 psm1 bat cmd yaml yml toml har map", []form{formText, formJSON}},
		{"md markdown mdown mkd mkdn mdwn mdtxt mdtext rmd qmd mdx", []form{formText, formHTML, formMarkdown}},
		{"srt vtt ssa ass", []form{formText, formHTML}},
		{"txt text rst adoc log css url website desktop ini conf cfg inf reg tex sh diff patch diz nfo me 1st properties sql c h py pl rb go java asp aspx php jsp cfm", []form{formText}},
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

// byName returns the forms of a file by its name, or what kind of file it is.
func byName(name string) (forms []form, kind string) {
	suffix := suffixOf(name)
	return suffixForms[suffix], suffixKinds[suffix]
}

// suffixOf returns the suffix of a file name in lower case, as the system that opens the
// file reads it: without invisible characters, and without dots and spaces at the end.
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
	return strings.ToLower(strings.Join(strings.Fields(suffix), "")) // programs unfold a name with and without its space
}
