package charset

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// looseCharset returns the canonical name of a charset as lenient programs read it: the
// first word of the label without quotes, by any usual name of a code page.
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
	name = Canonical(strings.ReplaceAll(name, "_", "-"))
	if known(name) {
		return name
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
	return regexp.MustCompile(`^(?:x-)?(?:cp|win|windows|ms|ibm|ebcdic-cp|ebcdic|ccsid)-?0*(\d+)$`)
})

// IsReadable reports whether [Readings] decodes the charset of a label, though [Lookup] may
// not have it.
func IsReadable(label string) bool { return known(looseCharset(label)) }

// known reports whether a charset of that canonical name can be decoded.
func known(name string) bool { return name != "" && (decoders[name] != nil || Lookup(name) != nil) }

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
