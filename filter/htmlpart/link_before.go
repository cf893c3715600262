package htmlpart

// linkBefore is a reference that a next one may follow without a break.
type linkBefore struct {
	url  string
	text []byte // of the references that a reader may see as one, up to this one
	word []byte // the last one
	refs []Item // those with a part of it, each with a URL

	before  string // the text right before the word, which is a part of it
	between []byte // the text right behind the word, which is
	pieces  int    // references with a part of the word
	names   bool   // the word may name a host
	ends    bool   // the text behind it is not known yet
	divided bool   // a hidden text is in it or behind it, and divides it
}

// maxJoined is the number of references that may have parts of a word.
const maxJoined = 16

// nearness says how near the end of a reference is.
type nearness uint8

const (
	away     nearness = iota
	right             // it is right here
	rightBut          // it is before a blank, which is not shown at the end of a box
	nextBox           // it is in the box before, and no white space is shown between them
	inWord            // a part of a word is between them
)

// over returns the nearness behind the beginning or end of an element, which may break texts or be in
// the line of the text before it.
func (n nearness) over(breaks bool, inLine beside) nearness {
	switch {
	case n == away, breaks && inLine == notBeside, n == inWord && (breaks || inLine != notBeside):
		return away
	case inLine == touching:
		return nextBox
	case inLine != notBeside && n == rightBut:
		return away
	}
	return n
}
