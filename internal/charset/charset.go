package charset

import (
	"bytes"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// aliases are names in mail that neither index of x/text has, or that its index for HTML maps to a
// superset, as it maps iso8859-1 to windows-1252.
var aliases = map[string]string{
	"646": "us-ascii", "ansi_x3.4-1968": "us-ascii", "ascii": "us-ascii", "iso646-us": "us-ascii",
	"us": "us-ascii", "us_ascii": "us-ascii",
	"utf8": "utf-8", "unicode-1-1-utf-8": "utf-8",
	"unicode-1-1-utf-7": "utf-7", "utf7": "utf-7", "csutf7": "utf-7",
	"utf16": "utf-16", "utf16le": "utf-16le", "utf16be": "utf-16be",
	// The index for HTML takes these for UTF-16 without a byte order mark.
	"unicode": "utf-16le", "csunicode": "utf-16le", "iso-10646-ucs-2": "utf-16le", "ucs-2": "utf-16le", "unicodefeff": "utf-16le",
	"unicodefffe": "utf-16be",
	"1026":        "ibm1026", "cp1026": "ibm1026", "csibm1026": "ibm1026",
	"8859_1": "iso-8859-1", "latin-1": "iso-8859-1", "iso88591": "iso-8859-1",
	"latin-9": "iso-8859-15", "latin9": "iso-8859-15",
}

// moreEncodings are charsets by the code page names that mail uses for them.
var moreEncodings = map[string]encoding.Encoding{
	"cp932": japanese.ShiftJIS, "eucjp": japanese.EUCJP, "eucjp-ms": japanese.EUCJP,
	"iso-2022-jp-1": japanese.ISO2022JP, "iso-2022-jp-2": japanese.ISO2022JP, "iso-2022-jp-ms": japanese.ISO2022JP,
	"cp50220": japanese.ISO2022JP, "cp50221": japanese.ISO2022JP, "cp50222": japanese.ISO2022JP,
	"cp949": korean.EUCKR, "uhc": korean.EUCKR,
	"cp936": simplifiedchinese.GBK, "euc-cn": simplifiedchinese.GBK,
	"cp950": traditionalchinese.Big5,
	"koi8r": charmap.KOI8R, "koi8u": charmap.KOI8U,
	// Their names in the index for HTML are windows-1252 and windows-874.
	"iso-8859-1":  charmap.ISO8859_1,
	"iso-8859-11": charmap.Windows874,
}

// Canonical returns the name that [Lookup] knows for the label of a charset: in lower case, and the
// same for all spellings in mail.
func Canonical(label string) string {
	if label == "utf-8" || label == "us-ascii" { // true for most mail
		return label
	}
	name := strings.ToLower(strings.Trim(label, " \t"))
	if digits, ok := strings.CutPrefix(name, "iso8859-"); ok {
		name = "iso-8859-" + digits
	}
	if alias, ok := aliases[name]; ok {
		return alias
	}
	return name
}

// Lookup returns the encoding for a canonical name, or nil. The index of IANA names comes first,
// because the index for HTML guesses: it takes US-ASCII and ISO 8859-1 for windows-1252.
func Lookup(name string) encoding.Encoding {
	if e, ok := moreEncodings[name]; ok {
		return e
	}
	if e, err := ianaindex.MIME.Encoding(name); err == nil && e != nil {
		return e
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil
	}
	if n, _ := htmlindex.Name(e); n == "x-user-defined" {
		return nil
	}
	return e
}

// ByteOrder reads the byte order mark at the start of UTF-16, which is not part of the
// text. It reports false if the mark is missing or contradicts the name of the charset.
func ByteOrder(content []byte, name string) (order unicode.Endianness, ok bool) {
	switch {
	case bytes.HasPrefix(content, []byte{0xFE, 0xFF}) && name != "utf-16le":
		return unicode.BigEndian, true
	case bytes.HasPrefix(content, []byte{0xFF, 0xFE}) && name != "utf-16be":
		return unicode.LittleEndian, true
	}
	return unicode.BigEndian, false
}
