package policy

import (
	"iter"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// disguised reports a label that has the key of a name beside words of phishing, in other
// letters or digits: "paypa1login". With the suffix, the label is the registrable domain of the
// host. No honest owner writes a name so, and the finding is the same for a short one.
func (p *protectedSet) disguised(label, suffix string, h linkHost) Finding {
	var buf [320]byte
	key := buf[:0]
	if !ascii.Is(label) {
		if key = appendKey(key, label); !ascii.Is(string(key)) {
			return Finding{}
		}
	} else if !p.typed.mayHaveKey(appendKey(key, label[:2]), appendKey(buf[len(buf)/2:len(buf)/2], label[len(label)-2:])) {
		return Finding{} // as for most labels
	} else {
		key = appendKey(key, label)
	}
	like := likeness{host: h}
	for d := range p.besideWords(key) {
		if isHonestName(label) || !isRegistered(label, suffix, h, p) {
			break
		}
		switch {
		case !strings.Contains(label, d.word):
			like.note(addedWord.finding(label, d.ascii))
		case d.own || !ordinary[d.word]: // only the words beside it are in other letters
			like.note(d.sure(addedWord, shortAddedWord).finding(label, d.ascii))
		}
	}
	return like.worst
}

// mayHaveKey reports whether a key that begins with start, or that ends with end, may begin or end
// with that of a name. Both have two bytes or more.
func (x *nameIndex) mayHaveKey(start, end []byte) bool {
	return x.byStart.some.mayHave(firstBytes(start)) || x.byEnd.some.mayHave(lastBytes(end))
}

// besideWords iterates over the domains with a name that a key begins or ends with. The rest of
// the key is keys of words of phishing.
func (p *protectedSet) besideWords(key []byte) iter.Seq[*protectedDomain] {
	return func(yield func(*protectedDomain) bool) {
		for i := minWord; i < len(key); i++ {
			for _, d := range p.words[string(key[:i])] {
				if d.isDisguised(string(key[i:])) && !yield(d) {
					return
				}
			}
			for _, d := range p.words[string(key[len(key)-i:])] {
				if d.isDisguised(string(key[:len(key)-i])) && !yield(d) {
					return
				}
			}
		}
	}
}

// isDisguised reports whether the rest of a key beside that of the name of d is keys of words of
// phishing, and the name is long enough.
func (d *protectedDomain) isDisguised(rest string) bool { return d.isLong() && areAddedKeys(rest) }

// areAddedKeys is areAddedWords for the key of s.
func areAddedKeys(s string) bool {
	found := false
	for word := range strings.SplitSeq(strings.Trim(s, "-"), "-") {
		if !addedKeys[word] {
			return false
		}
		found = true
	}
	return found
}

// addedKeys has the keys of the words of phishing.
var addedKeys = func() map[string]bool {
	keys := make(map[string]bool)
	for word := range addedWords.All() {
		keys[string(appendKey(nil, word))] = true
	}
	return keys
}()
