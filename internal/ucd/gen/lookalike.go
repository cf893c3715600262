package main

import "strings"

// lookalikes hands each non-ASCII character to f that may be taken for the
// syntax of a URL: because of what it looks like (the prototype in
// confusables.txt, UTS #39 §4), or of what compatibility normalisation makes
// of it, which confusables.txt leaves out.
func (d data) lookalikes(f func(r rune)) error {
	report := func(r rune, hex string) error {
		var text strings.Builder
		for h := range strings.FieldsSeq(hex) {
			c, err := parseRune(h)
			if err != nil {
				return err
			}
			text.WriteRune(c)
		}
		if r >= 0x80 && looksLikeSyntax(text.String()) {
			f(r)
		}
		return nil
	}
	err := d.ranges("security/confusables.txt", func(r, _ rune, fields []string) error {
		return report(r, fields[0])
	})
	if err != nil {
		return err
	}
	return d.ranges("ucd/UnicodeData.txt", func(r, _ rune, fields []string) error {
		// A canonical decomposition, which has no <tag>, is composed again
		// and need not look like its first part: U+2260.
		_, decomposition, _ := strings.Cut(fields[4], ">")
		return report(r, decomposition)
	})
}

// looksLikeSyntax reports whether text holds a character that separates the
// parts of a URL or of a query, or is a dot segment. Three full stops are an
// ellipsis, no syntax.
func looksLikeSyntax(text string) bool {
	return text == "." || text == ".." || strings.ContainsAny(text, `/\?#:@&=%+;`)
}
