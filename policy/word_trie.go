package policy

import (
	"slices"
	"sync"
)

// A wordRank says how much a word beside the name of a brand tells.
type wordRank uint8

const (
	noWord       wordRank = iota
	companyWord           // companies have it: it counts beside another word alone
	ownersWord            // owners of brands have it beside their name, too
	otherWord             // phishing adds it
	phishingWord          // it asks for a password or a payment
)

// wordsAround has the shapes of the words that phishing adds to names.
var wordsAround = sync.OnceValue(func() *wordTries {
	ranks := make(map[string]wordRank)
	for word := range addedWords.All() {
		switch {
		case addedWords.Marked(word, markCompany):
			ranks[word] = companyWord
		case addedWords.Marked(word, markOwners):
			ranks[word] = ownersWord
		default:
			ranks[word] = otherWord
		}
	}
	for word := range paymentWords.All() {
		ranks[word] = phishingWord
	}
	for word := range lures.All() {
		if len(word) >= minGluedWord {
			ranks[word] = phishingWord
		}
	}
	t := &wordTries{}
	for word, rank := range ranks {
		shape := shapeOf(word)
		t.forward.add(shape, rank)
		t.backward.add(backwards(shape), rank)
	}
	return t
})

// wordTries have words from their first and from their last byte.
type wordTries struct{ forward, backward wordTrie }

// backwards returns s from its last byte to its first.
func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// A wordTrie has words, byte by byte.
type wordTrie struct {
	first [256]uint16 // the node of a first byte
	nodes []wordNode  // the one with the index 0 is none
}

// A wordNode is a byte of words.
type wordNode struct {
	child, sibling uint16
	byte           byte
	rank           wordRank // of the word that ends here
}

// add adds a word.
func (t *wordTrie) add(word string, rank wordRank) {
	if len(t.nodes) == 0 {
		t.nodes = make([]wordNode, 1)
	}
	link := func(at uint16) uint16 { return t.nodes[at].child }
	node := t.first[word[0]]
	if node == 0 {
		node = t.new(word[0])
		t.first[word[0]] = node
	}
	for i := 1; i < len(word); i++ {
		next := link(node)
		for next != 0 && t.nodes[next].byte != word[i] {
			next = t.nodes[next].sibling
		}
		if next == 0 {
			next = t.new(word[i])
			t.nodes[next].sibling, t.nodes[node].child = t.nodes[node].child, next
		}
		node = next
	}
	t.nodes[node].rank = max(t.nodes[node].rank, rank)
}

// new returns a new node.
func (t *wordTrie) new(b byte) uint16 {
	t.nodes = append(t.nodes, wordNode{byte: b})
	return uint16(len(t.nodes) - 1)
}

// maxWordPlaces bounds the places behind words that are looked at.
const maxWordPlaces = 12

// A wordPlace is a place in a label behind words, or before them from its end.
type wordPlace struct {
	at    int
	words uint8
	worst wordRank
	glued bool // no hyphen is between the words and the place
}

// minGluedWord is the length of the shortest word that counts without a hyphen behind or before it.
const minGluedWord = 3

// places appends the places of a label that at most maxWordsBefore words lead to: from its start, or from its end.
func (t *wordTrie) places(dst []wordPlace, label []byte, fromEnd bool) []wordPlace {
	last := len(label) - 1
	at := func(i int) byte {
		if fromEnd {
			i = last - i
		}
		return label[i]
	}
	dst = append(dst, wordPlace{})
	for k := 0; k < len(dst); k++ {
		from := dst[k]
		if from.words == maxWordsBefore || from.at > last {
			continue
		}
		i := from.at
		for node := t.first[at(i)]; node != 0; {
			i++
			n := &t.nodes[node]
			if n.rank != noWord && len(dst) < maxWordPlaces {
				p := wordPlace{at: i, words: from.words + 1, worst: max(from.worst, n.rank), glued: i <= last && at(i) != '-'}
				for p.at <= last && at(p.at) == '-' {
					p.at++
				}
				if !p.glued || i-from.at >= minGluedWord {
					dst = append(dst, p)
				}
			}
			if i > last {
				break
			}
			next := at(i)
			for node = n.child; node != 0 && t.nodes[node].byte != next; {
				node = t.nodes[node].sibling
			}
		}
	}
	if fromEnd {
		for i := range dst {
			dst[i].at = len(label) - dst[i].at
		}
	}
	return dst
}
