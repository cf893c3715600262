package policy

import (
	"iter"
	"strings"
	"sync"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/wordlist"
)

// An addedWordSet has the words that phishing adds to names, either as they are written or as
// shapes (see shapeOf).
type addedWordSet struct {
	added   map[string]bool
	byStart map[[2]byte][]string // the added words by their first two bytes
	starts  pairs                // the first two bytes of the added words
	pays    map[string]bool      // the words of payments and parcels
	company map[string]bool      // forms of companies and names of countries, which count only beside a name of the operator
	lures   map[string]bool
	honest  map[string]bool // words and names that honest domains have

	// The lures that count without a hyphen, by their first and by their last two bytes.
	luresByStart, luresByEnd map[[2]byte][]string
	lureStarts, lureEnds     pairs
}

// asWritten has the words as they are written, inShape their shapes.
var (
	asWritten = newAddedWordSet(func(word string) string { return word })
	inShape   = sync.OnceValue(func() *addedWordSet { return newAddedWordSet(shapeOf) })
)

// newAddedWordSet returns the words in the form that the function gives them.
func newAddedWordSet(form func(word string) string) *addedWordSet {
	s := &addedWordSet{byStart: map[[2]byte][]string{}, luresByStart: map[[2]byte][]string{}, luresByEnd: map[[2]byte][]string{}}
	words := func(lists ...*wordlist.List) map[string]bool {
		words := make(map[string]bool)
		for _, list := range lists {
			for word := range list.All() {
				words[form(word)] = true
			}
		}
		return words
	}
	s.added, s.pays, s.company, s.lures = words(addedWords, paymentWords, lures), words(paymentWords), words(companyWords, companyForms), words(lures)
	s.honest = words(honestWords, honestNames)
	for word := range s.added {
		s.byStart[firstBytes(word)] = append(s.byStart[firstBytes(word)], word)
		s.starts.add(firstBytes(word))
	}
	for lure := range s.lures {
		if len(lure) >= minGluedLure {
			s.luresByStart[firstBytes(lure)] = append(s.luresByStart[firstBytes(lure)], lure)
			s.luresByEnd[lastBytes(lure)] = append(s.luresByEnd[lastBytes(lure)], lure)
			s.lureStarts.add(firstBytes(lure))
			s.lureEnds.add(lastBytes(lure))
		}
	}
	return s
}

// mayHave reports whether a text with these first and last bytes may begin or end with a word of phishing.
func (s *addedWordSet) mayHave(first, last [2]byte) bool {
	return s.starts.mayHave(first) || s.lureStarts.mayHave(first) || s.lureEnds.mayHave(last)
}

// hasAddedWord reports whether the label consists of the name and of words that phishing adds,
// before or after it, with hyphens or without. Beside a name of the operator, the form of a company
// and a country count as such words, too.
func (s *addedWordSet) hasAddedWord(label, name string, own bool) bool {
	if len(label) <= len(name) {
		return false
	}
	if rest, ok := strings.CutPrefix(label, name); ok && s.areAdded(rest, own) {
		return true
	}
	rest, ok := strings.CutSuffix(label, name)
	return ok && s.areAdded(rest, own)
}

// hasAddedWord is the method for words as they are written, and for a name that is not the
// operator's.
func hasAddedWord(label, name string) bool { return asWritten.hasAddedWord(label, name, false) }

// hasNumber reports whether the label is the name followed by a number.
func hasNumber(label, name string) bool {
	rest, ok := strings.CutPrefix(label, name)
	return ok && rest != "" && strings.Trim(strings.TrimPrefix(rest, "-"), "0123456789") == ""
}

// areAdded reports whether text consists of words that phishing adds, with hyphens between them and
// perhaps at the ends.
func (s *addedWordSet) areAdded(text string, own bool) bool {
	found := false
	for word := range strings.SplitSeq(strings.Trim(text, "-"), "-") {
		if word = strings.TrimLeft(word, "0123456789"); word == "" && strings.Contains(strings.Trim(text, "-"), "-") {
			continue // the number of a product: "example365-login"
		}
		if !s.added[word] && !(own && s.isOfCompany(word, text)) {
			return false
		}
		found = true
	}
	return found
}

