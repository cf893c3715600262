package htmlpart

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// declarations are what a document type declaration defines: entities and attributes (XML §3.3,
// §4.2).
type declarations struct {
	parameters, entities map[string]string    // values by name, without numeric references
	defaults             map[string][]byte    // attributes to add to start tags, by element
	listed               map[attribute]string // their values
	partial              bool                 // programs may read other declarations
}

// attribute is an attribute of an element, by their names.
type attribute struct{ element, name string }

const (
	// maxSubset is the number of bytes of a document type declaration that are read.
	maxSubset = 256 << 10
	// maxDeclarations is the number of declarations of a kind that are read.
	maxDeclarations = 1 << 10
)

// readEntities notes the entities that a subset declares.
func (d *declarations) readEntities(subset string) {
	for range maxDeclarations {
		declaration, ok := behind(subset, "<!ENTITY")
		if !ok {
			return
		}
		subset = declaration
		names := d.entities
		if parameter, ok := strings.CutPrefix(declaration, "%"); ok {
			if names, declaration = d.parameters, trimLeft(parameter); len(declaration) == len(parameter) {
				continue
			}
		}
		n := lengthOfName(declaration)
		name, rest := declaration[:n], trimLeft(declaration[n:])
		d.partial = d.partial || rest == "" // its end may be cut off
		if name == "" || len(rest) == len(declaration)-n || rest == "" || !isQuote(rest[0]) {
			continue
		}
		value, rest, ok := strings.Cut(rest[1:], rest[:1])
		if !ok {
			d.partial = true
			continue
		}
		subset = rest
		noteFirst(d, names, name, characters(value))
	}
	d.partial = true
}

// noteFirst notes the value of a name, unless that is known: the first declaration counts. It
// reports whether it did. Another value may be the first one for programs: comments and values may
// have declarations within them.
func noteFirst[K comparable](d *declarations, values map[K]string, name K, value string) bool {
	before, known := values[name]
	if known {
		d.partial = d.partial || before != value
		return false
	}
	values[name] = value
	return true
}

// withParameters returns a subset, up to its bound, with its references to parameters replaced.
func (d *declarations) withParameters(subset string) string {
	if len(d.parameters) == 0 {
		return subset
	}
	var b strings.Builder
	replaceReferences(&b, subset, "%", func(reference string) bool {
		value, ok := d.parameters[reference[1:len(reference)-1]]
		if !ok {
			value = reference
		}
		b.WriteString(value)
		return b.Len() < maxSubset
	})
	d.partial = d.partial || b.Len() >= maxSubset
	return b.String()[:min(b.Len(), maxSubset)]
}

// readLists notes the attributes with a default that a subset declares.
func (d *declarations) readLists(subset string) {
	for range maxDeclarations {
		list, ok := behind(subset, "<!ATTLIST")
		if !ok {
			return
		}
		subset = list
		if element, list := cutWord(list); lengthOfName(element) > 0 {
			subset = d.readList(element, list)
		}
	}
	d.partial = true
}

// readList notes the attributes in the list of an element, and returns what follows the list.
func (d *declarations) readList(element, list string) (rest string) {
	name, kind := "", "" // the words before a default: the name of the attribute and its type
	inGroup := false     // of values, which is a type
	for {
		word, rest := cutWord(list)
		switch {
		case word == "" || word == "<":
			d.partial = d.partial || word == "" // its end may be cut off
			return list
		case word == ">":
			return rest
		case isQuote(word[0]):
			if len(word) > 1 && name != "" && kind[0] != '#' {
				value := strings.ReplaceAll(word[1:len(word)-1], `"`, "&quot;")
				if noteFirst(d, d.listed, attribute{element, name}, value) {
					d.defaults[element] = append(d.defaults[element], " "+name+`="`+value+`"`...)
				}
			}
			name, kind, inGroup = "", "", false
		case word == "(":
			inGroup = true
		case word == ")":
			name, kind, inGroup = kind, word, false
		case !inGroup && !strings.EqualFold(word, "#FIXED"):
			name, kind = kind, word
		}
		list = rest
	}
}

// behind looks for a keyword, in any case, with white space behind it. It returns what follows
// both, and false if s has no such keyword.
func behind(s, keyword string) (rest string, ok bool) {
	for {
		i := strings.Index(s, keyword[:2])
		if i < 0 {
			return "", false
		}
		s = s[i:]
		if ascii.HasPrefixFold(s, keyword) {
			if rest := trimLeft(s[len(keyword):]); len(rest) < len(s)-len(keyword) {
				return rest, true
			}
		}
		s = s[2:]
	}
}

// cutWord returns the first word of a list and what follows it: a text in quotes, a character of
// syntax, or all up to one of these or white space.
func cutWord(s string) (word, rest string) {
	const syntax = "()<>|"
	s = trimLeft(s)
	if s == "" {
		return "", ""
	}
	n := 1
	switch {
	case isQuote(s[0]):
		n += 1 + strings.IndexByte(s[1:], s[0])
	case strings.IndexByte(syntax, s[0]) < 0:
		for n < len(s) && strings.IndexByte(blanks+"\"'"+syntax, s[n]) < 0 {
			n++
		}
	}
	return s[:n], s[n:]
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }
