package policy

import (
	"iter"
	"strings"
)

// hasAddedWord reports whether the label is the name with words of phishing before or
// behind it, with hyphens or without.
func hasAddedWord(label, name string) bool {
	if len(label) <= len(name) {
		return false
	}
	if rest, ok := strings.CutPrefix(label, name); ok && areAddedWords(rest) {
		return true
	}
	rest, ok := strings.CutSuffix(label, name)
	return ok && areAddedWords(rest)
}

// hasNumber reports whether the label is the name with a number behind it.
func hasNumber(label, name string) bool {
	rest, ok := strings.CutPrefix(label, name)
	return ok && rest != "" && strings.Trim(strings.TrimPrefix(rest, "-"), "0123456789") == ""
}

// areAddedWords reports whether s is words of phishing with hyphens between them, and
// perhaps at the ends.
func areAddedWords(s string) bool {
	found := false
	for word := range strings.SplitSeq(strings.Trim(s, "-"), "-") {
		if !addedWords.Has(word) {
			return false
		}
		found = true
	}
	return found
}

// addedByStart has the words of phishing by their first two letters.
var addedByStart = func() (byStart ['z' - 'a' + 1]['z' - 'a' + 1][]string) {
	for word := range addedWords.All() {
		words := &byStart[word[0]-'a'][word[1]-'a']
		*words = append(*words, word)
	}
	return byStart
}()

// addedWordsLike returns the words of phishing that begin with the first two letters of s.
func addedWordsLike(s string) []string {
	a, b := s[0]-'a', s[1]-'a'
	if a > 'z'-'a' || b > 'z'-'a' {
		return nil
	}
	return addedByStart[a][b]
}

// maxWordsBefore is how many words of phishing before a name count.
const maxWordsBefore = 3

// amongWords reports a label that has a name between words of phishing and, with the
// suffix, is the registrable domain of the host: "my-paypal-login".
func (x *nameIndex) amongWords(label, suffix string, h linkHost, set *protectedSet) Finding {
	d := x.between(label, maxWordsBefore)
	if d == nil {
		return Finding{}
	}
	if !isRegistered(label, suffix, h, set) {
		return Finding{}
	}
	return d.withAdded(label).finding(label, d.ascii)
}

// between returns the domain whose name is in the label behind at most so many words of
// phishing, with others behind it, or nil.
func (x *nameIndex) between(label string, words int) *protectedDomain {
	for _, word := range addedWordsLike(label) {
		rest, ok := strings.CutPrefix(label, word)
		rest = strings.TrimLeft(rest, "-")
		if !ok || len(rest) < minOwnTyped {
			continue
		}
		for _, d := range x.byStart.of(firstBytes(rest)) {
			behind, ok := strings.CutPrefix(rest, d.word)
			if ok && (d.own || !ordinary[d.word]) && areAddedWords(behind) {
				return d
			}
		}
		if words > 1 {
			if d := x.between(rest, words-1); d != nil {
				return d
			}
		}
	}
	return nil
}

// withAdded returns the variant for a label that has the name of d among words of phishing.
func (d *protectedDomain) withAdded(label string) variant {
	if hasLureAround(label, d.word) {
		return addedWord
	}
	return d.sure(addedWord, shortAddedWord)
}

// hasLure reports whether one of the lures is a part of the label between
// hyphens.
func hasLure(label string) bool {
	for part := range strings.SplitSeq(label, "-") {
		if lures.Has(part) {
			return true
		}
	}
	return false
}

// minGluedLure is the length of the shortest lure that counts without a hyphen before or behind it.
const minGluedLure = 4

// The lures that count without a hyphen, by their first and by their last two letters.
var luresByStart, luresByEnd = func() (byStart, byEnd map[[2]byte][]string) {
	byStart, byEnd = make(map[[2]byte][]string), make(map[[2]byte][]string)
	for lure := range lures.All() {
		if len(lure) >= minGluedLure {
			byStart[firstBytes(lure)] = append(byStart[firstBytes(lure)], lure)
			byEnd[lastBytes(lure)] = append(byEnd[lastBytes(lure)], lure)
		}
	}
	return byStart, byEnd
}()

// partsBesideLure iterates over the parts of a label that may be a name beside a lure. These are
// the parts between hyphens if one is a lure, and the rests of a label that begins or ends with
// one. A part overlaps the lure if the first letter of the lure is its last: "paypalogin".
func partsBesideLure(label string) iter.Seq2[string, bool] {
	return func(yield func(part string, overlaps bool) bool) {
		if hasLure(label) {
			for part := range strings.SplitSeq(label, "-") {
				if !yield(part, false) {
					return
				}
			}
		}
		for _, lure := range luresByEnd[lastBytes(label)] {
			if rest, ok := strings.CutSuffix(label, lure); ok && (!yield(rest, false) || !yield(rest+lure[:1], true)) {
				return
			}
		}
		for _, lure := range luresByStart[firstBytes(label)] {
			if rest, ok := strings.CutPrefix(label, lure); ok && !yield(rest, false) {
				return
			}
		}
	}
}

// hasLureAround reports whether a label has a lure before or behind the name in it.
func hasLureAround(label, name string) bool {
	before, after, _ := strings.Cut(label, name)
	return hasLure(before) && len(before) >= minGluedLure || hasLure(after) && len(after) >= minGluedLure
}
