package htmlpart

import (
	"errors"
	"regexp"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

const (
	// maxEntityDepth is the number of entities in each other that are replaced.
	maxEntityDepth = 8
	// maxEntityText bounds in bytes what entities add.
	maxEntityText = 256 << 10
	// maxSubset is the number of bytes of a document type declaration that are read.
	maxSubset = 256 << 10
)

var (
	entityDeclaration = regexp.MustCompile(`(?is)<!ENTITY\s+(%\s+)?([^\s"'<>&%;]+)\s+(?:"([^"]*)"|'([^']*)')`)
	listDeclaration   = regexp.MustCompile(`(?is)<!ATTLIST\s+([^\s"'<>]+)\s+((?:[^"'>]|"[^"]*"|'[^']*')*)>`)
	listedAttribute   = regexp.MustCompile(`(?is)([^\s"'<>()|]+)\s+(?:[A-Za-z]+|\([^)]*\))\s+(?:#FIXED\s+)?(?:"([^"]*)"|'([^']*)')`)
	entityReference   = regexp.MustCompile(`&[^\s"'<>&;#]+;`)
	numericReference  = regexp.MustCompile(`&#[0-9A-Fa-fxX]+;`)
	parameter         = regexp.MustCompile(`%[^\s"'<>&;%]+;`)
)

// readEntities reads an XML document once more with the entities and attributes that
// its document type declaration defines (XML §2.8). The items have no place.
func (r *reader) readEntities() error {
	start := r.indexFold(r.source, "<!doctype")
	if start < 0 || r.place != nil && r.entities {
		return nil
	}
	subset := r.source[start:min(len(r.source), start+maxSubset)]
	if !strings.Contains(subset, "[") || r.indexFold(subset, "<!entity") < 0 && r.indexFold(subset, "<!attlist") < 0 {
		return nil
	}
	if len(r.source) > maxTreeSource {
		r.partial = true
		return nil
	}
	expanded, whole := expand(r.source, subset)
	if !whole {
		r.partial = true
	}
	inner := r.inner(expanded, &place{0, len(r.source)})
	inner.again, inner.entities = true, true
	if err := r.readInner(inner); !errors.Is(err, ErrTooComplex) {
		return err
	}
	return nil
}

// expand returns a source as its document type declaration changes it: without the
// declaration, with its entities replaced, and with the attributes that it adds to start tags.
// whole is false if something is left out.
func expand(source, subset string) (expanded string, whole bool) {
	parameters, entities := make(map[string]string), make(map[string]string)
	for range maxEntityDepth {
		before := len(parameters) + len(entities)
		for _, m := range entityDeclaration.FindAllStringSubmatch(subset, 1<<10) {
			names := entities
			if m[1] != "" {
				names = parameters
			}
			if _, ok := names[m[2]]; !ok { // the first declaration counts
				names[m[2]] = m[3] + m[4]
			}
		}
		if len(parameters)+len(entities) == before {
			break
		}
		subset = parameter.ReplaceAllStringFunc(subset, func(reference string) string {
			value, ok := parameters[reference[1:len(reference)-1]]
			if !ok || len(subset) > maxSubset {
				return reference
			}
			return characters(value)
		})
		subset = subset[:min(len(subset), maxSubset)]
	}
	defaults := make(map[string]string)
	for _, m := range listDeclaration.FindAllStringSubmatch(subset, 1<<10) {
		for _, attribute := range listedAttribute.FindAllStringSubmatch(m[2], 64) {
			defaults[m[1]] += " " + attribute[1] + `="` + strings.ReplaceAll(attribute[2]+attribute[3], `"`, "&quot;") + `"`
		}
	}
	room := maxEntityText
	expanded = replaceEntities(withDefaults(source, defaults, &room), entities, &room, 0)
	return expanded, room > 0
}

// characters returns the value of an entity with its numeric references replaced, as
// they are in a declaration.
func characters(value string) string {
	return numericReference.ReplaceAllStringFunc(value, character)
}

// replaceEntities replaces references to entities, as far as there is room.
func replaceEntities(s string, entities map[string]string, room *int, depth int) string {
	if depth == maxEntityDepth {
		*room = 0
		return s
	}
	return entityReference.ReplaceAllStringFunc(s, func(reference string) string {
		value, ok := entities[reference[1:len(reference)-1]]
		if !ok {
			return reference
		}
		if *room -= len(value) + 1; *room <= 0 {
			return ""
		}
		return replaceEntities(characters(value), entities, room, depth+1)
	})
}

// withDefaults adds attributes to the start tags of elements, as far as there is room.
func withDefaults(source string, defaults map[string]string, room *int) string {
	if len(defaults) == 0 {
		return source
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(source, '<')
		if i < 0 || i+1 == len(source) {
			break
		}
		b.WriteString(source[:i+1])
		if source = source[i+1:]; !ascii.IsLetter(source[0]) {
			continue
		}
		name := tagName(source)
		b.WriteString(name)
		source = source[len(name):]
		if added := defaults[name]; added != "" {
			if *room -= len(added); *room > 0 {
				b.WriteString(added)
			}
		}
	}
	b.WriteString(source)
	return b.String()
}