// isOfCompany reports whether a word is the form of a company or a country. text is what is left of
// the label without the name. A short word counts only if text has a hyphen.
func (s *addedWordSet) isOfCompany(word, text string) bool {
	const code = 2 // the letters of a country code
	if strings.Contains(text, "-") {
		return s.company[word] || len(word) == code && isCountry(word)
	}
	return companyWords.Has(word)
}

// isCountry reports whether a word is the code of a country.
func isCountry(word string) bool { return tld.Builtin().Contains(word) }

// maxWordsBefore is how many added words may be in front of a name.
const maxWordsBefore = 3

// amongWords reports a label that has a name between added words and that is, with the suffix, the
// registrable domain of the host: "my-paypal-login". reading is the label in the form of the index.
func (x *nameIndex) amongWords(n *nearLabel, reading string) Finding {
	d := x.between(reading, maxWordsBefore)
	if d == nil || !n.isRegistered() {
		return Finding{}
	}
	return x.withAdded(d, n.label, reading).finding(n.label, d.shown())
}

// between returns the domain whose name is in the label, with at most so many added words in front
// of it and further ones after it; or nil.
func (x *nameIndex) between(label string, words int) *protectedDomain {
	if len(label) < 2 || !x.words().starts.mayHave(firstBytes(label)) {
		return nil
	}
	for _, word := range x.words().byStart[firstBytes(label)] {
		rest, ok := strings.CutPrefix(label, word)
		rest = strings.TrimLeft(rest, "-")
		if !ok || len(rest) < minOwnTyped {
			continue
		}
		for _, d := range x.byStart.of(firstBytes(rest)) {
			behind, ok := strings.CutPrefix(rest, x.text(d))
			if ok && (d.own || !ordinary[d.word]) && x.words().areAdded(behind, d.own) {
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

// withAdded returns the variant for a label that has the name of d and added words. A name that is
// written in other letters is surely dishonest.
func (x *nameIndex) withAdded(d *protectedDomain, label, reading string) variant {
	if x.isShaped && !d.isIn(label) || x.words().hasLureAround(reading, x.text(d)) {
		return addedWord
	}
	return d.sure(addedWord, shortAddedWord)
}

// hasLure reports whether a part of the label between hyphens is a lure.
func (s *addedWordSet) hasLure(label string) bool {
	for part := range strings.SplitSeq(label, "-") {
		if s.lures[part] {
			return true
		}
	}
	return false
}

func hasLure(label string) bool { return asWritten.hasLure(label) }

// minGluedLure is the length of the shortest lure that counts without a hyphen before or behind it.
const minGluedLure = 4

// partsBesideLure iterates over the parts of a label that may be a name beside a lure. If a part
// between hyphens is a lure, these are the other parts. If the label begins or ends with a lure, it
// is the rest of the label. The rest may share a letter with the lure: "paypalogin".
func (s *addedWordSet) partsBesideLure(label string) iter.Seq2[string, bool] {
	return func(yield func(part string, overlaps bool) bool) {
		if strings.IndexByte(label, '-') >= 0 && s.hasLure(label) {
			for part := range strings.SplitSeq(label, "-") {
				if !yield(part, false) {
					return
				}
			}
		}
		if len(label) < minGluedLure {
			return
		}
		var ends, starts []string
		if s.lureEnds.mayHave(lastBytes(label)) {
			ends = s.luresByEnd[lastBytes(label)]
		}
		if s.lureStarts.mayHave(firstBytes(label)) {
			starts = s.luresByStart[firstBytes(label)]
		}
		for _, lure := range ends {
			if rest, ok := strings.CutSuffix(label, lure); ok && (!yield(rest, false) || !yield(rest+lure[:1], true)) {
				return
			}
		}
		for _, lure := range starts {
			if rest, ok := strings.CutPrefix(label, lure); ok && !yield(rest, false) {
				return
			}
		}
	}
}

func partsBesideLure(label string) iter.Seq2[string, bool] { return asWritten.partsBesideLure(label) }

// hasLureAround reports whether a label has a lure, or a word of payments, before or after the name
// in it.
func (s *addedWordSet) hasLureAround(label, name string) bool {
	before, after, _ := strings.Cut(label, name)
	isLure := func(text string) bool {
		for part := range strings.SplitSeq(strings.Trim(text, "-"), "-") {
			if s.pays[part] || s.lures[part] && len(text) >= minGluedLure {
				return true
			}
		}
		return false
	}
	return isLure(before) || isLure(after)
}
