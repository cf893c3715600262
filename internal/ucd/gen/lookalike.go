package main

import "strings"

// lookalikes hands each non-ASCII character to f that may be taken for the
// syntax of a URL: because of what it looks like (the prototype in
// confusables.txt, UTS #39 §4), or of what compatibility normalisation makes
// of it, which confusables.txt leaves out.
func (d data) lookalikes(f func(r rune)) error {
	fractions := map[rune]bool{}
	err := d.ranges("ucd/UnicodeData.txt", func(r, _ rune, fields []string) error {
		decomposition, err := parseText(withoutTag(fields[4]))
		if r >= 0x80 && looksLikeSyntax(decomposition) {
			f(r)
		}
		fractions[r] = strings.HasPrefix(fields[4], "<fraction>")
		return err
	})
	if err != nil {
		return err
	}
	return d.ranges("security/confusables.txt", func(r, _ rune, fields []string) error {
		prototype, err := parseText(fields[0])
		// Readers see a vulgar fraction as one sign, so its slash separates nothing.
		isFraction := fractions[r] && !strings.HasSuffix(prototype, "/")
		if r >= 0x80 && looksLikeSyntax(prototype) && !isFraction {
			f(r)
		}
		return err
	})
}

// withoutTag returns the code points of a Decomposition_Mapping. A canonical one, which
// has no <tag>, counts only if it is a single character, such as that of U+037E. Longer
// ones are composed again and need not look like their first part: U+2260.
func withoutTag(mapping string) string {
	_, compatible, tagged := strings.Cut(mapping, ">")
	if tagged || strings.Contains(mapping, " ") {
		return compatible
	}
	return mapping
}

// parseText returns the text of code points given in hexadecimal digits.
func parseText(hex string) (string, error) {
	var text strings.Builder
	for h := range strings.FieldsSeq(hex) {
		r, err := parseRune(h)
		if err != nil {
			return "", err
		}
		text.WriteRune(r)
	}
	return text.String(), nil
}

// looksLikeSyntax reports whether text holds a character that separates the parts of a URL or of a
// query, or is a dot segment. Three full stops are an ellipsis, not syntax.
func looksLikeSyntax(text string) bool {
	return text == "." || text == ".." || strings.ContainsAny(text, `/\?#:@&=%+;`)
}
