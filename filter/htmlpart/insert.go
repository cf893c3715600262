package htmlpart

// An insert is a text that programs may show at a place of a reference.
type insert struct {
	altText
	kind insertKind
	part int // the number of parts that begin before it
}

// insertKind says where an insert comes from.
type insertKind uint8

const (
	ofPicture insertKind = 1 << iota
	ofBefore             // what a rule puts before an element
	ofAfter
)
