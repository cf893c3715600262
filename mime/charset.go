package mime

import (
	"bytes"
	"strings"
	"unicode/utf8"

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

// aliases are names that mail uses and neither index of x/text knows, or that
// its index for HTML takes for a superset: there iso8859-1 is windows-1252.
var aliases = map[string]string{
	"646": "us-ascii", "ansi_x3.4-1968": "us-ascii", "ascii": "us-ascii", "iso646-us": "us-ascii",
	"us": "us-ascii", "us_ascii": "us-ascii",
	"utf8": "utf-8", "unicode-1-1-utf-8": "utf-8",
	"unicode-1-1-utf-7": "utf-7", "utf7": "utf-7", "csutf7": "utf-7",
	"utf16": "utf-16", "utf16le": "utf-16le", "utf16be": "utf-16be",
	"8859_1": "iso-8859-1", "latin-1": "iso-8859-1", "iso88591": "iso-8859-1",
	"latin-9": "iso-8859-15", "latin9": "iso-8859-15",
}

// moreEncodings are charsets by the code page names that mail uses for them.
var moreEncodings = map[string]encoding.Encoding{
	"cp932": japanese.ShiftJIS, "eucjp": japanese.EUCJP,
	"cp949": korean.EUCKR, "uhc": korean.EUCKR,
	"cp936": simplifiedchinese.GBK,
	"cp950": traditionalchinese.Big5,
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

// decodeCharset decodes content from the charset with the given canonical name.
// Content that does not decode without loss is an error.
func decodeCharset(content []byte, name string) (string, error) {
	switch name {
	case "us-ascii":
		for _, c := range content {
			if c >= utf8.RuneSelf {
				return "", unreadable(ReasonUndeclared8Bit, "octet 0x%02x in US-ASCII", c)
			}
		}
		return string(content), nil
	case "utf-8":
		if !utf8.Valid(content) {
			return "", unreadable(ReasonUndecodable, "no valid UTF-8")
		}
		return string(content), nil
	case "utf-7":
		return "", unreadable(ReasonUTF7, "")
	case "utf-16", "utf-16le", "utf-16be":
		return decodeUTF16(content, name)
	}
	enc := lookup(name)
	if enc == nil {
		return "", unreadable(ReasonUnknownCharset, "%q", name)
	}
	return decodeLossless(content, name, enc)
}

// decodeLossless decodes content. The decoders of x/text return U+FFFD without an
// error for what they cannot decode. Where the result holds one, it must be one
// that the source encodes, as GB18030 and UTF-16 can: then encoding the result
// gives the source again. Other results are not encoded again, because many
// charsets have more than one encoding of a character.
func decodeLossless(content []byte, name string, enc encoding.Encoding) (string, error) {
	decoded, err := enc.NewDecoder().Bytes(content)
	if err != nil {
		return "", unreadable(ReasonUndecodable, "%s: %v", name, err)
	}
	if bytes.ContainsRune(decoded, utf8.RuneError) {
		again, err := enc.NewEncoder().Bytes(decoded)
		if err != nil || !bytes.Equal(again, content) {
			return "", unreadable(ReasonUndecodable, "not valid in %s", name)
		}
	}
	return string(decoded), nil
}

// decodeUTF16 decodes UTF-16 that begins with a byte order mark, which is not
// part of the text. A mark against the order that the name says is an error.
func decodeUTF16(content []byte, name string) (string, error) {
	order := unicode.BigEndian
	switch {
	case bytes.HasPrefix(content, []byte{0xFE, 0xFF}) && name != "utf-16le":
	case bytes.HasPrefix(content, []byte{0xFF, 0xFE}) && name != "utf-16be":
		order = unicode.LittleEndian
	default:
		return "", unreadable(ReasonUTF16WithoutBOM, "%s", name)
	}
	return decodeLossless(content[2:], name, unicode.UTF16(order, unicode.IgnoreBOM))
}
