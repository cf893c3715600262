package charset

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// looseCharset returns the canonical name of a charset as lenient programs read it: the first word
// of the label, without quotes. It may be any usual name of a code page.
func looseCharset(label string) string {
	label = strings.TrimLeft(label, "\"' \t")
	label, _, _ = strings.Cut(label, "*") // a language (RFC 2231 §5)
	if i := strings.IndexAny(label, "\"';, \t"); i >= 0 {
		label = label[:i]
	}
	name := Canonical(label)
	if known(name) {
		return name
	}
	name = Canonical(strings.Map(hyphen, name))
	if known(name) {
		return name
	}
	if usual := usualNames[compact(name)]; usual != "" {
		return usual
	}
	if part := isoPart().FindStringSubmatch(name); part != nil && known("iso-8859-"+part[1]) {
		return "iso-8859-" + part[1]
	}
	if page := codePage().FindStringSubmatch(name); page != nil {
		for _, prefix := range []string{"windows-", "ibm", "cp"} {
			if known(prefix + page[1]) {
				return prefix + page[1]
			}
		}
	}
	return name
}

// codePage matches the names of a code page of Windows or of IBM.
var codePage = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:x-)?(?:cp|win|windows|ms|ibm|ebcdic-cp|ebcdic|ccsid)-?)?0*(\d{3,5})$`)
})

// isoPart matches the names of a part of ISO 8859 with the year of the standard.
var isoPart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:iso-?)?8859-(\d{1,2})(?:[-:]\d{4})?e?$`)
})

// hyphen returns a hyphen in place of a sign between words, as Python normalises names.
func hyphen(r rune) rune {
	if r < utf8.RuneSelf && !ascii.IsAlphanumeric(byte(r)) && r != '.' && r != ':' {
		return '-'
	}
	return r
}

// compact returns a name without the signs between its words.
func compact(name string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && !ascii.IsAlphanumeric(byte(r)) {
			return -1
		}
		return r
	}, name)
}

// usualNames maps further names of charsets, without signs, that iconv, Python or mail programs
// know. A charset whose name ends with inPart is read only in part.
var usualNames = func() map[string]string {
	names := make(map[string]string)
	for name, others := range map[string]string{
		"us-ascii": "ansix341968 ansix341986 iso646irv1991",
		"utf-7":    "utf7 u7", "utf-7-imap": "utf7imap", "utf-8": "utf utf8 u8 utf8sig utf8ucs2 utf8ucs4 cp65001 65001 iso10646utf8",
		"utf-16": "u16 iso10646", "utf-16le": "utf16le ucs2 ucs2le iso10646ucs2 unicodelittle unicodelittleunmarked", "utf-16be": "utf16be ucs2be unicodebig unicodebigunmarked",
		"utf-32": "utf32 u32 ucs4 csucs4 iso10646ucs4 wchart", "utf-32le": "utf32le ucs4le", "utf-32be": "utf32be ucs4be",
		"iso-2022-jp": "iso2022jp", "iso-2022-jp-2": "iso2022jp1 iso2022jp2 iso2022jpext csiso2022jp2",
		"iso-2022-kr": "iso2022kr csiso2022kr",
		"shift_jis":   "shiftjis sjis sjiswin sjisopen mskanji xmacjapanese 932 ibm932 ibm943 cswindows31j",
		"euc-jp":      "eucjp eucjpms eucjpwin eucjpopen ujis",
		"euc-kr":      "euckr 949 ksc5601 ksx1001 ksc56011987 mscp949 xmackorean",
		"gb18030":     "gb180302000", "gbk": "936 gb231280 gb23121980 euccn eucgb2312cn cngb gb xmacsimpchinese", "hz-gb-2312": "hzgb hzgb2312",
		"big5":      "950 bigfive big5tw big5hkscs hkscs xmactradchinese",
		"macintosh": "macroman msmacroman", "x-mac-cyrillic": "maccyrillic msmaccyrillic macuk macukrainian 10007 cp10007",
		"windows-1250": "msee", "windows-1251": "mscyrl", "windows-1252": "ansi msansi", "windows-1253": "msgreek", "windows-1254": "msturk", "windows-1255": "mshebr", "windows-1256": "msarab",
		"iso-8859-1": "8859 iso8859 latin", "iso-8859-7": "elot928", "iso-8859-13": "l7 latin7",
		"windows-874": "isoir166 tis620 tis6200 tis62025290 tis62025291 tis62025330 thai",

		"iso-2022-jp-2004" + inPart: "iso2022jp3 iso2022jp2004", "iso-2022-cn" + inPart: "iso2022cn iso2022cnext csiso2022cn",
		"shift_jis-2004" + inPart: "sjis2004 shiftjis2004 sjisx0213 shiftjisx0213", "euc-jis-2004" + inPart: "eucjis2004 eucjisx0213 jisx0213",
		"euc-tw" + inPart: "euctw osf0005000a", "unicode-escape" + inPart: "unicodeescape", "raw-unicode-escape" + inPart: "rawunicodeescape",
		"punycode" + inPart: "punycode", "idna" + inPart: "idna",
		"ibm866" + inPart: "1125 cp1125 ibm1125 ruscii cp866u 866nav cp866nav ibm866nav", "ibm850" + inPart: "858 cp858 ibm858 csibm858 cspc858multilingual",
		"windows-1251" + inPart: "pt154 cp154 ptcp154 csptcp154 cyrillicasian kz1048 rk1048 strk10482002", "koi8-r" + inPart: "koi8 koi8t koi8ru",
	} {
		for other := range strings.FieldsSeq(others) {
			names[other] = name
		}
	}
	return names
}()

// Usual returns the encoding of the charset with any usual name, or nil.
func Usual(label string) encoding.Encoding { return Lookup(looseCharset(label)) }

// IsReadable reports whether [Readings] decodes the whole charset of a label, though [Lookup] may
// not have it.
func IsReadable(label string) bool {
	name := looseCharset(label)
	return known(name) && !strings.HasSuffix(name, inPart)
}

// known reports whether the charset with a canonical name can be decoded, at least in part.
func known(name string) bool { return name != "" && decoderOf(name) != nil }

// mark returns the charset of the byte order mark that a content begins with, and the
// length of the mark; "" without a mark.
func mark(content []byte) (name string, size int) {
	for _, m := range []struct{ mark, name string }{
		{"\xEF\xBB\xBF", "utf-8"},
		{"\xFF\xFE\x00\x00", "utf-32le"},
		{"\x00\x00\xFE\xFF", "utf-32be"},
		{"\xFF\xFE", "utf-16le"},
		{"\xFE\xFF", "utf-16be"},
		{"+/v8", "utf-7"},
		{"+/v9", "utf-7"},
		{"+/v+", "utf-7"},
		{"+/v/", "utf-7"},
	} {
		if bytes.HasPrefix(content, []byte(m.mark)) {
			if m.name == "utf-7" {
				return m.name, 0 // the mark shares a digit with what follows
			}
			return m.name, len(m.mark)
		}
	}
	return "", 0
}
