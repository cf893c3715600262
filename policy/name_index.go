package policy

import "unicode/utf8"

// The lengths in code points of the shortest names whose typing errors count: of the
// operator's domains and of impersonated ones. Shorter names are near many others.
const (
	minOwnTyped   = 5
	minBrandTyped = 6
)

// A nameIndex has the protected names of which typing errors count, by their first
// and by their last two bytes. One edit in a name leaves one of the two pairs.
type nameIndex struct {
	byStart, byEnd map[[2]byte]namesakes
}

// namesakes are domains whose names share two bytes.
type namesakes []*protectedDomain

// add adds a domain if its name is long enough.
func (x *nameIndex) add(d *protectedDomain) {
	shortest := minBrandTyped
	if d.own {
		shortest = minOwnTyped
	}
	if utf8.RuneCountInString(d.word) < shortest {
		return
	}
	start, end := firstBytes(d.word), lastBytes(d.word)
	x.byStart[start] = append(x.byStart[start], d)
	x.byEnd[end] = append(x.byEnd[end], d)
}

// firstBytes returns the first two bytes of s, which has as many.
func firstBytes(s string) [2]byte { return [2]byte{s[0], s[1]} }

// lastBytes returns the last two bytes of s, which has as many.
func lastBytes(s string) [2]byte { return [2]byte{s[len(s)-2], s[len(s)-1]} }
