package mime

import (
	"bytes"
	"slices"
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

// aliases are names in mail that neither index of x/text has, or that its index for
// HTML maps to a superset: there iso8859-1 is windows-1252.
var aliases = map[string]string{
	"646": "us-ascii", "ansi_x3.4-1968": "us-ascii", "ascii": "us-ascii", "iso646-us": "us-ascii",
	"us": "us-ascii", "us_ascii": "us-ascii",
	"utf8": "utf-8", "unicode-1-1-utf-8": "utf-8",
	"unicode-1-1-utf-7": "utf-7", "utf7": "utf-7", "csutf7": "utf-7",
	"utf16": "utf-16", "utf16le": "utf-16le", "utf16be": "utf-16be",
	// The index for HTML takes these for UTF-16 without a byte order mark.
	"unicode": "utf-16le", "csunicode": "utf-16le", "iso-10646-ucs-2": "utf-16le", "ucs-2": "utf-16le", "unicodefeff": "utf-16le",
	"unicodefffe": "utf-16be",
	"8859_1":      "iso-8859-1", "latin-1": "iso-8859-1", "iso88591": "iso-8859-1",
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

// canonical returns the name that this package uses for a charset: in lower
// case, without the spellings that differ in mail.
func canonical(label string) string {
	name := strings.ToLower(strings.Trim(label, " \t"))
	if digits, ok := strings.CutPrefix(name, "iso8859-"); ok {
		name = "iso-8859-" + digits
	}
	if alias, ok := aliases[name]; ok {
		return alias
	}
	return name
}

// lookup returns the encoding for a canonical name, or nil. The index of IANA
// names goes first: the one for HTML takes US-ASCII and ISO 8859-1 for
// windows-1252, which is a guess.
func lookup(name string) encoding.Encoding {
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

// encodeLossless encodes a text that decodes to the same again.
func encodeLossless(text string, enc encoding.Encoding) ([]byte, bool) {
	encoded, err := enc.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return nil, false
	}
	decoded, err := enc.NewDecoder().Bytes(encoded)
	return encoded, err == nil && string(decoded) == text
}

// encodeUTF16 encodes a text in UTF-16 in the byte order of source, which begins
// with a byte order mark, as the result does.
func encodeUTF16(source []byte, text string) ([]byte, bool) {
	order, err := byteOrder(source, "utf-16")
	if err != nil {
		return nil, false
	}
	encoded, err := unicode.UTF16(order, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(text))
	return slices.Concat(source[:2], encoded), err == nil
}

// byteOrder reads the byte order mark at the start of UTF-16, which is not part of the
// text. A missing mark, or one that contradicts the name of the charset, is an error.
func byteOrder(content []byte, name string) (unicode.Endianness, error) {
	switch {
	case bytes.HasPrefix(content, []byte{0xFE, 0xFF}) && name != "utf-16le":
		return unicode.BigEndian, nil
	case bytes.HasPrefix(content, []byte{0xFF, 0xFE}) && name != "utf-16be":
		return unicode.LittleEndian, nil
	}
	return unicode.BigEndian, unreadable(reasonUTF16WithoutBOM, "%s", name)
}
