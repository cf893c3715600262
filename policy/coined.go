package policy

import (
	"strings"
	"sync"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/wordlist"
)

// minCoined is the length of the shortest name of the operator that counts anywhere in a host.
const minCoined = 8

// A coinedIndex has the coined names of the operator: those that are not made of ordinary words. It
// finds them by pieces of their shapes, because a few typing errors leave some piece unchanged.
type coinedIndex struct {
	byPiece map[piece][]*coinedName
	some    pairs // the first two bytes of the pieces
}

// A piece is a sequence of three bytes of a shape.
type piece [3]byte

// A coinedName is a coined name of the operator.
type coinedName struct {
	domain *protectedDomain
	shape  string
}

// add adds a domain if its name is coined. words are the common words.
func (x *coinedIndex) add(d *protectedDomain, words *wordlist.List) {
	if len(d.word) < minCoined || !ascii.Is(d.word) || !isCoined(strings.ReplaceAll(d.word, "-", ""), words) {
		return
	}
	name := &coinedName{d, string(appendShape(nil, []byte(wordKey(d.word))))}
	if len(name.shape) < minCoined {
		return
	}
	if x.byPiece == nil {
		x.byPiece = make(map[piece][]*coinedName)
	}
	last := len(name.shape) - len(piece{})
	for i := 0; i <= last; i += len(piece{}) {
		x.addPiece(name, i)
	}
	x.addPiece(name, last)
}

// addPiece adds a name by the piece of its shape at the index i.
func (x *coinedIndex) addPiece(name *coinedName, i int) {
	p := piece([]byte(name.shape[i:]))
	x.byPiece[p] = append(x.byPiece[p], name)
	x.some.add(firstBytes(p[:]))
}

// commonWords are words that many names of companies have in them.
var commonWords = sync.OnceValue(func() *wordlist.List { return readList("common_words") })

// isCoined reports whether a name is coined: enough of its letters are neither in common words nor in
// added words, and it does not end like names of families and places.
func isCoined(name string, words *wordlist.List) bool {
	for _, ending := range familyEndings {
		if strings.HasSuffix(name, ending) {
			return false
		}
	}
	const shortest, long, least = 3, 4, 4
	return lettersBeside(name, shortest, words) > 0 && lettersBeside(name, long, words) >= least
}

// lettersBeside returns how many letters of a name are in no word. Of all ways to divide the name
// into words with at least the shortest length, it takes the one that leaves the fewest letters.
func lettersBeside(name string, shortest int, words *wordlist.List) int {
	fewest := make([]int, len(name)+1) // letters left of the name up to each index
	for i := range fewest {
		fewest[i] = i
	}
	for start := range name {
		fewest[start+1] = min(fewest[start+1], fewest[start]+1)
		for end := start + shortest; end <= len(name); end++ {
			word := name[start:end]
			if !words.Has(word) && !addedWords.Has(word) && strings.Trim(word, "0123456789") != "" {
				continue
			}
			fewest[end] = min(fewest[end], fewest[start])
			for _, letters := range betweenWords {
				if strings.HasPrefix(name[end:], letters) {
					next := end + len(letters)
					fewest[next] = min(fewest[next], fewest[start])
				}
			}
		}
	}
	return fewest[len(name)]
}

// betweenWords are the letters that languages put between the parts of a compound word, or at its
// end for a plural.
var betweenWords = [...]string{"s", "n", "en", "es", "e", "er", "y", "i"}

// familyEndings are endings of names of families and places. Many companies have such names.
var familyEndings = strings.Fields("mann sen son sson berg burg heim dorf stadt feld hausen hofen stein ville field ford ham wood worth sky ski wicz enko oglu poulos akis etti elli meier meyer maier mayer bauer huber kamp beck borg lund quist strom gaard moto yama kawa mura hashi shima")

// appendShape appends a key, with one letter in place of each two that look like it.
func appendShape(dst, key []byte) []byte {
	start := len(dst)
	for _, c := range key {
		last := len(dst) - 1
		switch {
		case last < start:
		case c == 'n' && dst[last] == 'r':
			dst[last] = 'm'
			continue
		case c == 'v' && dst[last] == 'v':
			dst[last] = 'w'
			continue
		case c == 'l' && dst[last] == 'c':
			dst[last] = 'd'
			continue
		}
		dst = append(dst, c)
	}
	return dst
}
