package filter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// behindWord reads the hosts in the path, query and fragment of a URL right behind a letter, number or
// symbol. Some programs do not link such a URL, as in →https://example.com/, but these hosts.
func (r besideReader) behindWord(link engine.Link) (found []policy.Finding) {
	if link.Kind != engine.KindURL || !endsInWord(r.text[:link.Start]) {
		return nil
	}
	_, rest, ok := strings.Cut(link.Text, "://")
	if !ok {
		return nil
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 || !mayHoldLink(rest[end+1:]) || r.verdict(link).Worst() >= policy.SeverityMedium {
		return nil
	}
	for _, within := range r.finder.in(rest[end+1:]) {
		found = append(found, deceptive(r.verdict(within).Findings)...)
	}
	return slices.Clip(found)
}

// endsInWord reports whether a text ends in a character behind which some programs find no scheme.
func endsInWord(text string) bool {
	c, _ := utf8.DecodeLastRuneInString(text)
	if text == "" || c == ' ' || c == '\n' || strings.ContainsRune("<>|\uff5c", c) {
		return false
	}
	return c == '_' || unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.S, unicode.Cf)
}
