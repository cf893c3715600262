package htmlpart

import "strings"

// cssDeclaration is a declaration of CSS.
type cssDeclaration struct {
	property  string // in lower case
	value     string // without a priority
	written   string // with it
	important bool   // CSS Cascading §6.4
}

// readDeclaration reads a declaration. It returns false for a text that is none.
func readDeclaration(text string) (d cssDeclaration, ok bool) {
	colon := strings.IndexByte(text, ':')
	if colon < 0 {
		return d, false
	}
	d.property, d.written = strings.ToLower(trim(text[:colon])), text[colon+1:]
	value, priority, hasPriority := strings.Cut(d.written, "!")
	d.value = trim(value)
	d.important = hasPriority && strings.EqualFold(trim(priority), "important")
	return d, true
}

// importance has the properties that a declaration has set with a priority.
type importance map[string]bool

// counts reports whether a declaration counts, behind those before, and notes its property if it
// is important.
func (i *importance) counts(d *cssDeclaration) bool {
	if !d.important {
		return !(*i)[d.property]
	}
	if *i == nil {
		*i = make(importance)
	}
	(*i)[d.property] = true
	return true
}
