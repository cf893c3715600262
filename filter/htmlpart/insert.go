package htmlpart

// An insert is a text that programs may show at a place of a reference.
type insert struct {
	altText
	last string // another one that they may show instead; the same without one
	kind insertKind
	part int // the number of parts that begin before it
}

// insertKind says where an insert comes from.
type insertKind uint8

const (
	ofPicture insertKind = 1 << iota
	ofBefore             // what a rule puts before an element
	ofAfter
	lastOf // of the texts for a place, the last one is shown
)

// choose returns the first or the last of the texts for the place.
func (i *insert) choose(last bool) string {
	if last {
		return i.last
	}
	return i.text
}

// besideTexts are what programs show before and after an element: one of several texts each.
type besideTexts struct {
	before, after textsAt
	unsure        bool // programs may show other quotes
}

// orNil returns nil for no texts.
func (t *besideTexts) orNil() *besideTexts {
	if len(t.before.texts)+len(t.after.texts) == 0 && !t.unsure {
		return nil
	}
	return t
}

// textsAt are texts of which programs show one at a place.
type textsAt struct {
	texts []string
	sign  string // the one of them that is syntax of a URL
}

func (t *textsAt) add(text string) {
	if text != "" {
		t.texts = append(t.texts, text)
	}
}
